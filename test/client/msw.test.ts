import { type ApiPromise, createClient, type OperationId } from '@waybill/client';
import { type HandlerOptions, handlers } from '@waybill/client/msw';
import { operationTable } from '@waybill/contract/operations';
import { setupServer } from 'msw/node';
import { expect, onTestFinished, test } from 'vitest';
import { png } from '../fixtures/images.ts';
import { shipmentRequest } from '../fixtures/shipments.ts';

function mocked(options?: HandlerOptions) {
  const server = setupServer(...handlers(options));
  server.listen();
  onTestFinished(() => server.close());
  return createClient({ apiKey: null, baseUrl: options?.baseUrl, maxRetries: 0 });
}

test('the handlers return an example for every operation', async () => {
  const client = mocked();
  for (const [id, { path, method }] of Object.entries(operationTable)) {
    if (id === 'streamEvents') continue; // the next test has it
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, 'x_1']);
    const params = { ...Object.fromEntries(names), ...(method === 'PUT' && { file: new Blob([]) }) };
    const call = client[id as OperationId] as unknown as (params: object) => ApiPromise<unknown>;
    expect((await call(params).withResponse()).status, id).toBeLessThan(300);
  }
});

test('lists and events end, streams have the events, conditional reads return 304, and uploads succeed', async () => {
  const client = mocked({ baseUrl: 'https://api.example.com/v1' });
  expect((await client.listShipments().toArray({ limit: 1000 })).length).toBeGreaterThan(1);
  const { data, next_after } = await client.listEvents();
  expect(data.map(({ type }) => type)).toEqual(['shipment.created', 'tracking.status_reached']);
  expect((await client.listEvents({ after: next_after })).data).toEqual([]);
  const stream = client.streamEvents();
  expect([(await stream.next()).value, (await stream.next()).value]).toEqual(data);
  await stream.return();
  const path = { shipment_id: 'ship_1' };
  const { etag } = await client.getShipment(path).withResponse();
  expect((await client.getShipment(path, { ifNoneMatch: etag }).withResponse()).status).toBe(304);
  const uploaded = await client.uploadProof({ tracking_number: 'FRT-2026-000001', signature: png() });
  expect(uploaded.signature).toMatch(/^upl_/);
});

test('a status and an example can be selected, and only those of the contract', async () => {
  const client = mocked({
    responses: { createShipment: { status: 409, example: 'reference_taken' }, getTracking: 404, listShipments: 503 },
  });
  const creating = client.createShipment(shipmentRequest());
  await expect(creating).rejects.toMatchObject({ code: 'reference_taken', status: 409 });
  await expect(client.getTracking({ tracking_number: 'x' })).rejects.toMatchObject({ code: 'not_found' });
  await expect(client.listShipments()).rejects.toMatchObject({ code: 'unavailable', headers: expect.any(Headers) });
  // @ts-expect-error the operation has no such status
  expect(() => handlers({ responses: { getTracking: 409 } })).toThrow('getTracking has no example');
  // @ts-expect-error the status has no such example
  expect(() => handlers({ responses: { getTracking: { status: 404, example: 'moon' } } })).toThrow(TypeError);
  expect(() => handlers({ responses: { getTrack: 404 } as object })).toThrow("unknown key 'getTrack'");
});
