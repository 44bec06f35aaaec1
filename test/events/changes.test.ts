import { expect } from 'vitest';
import { newShipment, proofFor } from '../fixtures/shipments.ts';
import { test } from '../fixtures/test.ts';

test('each change appends its events, and a refused request none', async ({ account: { client, events } }) => {
  const created = await newShipment({ client });
  const cancelled = await client.cancelShipment({ shipment_id: created.id, reason: 'No truck.' });
  const shipment = await newShipment({ client });
  const { id: shipment_id, tracking_number } = shipment;
  const timestamp = new Date().toISOString();
  const location = { lat: 47.5, lng: -122.3 };
  const eta = '2027-03-04T14:00:00.000Z';
  const record = (status: 'dispatched' | 'picked_up' | 'in_transit', more = {}) =>
    client.recordTrackingEvent({ tracking_number, status, timestamp, ...more });
  await expect(record('in_transit')).rejects.toMatchObject({ code: 'invalid_transition' });
  const dispatched = await record('dispatched', { location, eta });
  const position = { ...location, lng: -121, updated_at: new Date(Date.now() + 1).toISOString() };
  await client.recordPositions({ tracking_number, positions: [position] });
  await client.recordPositions({ tracking_number, positions: [position], eta }); // the same again
  await record('picked_up');
  const inTransit = await record('in_transit');
  const proof = await proofFor({ client }, tracking_number);
  await client.submitProofOfDelivery({ tracking_number, ...proof, delivered_at: timestamp });
  // The resource as it was after the change.
  const { timeline: _, ...change } = dispatched;
  const current_location = { ...position, address: null };
  const delivered = await client.getTracking({ tracking_number });
  expect((await events()).map(({ type, data }) => [type, data])).toEqual([
    ['shipment.created', { shipment: created }],
    ['shipment.cancelled', { shipment: cancelled }],
    ['shipment.created', { shipment }],
    ['tracking.status_reached', { tracking: dispatched }],
    ['tracking.location_changed', { tracking_change: { shipment_id, ...change } }],
    ['tracking.eta_changed', { tracking_change: { shipment_id, ...change } }],
    ['tracking.location_changed', { tracking_change: { shipment_id, ...change, current_location } }],
    ['tracking.status_reached', { tracking: expect.objectContaining({ status: 'picked_up' }) }],
    ['tracking.status_reached', { tracking: inTransit }],
    ['tracking.status_reached', { tracking: delivered }],
    ['proof_of_delivery.submitted', { tracking: delivered }],
  ]);
});
