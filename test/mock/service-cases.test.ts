import { createClient } from '@waybill/client';
import { startMock } from '@waybill/mock';
import { describe, expect, onTestFinished } from 'vitest';
import { operationOf } from '../fixtures/contract.ts';
import { type Problem, receive, send } from '../fixtures/http.ts';
import { proofFor, shipmentIn, shipmentRequest, upload } from '../fixtures/shipments.ts';
import { type TestAccount, test } from '../fixtures/test.ts';

/** What a front end can rely on: the same cases for the service and for the mock that stands in for it. */
const targets = {
  'the service': async (baseUrl: string, { key }: TestAccount) => ({ baseUrl, key }),
  'the mock with state': async () => {
    const mock = await startMock({ stateful: true });
    onTestFinished(() => mock.close());
    return { baseUrl: mock.url, key: 'wbk_mock' };
  },
};

describe.each(Object.entries(targets))('%s', (_name, start) => {
  const open = async (baseUrl: string, account: TestAccount) => {
    const target = await start(baseUrl, account);
    const client = createClient({ baseUrl: target.baseUrl, apiKey: target.key, maxRetries: 0 });
    const reference = `PO-${crypto.randomUUID()}`;
    return {
      client,
      reference,
      create: async () => client.createShipment({ ...shipmentRequest(), reference }),
      /** Creates a shipment with a key of the request and an id of its own. */
      post: async (id: string, body: object) => {
        const headers = { 'idempotency-key': reference, 'x-request-id': id };
        return receive(await send(target.baseUrl, operationOf('createShipment'), { key: target.key, headers, body }));
      },
    };
  };

  test('a reference is taken until its shipment is cancelled', async ({ service, account }) => {
    const { client, create, reference } = await open(service.baseUrl, account);
    const { id } = await create();
    await expect(create()).rejects.toMatchObject({ code: 'reference_taken', problem: { shipment_id: id } });
    await client.cancelShipment({ shipment_id: id, reason: 'Ordered twice.' });
    const next = await create();
    expect(next.id).not.toBe(id);
    const { data } = await client.listShipments({ reference });
    expect(data.map((shipment) => [shipment.id, shipment.status])).toEqual([
      [next.id, 'scheduled'],
      [id, 'cancelled'],
    ]);
  });

  test('a replayed response has the id of its own request', async ({ service, account }) => {
    const { create, post, reference } = await open(service.baseUrl, account);
    await create();
    const body = { ...shipmentRequest(), reference };
    const [first, second] = [await post('first', body), await post('second', body)];
    for (const [id, response] of Object.entries({ first, second })) {
      expect(response).toMatchObject({ status: 409, code: 'reference_taken' });
      expect([response.headers.get('x-request-id'), (response.body as Problem).request_id]).toEqual([id, id]);
    }
    expect([first, second].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true']);
  });

  test('from_date includes its time and excludes earlier ones, and to_date excludes its time', async ({
    service,
    account,
  }) => {
    const { client, create, reference } = await open(service.baseUrl, account);
    const { created_at } = await create();
    const at = (milliseconds: number): string => new Date(Date.parse(created_at) + milliseconds).toISOString();
    const day = created_at.slice(0, 10);
    for (const [query, count] of [
      [{ from_date: created_at }, 1],
      [{ from_date: at(1) }, 0],
      [{ to_date: at(1) }, 1],
      [{ to_date: created_at }, 0],
      [{ from_date: created_at, to_date: at(1) }, 1],
      [{ from_date: day, to_date: day }, 1],
      [{ from_date: at(86_400_000).slice(0, 10) }, 0],
      [{ to_date: at(-86_400_000).slice(0, 10) }, 0],
    ] as const) {
      const { data } = await client.listShipments({ reference, ...query });
      expect([query, data.length]).toEqual([query, count]);
    }
  });

  test('a proof has both of its photos, and refuses a photo twice', async ({ service, account }) => {
    const { client } = await open(service.baseUrl, account);
    const { tracking_number } = await shipmentIn({ client }, 'in_transit');
    const path = { tracking_number };
    const proof = await proofFor({ client }, tracking_number);
    const photos = [await upload({ client }, tracking_number, 'photo'), ...(proof.photos ?? [])];
    const twice = client.submitProofOfDelivery({ ...path, ...proof, photos: [...photos, ...photos] });
    await expect(twice).rejects.toMatchObject({ code: 'invalid_request' });
    const submitted = await client.submitProofOfDelivery({ ...path, ...proof, photos });
    const read = await client.getProofOfDelivery(path);
    for (const { photos: urls } of [submitted, read]) {
      expect(new Set(urls).size).toBe(2);
      for (const url of urls) expect((await fetch(url)).status).toBe(200);
    }
  });

  test('of positions with the same timestamp the last one is the current location', async ({ service, account }) => {
    const { client } = await open(service.baseUrl, account);
    const { tracking_number } = await shipmentIn({ client }, 'dispatched');
    const path = { tracking_number };
    const updated_at = new Date().toISOString();
    const earlier = new Date(Date.now() - 60_000).toISOString();
    for (const position of [
      { lat: 1, lng: 1, updated_at },
      { lat: 2, lng: 2, updated_at },
      { lat: 3, lng: 3, updated_at: earlier },
    ]) {
      await client.recordPositions({ ...path, positions: [position] });
    }
    expect((await client.getTracking(path)).current_location).toMatchObject({ lat: 2, lng: 2, updated_at });
    const { data } = await client.listPositions(path);
    expect(data.map(({ lat }) => lat)).toEqual([3, 2]);
  });
});
