import type { TrackingStatus } from '@waybill/client';
import { expect } from 'vitest';
import { post } from '../fixtures/post.ts';
import { newShipment, proofFor, shipmentIn, shipmentRequest } from '../fixtures/shipments.ts';
import { type TestAccount, test } from '../fixtures/test.ts';

const events = async ({ client }: TestAccount) => (await client.listEvents()).data;
const typesOf = async (account: TestAccount) => (await events(account)).map(({ type }) => type);
const now = () => new Date().toISOString();
const later = () => new Date(Date.now() + 86_400_000).toISOString();

/** The data of an event about the location or the arrival of a shipment. */
const changeOf = (shipment_id: string, { timeline: _, ...rest }: TrackingStatus) => ({
  tracking_change: { shipment_id, ...rest },
});

test('each change of a shipment is an event with the resource after the change', async ({ account }) => {
  const { client } = account;
  const shipment = await newShipment(account);
  const path = { tracking_number: shipment.tracking_number };
  const location = { lat: 47.5, lng: -122.3 };
  const dispatched = await client.recordTrackingEvent({
    ...path,
    status: 'dispatched',
    timestamp: now(),
    location,
    eta: later(),
  });
  const pickedUp = await client.recordTrackingEvent({ ...path, status: 'picked_up', timestamp: now() });
  const position = { lat: 47.6, lng: -121, updated_at: now() };
  await client.recordPositions({ ...path, positions: [position] });
  const moved = await client.getTracking(path);
  const delayed = await client.recordTrackingEvent({ ...path, status: 'in_transit', timestamp: now(), eta: later() });
  await client.submitProofOfDelivery({ ...path, ...(await proofFor(account, shipment.tracking_number)) });
  const delivered = await client.getTracking(path);
  expect((await events(account)).map(({ type, data }) => ({ type, data }))).toEqual([
    { type: 'shipment.created', data: { shipment } },
    { type: 'tracking.status_reached', data: { tracking: dispatched } },
    { type: 'tracking.location_changed', data: changeOf(shipment.id, dispatched) },
    { type: 'tracking.eta_changed', data: changeOf(shipment.id, dispatched) },
    { type: 'tracking.status_reached', data: { tracking: pickedUp } },
    { type: 'tracking.location_changed', data: changeOf(shipment.id, moved) },
    { type: 'tracking.status_reached', data: { tracking: delayed } },
    { type: 'tracking.eta_changed', data: changeOf(shipment.id, delayed) },
    { type: 'tracking.status_reached', data: { tracking: delivered } },
    { type: 'proof_of_delivery.submitted', data: { tracking: delivered } },
  ]);
});

test('a cancellation is an event with the shipment', async ({ account }) => {
  const { id } = await newShipment(account);
  const data = await account.client.cancelShipment({ shipment_id: id, reason: 'Not needed.' });
  expect((await events(account)).at(-1)).toMatchObject({ type: 'shipment.cancelled', data: { shipment: data } });
});

test('what changes nothing is no event', async ({ service, account }) => {
  const { client } = account;
  const { tracking_number } = await shipmentIn(account, 'dispatched');
  const path = { tracking_number };
  const position = { lat: 1, lng: 2, updated_at: now() };
  const earlier = { lat: 3, lng: 4, updated_at: new Date(Date.now() - 60_000).toISOString() };
  const eta = later();
  await client.recordPositions({ ...path, positions: [position], eta });
  const before = await typesOf(account);
  expect(before.slice(2)).toEqual(['tracking.location_changed', 'tracking.eta_changed']);

  await client.recordPositions({ ...path, positions: [position], eta }); // the same again
  await client.recordPositions({ ...path, positions: [earlier], eta: now() }); // late
  await client.createProofUpload({
    ...path,
    kind: 'photo',
    content_type: 'image/png',
    size: 1,
    sha256: 'a'.repeat(64),
  });
  const skipped = { status: 'in_transit', timestamp: now(), eta: later() } as const;
  await expect(client.recordTrackingEvent({ ...path, ...skipped })).rejects.toMatchObject({ status: 409 });
  const nonexistent = { tracking_number: 'FRT-2026-999999' };
  const lost = client.recordPositions({ ...nonexistent, positions: [position] });
  await expect(lost).rejects.toMatchObject({ status: 404 });
  expect(await typesOf(account)).toEqual(before);

  const created = { path: '/shipments', body: shipmentRequest(), key: 'once' };
  for (let time = 0; time < 2; time++) expect((await post(service, account, created)).status).toBe(201);
  expect(await typesOf(account)).toEqual([...before, 'shipment.created']);
});

test('positions after the delivery are no event', async ({ account }) => {
  const { tracking_number } = await shipmentIn(account, 'delivered');
  const before = await typesOf(account);
  const positions = [{ lat: 1, lng: 2, updated_at: now() }];
  await account.client.recordPositions({ tracking_number, positions, eta: later() });
  expect(await typesOf(account)).toEqual(before);
});
