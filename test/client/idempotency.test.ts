import { createClient } from '@waybill/client';
import { expect } from 'vitest';
import { newShipment, shipmentRequest } from '../fixtures/shipments.ts';
import { test } from '../fixtures/test.ts';

const body = shipmentRequest();

test('a call sends the Idempotency-Key of the caller, and its result indicates a replay', async ({
  account: { client },
}) => {
  const idempotencyKey = crypto.randomUUID();
  const first = await client.createShipment(body, { idempotencyKey }).withResponse();
  const again = await client.createShipment(body, { idempotencyKey }).withResponse();
  expect([first.replayed, again.replayed]).toEqual([false, true]);
  expect(again.data).toEqual(first.data);
});

test('createShipment creates one shipment although two responses are lost', async ({ service, account }) => {
  let lost = 2;
  const client = createClient({
    baseUrl: service.baseUrl,
    apiKey: account.key,
    fetch: async (request) => {
      const response = await fetch(request);
      if (lost-- > 0) throw new TypeError('the connection broke');
      return response;
    },
  });
  const { data, replayed } = await client.createShipment(body).withResponse();
  expect(replayed).toBe(true);
  expect((await account.client.listShipments()).data).toEqual([data]);
});

test('an error indicates a replay', async ({ account: { client } }) => {
  const { id } = await newShipment({ client });
  const cancel = { shipment_id: id, reason: 'No truck.' };
  await client.cancelShipment(cancel);
  const idempotencyKey = crypto.randomUUID();
  const attempt = () => client.cancelShipment(cancel, { idempotencyKey }).catch((error) => error);
  expect(await attempt()).toMatchObject({ code: 'invalid_transition', replayed: false });
  expect(await attempt()).toMatchObject({ code: 'invalid_transition', replayed: true });
});

test('a conditional read returns 304 until the shipment changes', async ({ account: { client } }) => {
  const { tracking_number } = await newShipment({ client });
  const path = { tracking_number };
  const { etag } = await client.getTracking(path).withResponse();
  expect(etag).toMatch(/^"/);
  const same = await client.getTracking(path, { ifNoneMatch: etag }).withResponse();
  expect(same).toMatchObject({ status: 304, data: undefined, etag });
  // @ts-expect-error a 304 has no data
  expect(() => same.data.status).toThrow(TypeError);
  expect(await client.getTracking(path, { ifNoneMatch: etag })).toBeUndefined();

  await client.recordTrackingEvent({ ...path, status: 'dispatched', timestamp: new Date() });
  const changed = await client.getTracking(path, { ifNoneMatch: etag }).withResponse();
  expect(changed).toMatchObject({ status: 200, data: { status: 'dispatched' } });
});

test('listPositions iterates over every position, oldest first', async ({ account: { client } }) => {
  const { tracking_number } = await newShipment({ client });
  const path = { tracking_number };
  await client.recordTrackingEvent({ ...path, status: 'dispatched', timestamp: new Date().toISOString() });
  const at = (seconds: number) => new Date(Date.now() - 60_000 + seconds * 1000).toISOString();
  const positions = [3, 1, 2, 5, 4].map((lat) => ({ lat, lng: 0, updated_at: at(lat) }));
  await client.recordPositions({ ...path, positions });
  const route: number[] = [];
  for await (const { lat } of client.listPositions({ ...path, limit: 2 })) route.push(lat);
  expect(route).toEqual([1, 2, 3, 4, 5]);
});
