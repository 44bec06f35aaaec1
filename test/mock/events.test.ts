import { createClient, type EventsParams, type WaybillEvent } from '@waybill/client';
import { startMock } from '@waybill/mock';
import { describe, expect, onTestFinished, test } from 'vitest';
import { shipmentRequest } from '../fixtures/shipments.ts';

async function start(stateful = false) {
  const mock = await startMock({ stateful });
  onTestFinished(() => mock.close());
  return createClient({ baseUrl: mock.url, apiKey: 'wbk_mock', maxRetries: 0 });
}

type Client = Awaited<ReturnType<typeof start>>;
const list = (client: Client, params?: EventsParams) => client.listEvents(params);

async function take(client: Client, count: number, query?: EventsParams): Promise<WaybillEvent[]> {
  const events: WaybillEvent[] = [];
  for await (const event of client.followEvents(query)) {
    events.push(event);
    if (events.length === count) break;
  }
  return events;
}

const [created, moved] = ['evt_01kjpx8p02e00800000000010h', 'evt_01kjtbdx4ye008000000000153'];
const location = { lat: 47.5, lng: -122.3 };
const eta = '2026-03-04T14:00:00.000Z';

describe.each([false, true])('with stateful: %s', (stateful) => {
  test('listEvents returns the events of the contract page by page, then none', async () => {
    const client = await start(stateful);
    const first = await list(client, { limit: 1 });
    expect(first).toMatchObject({ data: [{ id: created }], has_more: true, next_after: created });
    const second = await list(client, { limit: 1, after: created });
    expect(second).toMatchObject({ data: [{ id: moved }], has_more: false, next_after: moved });
    const end = { data: [], has_more: false, next_after: moved };
    expect(await list(client, { after: moved })).toEqual(end);
    expect(await list(client, { after: moved, wait: 30 })).toEqual(end);
  });

  test('types selects, and next_after is the last event of any type', async () => {
    const client = await start(stateful);
    expect(await list(client, { types: ['shipment.created', 'shipment.cancelled'] })).toMatchObject({
      data: [{ id: created }],
      has_more: false,
      next_after: moved,
    });
    expect(await list(client, { types: ['shipment.cancelled'] })).toEqual({
      data: [],
      has_more: false,
      next_after: moved,
    });
  });
});

test('without state, changes append no event, and there are none after an unknown one', async () => {
  const client = await start();
  await client.createShipment(shipmentRequest());
  const after = 'evt_01kjtbdx4ye008000000000999';
  expect(await list(client, { after })).toEqual({ data: [], has_more: false, next_after: after });
  expect((await list(client)).data).toHaveLength(2);
});

test('with state, each change appends its events', async () => {
  const client = await start(true);
  const shipment = await client.createShipment(shipmentRequest());
  const path = { tracking_number: shipment.tracking_number };
  const timestamp = new Date().toISOString();
  const dispatched = await client.recordTrackingEvent({ ...path, status: 'dispatched', timestamp, location, eta });
  const position = { ...location, lng: -121, updated_at: new Date(Date.now() + 1).toISOString() };
  await client.recordPositions({ ...path, positions: [position] });
  const positioned = await client.getTracking(path);
  await client.recordPositions({ ...path, positions: [position], eta }); // the same again
  await client.recordTrackingEvent({ ...path, status: 'picked_up', timestamp });
  await client.recordTrackingEvent({ ...path, status: 'in_transit', timestamp });
  const proof = { delivered_at: timestamp, signed_by: 'Owen', location, signature: 'upl_01kjwjfxt6fsytr0x9a1xe4sfc' };
  await client.submitProofOfDelivery({ ...path, ...proof });
  const delivered = await client.getTracking(path);

  const events = await take(client, 9, { after: moved });
  expect(events.map(({ type, data }) => [type, (data.tracking ?? data.tracking_change)?.status])).toEqual([
    ['shipment.created', undefined],
    ['tracking.status_reached', 'dispatched'],
    ['tracking.location_changed', 'dispatched'],
    ['tracking.eta_changed', 'dispatched'],
    ['tracking.location_changed', 'dispatched'],
    ['tracking.status_reached', 'picked_up'],
    ['tracking.status_reached', 'in_transit'],
    ['tracking.status_reached', 'delivered'],
    ['proof_of_delivery.submitted', 'delivered'],
  ]);
  // The resource as it was after the change.
  expect(events[0]?.data).toEqual({ shipment });
  const { timeline: _, ...change } = dispatched;
  expect(events[3]?.data).toEqual({ tracking_change: { shipment_id: shipment.id, ...change } });
  const { current_location } = positioned;
  expect(events[4]?.data).toMatchObject({ tracking_change: { current_location } });
  expect(events[8]?.data).toEqual({ tracking: delivered });
  expect((await list(client, { after: events[8]?.id })).data).toEqual([]);
});

test('with state, a cancellation is an event, and a refused or repeated request is none', async () => {
  const client = await start(true);
  const create = () => client.createShipment(shipmentRequest(), { idempotencyKey: 'once' });
  const shipment = await create();
  await create();
  const path = { tracking_number: shipment.tracking_number };
  const late = { status: 'in_transit', timestamp: new Date() } as const;
  await expect(client.recordTrackingEvent({ ...path, ...late })).rejects.toMatchObject({ code: 'invalid_transition' });
  const cancelled = await client.cancelShipment({ shipment_id: shipment.id, reason: 'No truck.' });
  const { data } = await list(client, { after: moved });
  expect(data.map(({ type }) => type)).toEqual(['shipment.created', 'shipment.cancelled']);
  expect(data[1]?.data).toEqual({ shipment: cancelled });
});

test('with state, the newest 1000 events are stored, and a removed one returns events_expired', async () => {
  const client = await start(true);
  for (let count = 0; count < 999; count++) await client.createShipment(shipmentRequest());
  expect((await list(client, { limit: 1 })).data).toMatchObject([{ id: moved }]);
  expect(await take(client, 999, { after: moved, limit: 100 })).toHaveLength(999);
  await expect(list(client, { after: created })).rejects.toMatchObject({ status: 410, code: 'events_expired' });
});

test('with state, the position of another mock returns events_expired', async () => {
  const client = await start(true);
  const after = 'evt_01kjtbdx4ye008000000000999';
  await expect(client.followEvents({ after }).next()).rejects.toMatchObject({ code: 'events_expired' });
});
