import { expect } from 'vitest';
import { post } from '../fixtures/post.ts';
import { newShipment, proofFor, shipmentRequest } from '../fixtures/shipments.ts';
import { test } from '../fixtures/test.ts';

test('each change appends its events', async ({ account: { client, events } }) => {
  const shipment = await newShipment({ client });
  const { id: shipment_id, tracking_number } = shipment;
  const timestamp = new Date().toISOString();
  const location = { lat: 47.5, lng: -122.3 };
  const eta = '2027-03-04T14:00:00.000Z';
  const dispatched = await client.recordTrackingEvent({
    tracking_number,
    status: 'dispatched',
    timestamp,
    location,
    eta,
  });
  const position = { ...location, lng: -121, updated_at: new Date(Date.now() + 1).toISOString() };
  await client.recordPositions({ tracking_number, positions: [position] });
  await client.recordPositions({ tracking_number, positions: [position], eta }); // the same again
  for (const status of ['picked_up', 'in_transit'] as const) {
    await client.recordTrackingEvent({ tracking_number, status, timestamp });
  }
  const proof = await proofFor({ client }, tracking_number);
  await client.submitProofOfDelivery({ tracking_number, ...proof, delivered_at: timestamp });
  const found = await events();
  expect(found.map(({ type, data }) => [type, (data.tracking ?? data.tracking_change)?.status])).toEqual([
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
  const { timeline: _, ...change } = dispatched;
  const current_location = { ...position, address: null };
  const delivered = await client.getTracking({ tracking_number });
  expect([0, 1, 2, 3, 4, 7, 8].map((index) => found[index]?.data)).toEqual([
    { shipment },
    { tracking: dispatched },
    { tracking_change: { shipment_id, ...change } },
    { tracking_change: { shipment_id, ...change } },
    { tracking_change: { shipment_id, ...change, current_location } },
    { tracking: delivered },
    { tracking: delivered },
  ]);
});

test('a refused or repeated request appends no event', async ({ service, account }) => {
  const { client, events } = account;
  const create = () => post(service, account, { path: '/shipments', body: shipmentRequest(), key: 'k' });
  const { body } = await create();
  await create();
  const { id: shipment_id, tracking_number } = body as { id: string; tracking_number: string };
  const late = client.recordTrackingEvent({ tracking_number, status: 'in_transit', timestamp: new Date() });
  await expect(late).rejects.toMatchObject({ code: 'invalid_transition' });
  const shipment = await client.cancelShipment({ shipment_id, reason: 'No truck.' });
  const found = await events();
  expect(found.map(({ type }) => type)).toEqual(['shipment.created', 'shipment.cancelled']);
  expect(found[1]?.data).toEqual({ shipment });
  expect(shipment).toMatchObject({ status: 'cancelled', cancellation_reason: 'No truck.' });
});
