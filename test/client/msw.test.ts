import { type ApiPromise, createClient, type OperationId } from '@waybill/client';
import { type HandlerOptions, handlers } from '@waybill/client/msw';
import { operationTable } from '@waybill/contract/operations';
import { setupServer } from 'msw/node';
import { expect, onTestFinished, test } from 'vitest';
import { shipmentRequest } from '../fixtures/shipments.ts';

function mocked(options?: HandlerOptions) {
  const server = setupServer(...handlers(options));
  server.listen();
  onTestFinished(() => server.close());
  return createClient({ apiKey: null, baseUrl: options?.baseUrl, maxRetries: 0 });
}

test('the handlers return an example for every operation', async () => {
  const client = mocked();
  const path = {
    shipment_id: 'ship_1',
    tracking_number: 'FRT-2026-000001',
    upload_token: 'u',
    file_token: 'f',
    webhook_endpoint_id: 'whe_1',
    delivery_id: 'whd_1',
    exception_id: 'exc_1',
    access_id: 'acc_1',
    upload_id: 'upl_1',
  };
  for (const [id, { path: template, method }] of Object.entries(operationTable)) {
    if (id === 'streamEvents') continue; // it has a test of its own
    const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as keyof typeof path);
    const params = {
      ...Object.fromEntries(names.map((name) => [name, path[name]])),
      ...(method === 'PUT' && { file: new Blob([]) }),
    };
    const call = client[id as OperationId] as unknown as (params: object) => ApiPromise<unknown>;
    expect((await call(params).withResponse()).status, id).toBeLessThan(300);
  }
});

test('lists end, conditional reads return 304, and uploads succeed', async () => {
  const client = mocked({ baseUrl: 'https://api.example.com/v1' });
  const shipments = await client.listShipments().toArray({ limit: 1000 });
  expect(shipments.length).toBeGreaterThan(1);
  const path = { shipment_id: 'ship_1' };
  const { etag } = await client.getShipment(path).withResponse();
  expect((await client.getShipment(path, { ifNoneMatch: etag }).withResponse()).status).toBe(304);
  const png = Uint8Array.from(Buffer.from('iVBORw0KGgo=', 'base64'));
  expect(await client.uploadProof({ tracking_number: 'FRT-2026-000001', signature: png })).toMatchObject({
    signature: expect.stringMatching(/^upl_/),
  });
});

test('listEvents returns its first example, and no event after it', async () => {
  const client = mocked();
  const page = await client.listEvents();
  expect(page.data.map(({ type }) => type)).toEqual(['shipment.created', 'tracking.status_reached']);
  const after = page.next_after ?? undefined;
  expect((await client.listEvents({ after })).data).toEqual([]);
});

test('streamEvents yields the first example of listEvents', async () => {
  const client = mocked();
  const { data } = await client.listEvents();
  const stream = client.streamEvents();
  expect([(await stream.next()).value, (await stream.next()).value]).toEqual(data);
  await stream.return();
});

test('a status and an example can be selected, and only those of the contract', async () => {
  const client = mocked({
    responses: { createShipment: { status: 409, example: 'reference_taken' }, getTracking: 404, listShipments: 503 },
  });
  const body = shipmentRequest();
  await expect(client.createShipment(body)).rejects.toMatchObject({ code: 'reference_taken', status: 409 });
  await expect(client.getTracking({ tracking_number: 'x' })).rejects.toMatchObject({ code: 'not_found' });
  await expect(client.listShipments()).rejects.toMatchObject({ code: 'unavailable', headers: expect.any(Headers) });
  // @ts-expect-error the operation has no such status
  expect(() => handlers({ responses: { getTracking: 409 } })).toThrow('getTracking has no example');
  // @ts-expect-error the status has no such example
  expect(() => handlers({ responses: { getTracking: { status: 404, example: 'moon' } } })).toThrow(TypeError);
  expect(() => handlers({ responses: { getTrack: 404 } as object })).toThrow("unknown key 'getTrack'");
});
