import type { ShipmentRequest } from '@waybill/client';
import { sequenceNumbers } from '@waybill/server/shipments/tracking-numbers';
import { expect } from 'vitest';
import { completed } from '../../contract/coverage/complete.ts';
import { concurrently } from '../../fixtures/concurrently.ts';
import { operationOf, type Schema } from '../../fixtures/contract.ts';
import { holdShipment } from '../../fixtures/locks.ts';
import { post } from '../../fixtures/post.ts';
import {
  inTransit,
  newShipment,
  proofFor,
  type Shipment,
  shipmentIn,
  shipmentRequest,
} from '../../fixtures/shipments.ts';
import { newAccount, type TestAccount, test } from '../../fixtures/test.ts';

const create = async ({ client }: TestAccount, reference: string) =>
  await client.createShipment({ ...shipmentRequest(), reference });
const list = async ({ client }: TestAccount, query: object) =>
  (await client.listShipments(query)).data.map(({ id }) => id);

test('createShipment returns 409 with the id of the shipment that has the reference', async ({ service, account }) => {
  const { id } = await create(account, 'PO-1');
  expect((await create(account, 'po-1')).reference).toBe('po-1');
  expect((await create(await newAccount(service), 'PO-1')).reference).toBe('PO-1');
  await account.client.cancelShipment({ shipment_id: id, reason: 'The consignee moved.' });
  const problem = { shipment_id: (await create(account, 'PO-1')).id };
  await expect(create(account, 'PO-1')).rejects.toMatchObject({ status: 409, code: 'reference_taken', problem });
  expect(await list(account, { reference: 'PO-1', status: 'cancelled' })).toEqual([id]);
});

test('the reference of a delivered shipment stays taken', async ({ account }) => {
  await shipmentIn(account, 'delivered', { reference: 'PO-1' });
  await expect(create(account, 'PO-1')).rejects.toMatchObject({ code: 'reference_taken' });
});

test('one of 20 concurrent creates with one reference succeeds, the others name it', async ({ service, account }) => {
  const body = { ...shipmentRequest(), reference: 'PO-1' };
  const responses = await concurrently(20, () => post(service, account, { path: '/shipments', body }));
  const [created = expect.unreachable(), ...refused] = responses.toSorted((a, b) => a.status - b.status);
  expect(created.status).toBe(201);
  const problem = { code: 'reference_taken', shipment_id: (created.body as Shipment).id };
  for (const { status, body } of refused) expect({ status, body }).toMatchObject({ status: 409, body: problem });
});

test('listShipments matches the reference exactly', async ({ account }) => {
  await newShipment(account);
  const { id } = await create(account, 'PO 1/ä%_');
  await create(account, 'PO 1/äXX');
  expect(await list(account, { reference: 'PO 1/ä%_' })).toEqual([id]);
  expect(await list(account, { reference: 'PO 1' })).toEqual([]);
});

test('a cancellation concurrent with the dispatch follows it or changes nothing', async ({ service, account }) => {
  const { id, tracking_number } = await newShipment(account);
  await using held = await holdShipment(service.db, account, tracking_number);
  const timestamp = new Date().toISOString();
  const dispatch = post(service, account, {
    path: `/tracking/${tracking_number}/events`,
    body: { status: 'dispatched', timestamp },
  });
  await held.waiting(1);
  const cancellation = post(service, account, { path: `/shipments/${id}/cancel`, body: { reason: 'Too late?' } });
  await held.waiting(2);
  await held.release();
  expect((await dispatch).status).toBe(201);
  const { status, body } = await cancellation;
  const shipment = await account.client.getShipment({ shipment_id: id });
  const { timeline } = await account.client.getTracking({ tracking_number });
  const statuses = timeline.map((entry) => entry.status);
  const isCancelled = status === 200;
  if (isCancelled) expect(body).toEqual(shipment);
  else expect({ status, body }).toMatchObject({ status: 409, body: { current_status: 'dispatched' } });
  expect(shipment.cancellation_reason).toBe(isCancelled ? 'Too late?' : undefined);
  expect(shipment.status).toBe(isCancelled ? 'cancelled' : 'dispatched');
  expect(statuses).toEqual(['scheduled', 'dispatched', ...(isCancelled ? ['cancelled'] : [])]);
});

test('getShipment returns every field that createShipment accepts', async ({ account }) => {
  const { bodySchema } = operationOf('createShipment');
  const request = completed(bodySchema as Schema, {
    ...shipmentRequest(),
    delivery_window: { start: '2026-03-03T08:00:00-08:00', end: '2026-03-03T17:00:00-08:00' },
    reference: 'every field',
  }) as ShipmentRequest;
  const { id } = await account.client.createShipment(request);
  const { pickup_window, delivery_window, ...fields } = request;
  const shipment = await account.client.getShipment({ shipment_id: id });
  expect(shipment, 'Return the field in shipmentFrom of packages/server/src/shipments/queries.ts.').toMatchObject(
    fields,
  );
  const times = [shipment.pickup_window, shipment.delivery_window].flatMap((window) => [window?.start, window?.end]);
  expect(times.map((time) => Date.parse(`${time}`))).toEqual(
    [pickup_window, delivery_window].flatMap((window) =>
      [window?.start, window?.end].map((time) => Date.parse(`${time}`)),
    ),
  );
});

test.for<[items: { pieces: number; weight_kg: number }[], totals: { pieces: number; weight_kg: number }]>([
  [
    [
      { pieces: 3, weight_kg: 0.1 },
      { pieces: 4, weight_kg: 0.2 },
    ],
    { pieces: 7, weight_kg: 0.3 },
  ],
  [[{ pieces: 1, weight_kg: 0.0014 }], { pieces: 1, weight_kg: 0.001 }],
  [[{ pieces: 100_000, weight_kg: 100_000 }], { pieces: 100_000, weight_kg: 100_000 }],
])('the totals of %j are %j', async ([items, totals], { account }) => {
  const described = items.map((item) => ({ ...item, description: 'Tiles' }));
  const created = await account.client.createShipment({ ...shipmentRequest(), items: described });
  expect(created.totals).toEqual(totals);
  expect(await account.client.getShipment({ shipment_id: created.id })).toEqual(created);
});

test('numbers of a block are returned once, also while the next block is fetched', async ({ service }) => {
  const next = sequenceNumbers(service.db);
  const numbers: number[] = [];
  await concurrently(8, async () => {
    for (let count = 0; count < 200; count++) numbers.push(await next());
  });
  expect(new Set(numbers).size).toBe(1600);
});

/** Requests of which each would succeed alone, and what then shows which of them did: in its response and in the state. */
interface Race {
  shipment: Shipment;
  requests: (() => Promise<object>)[];
  read(): Promise<object>;
}

const racers: Record<string, (account: TestAccount) => Promise<Race>> = {
  async 'events with different descriptions'({ client }) {
    const shipment = await newShipment({ client });
    const path = { tracking_number: shipment.tracking_number };
    const timestamp = new Date().toISOString();
    const bodies = Array.from({ length: 20 }, (_, n) => ({
      status: 'dispatched' as const,
      timestamp,
      description: `Driver ${n}`,
    }));
    const requests = bodies.map((body) => () => client.recordTrackingEvent({ ...path, ...body }));
    return { shipment, requests, read: () => client.getTracking(path) };
  },
  async 'cancellations with different reasons'({ client }) {
    const shipment = await newShipment({ client });
    const path = { shipment_id: shipment.id };
    const reasons = Array.from({ length: 20 }, (_, n) => `Reason ${n}`);
    const requests = reasons.map((reason) => () => client.cancelShipment({ ...path, reason }));
    return { shipment, requests, read: () => client.getShipment(path) };
  },
  async 'proofs with different files'({ client }) {
    const shipment = await inTransit({ client });
    const path = { tracking_number: shipment.tracking_number };
    const bodies = await concurrently(10, () => proofFor({ client }, shipment.tracking_number));
    const requests = bodies.map((body) => () => client.submitProofOfDelivery({ ...path, ...body }));
    return { shipment, requests, read: () => client.getProofOfDelivery(path) };
  },
};

test.for(Object.keys(racers))('one of several concurrent %s succeeds and is stored', async (name, { account }) => {
  const { shipment, requests, read } = (await racers[name]?.(account)) ?? expect.unreachable();
  const path = { tracking_number: shipment.tracking_number };
  const { timeline } = await account.client.getTracking(path);
  const results = await Promise.allSettled(requests.map((send) => send()));
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.status] : []));
  expect(failures).toEqual(requests.slice(1).map(() => 409));
  const [succeeded] = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  expect(await read()).toEqual(succeeded);
  const after = await account.client.getTracking(path);
  expect(after.timeline).toHaveLength(timeline.length + 1);
});
