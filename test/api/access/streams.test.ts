import { type AccessRequest, createClient, type Event } from '@waybill/client';
import { expect } from 'vitest';
import { type Block, openStream, testWithLongStreams } from '../../events/read-stream.ts';
import { newShipment, proofFor, type Shipment } from '../../fixtures/shipments.ts';
import type { TestAccount } from '../../fixtures/test.ts';
import { newAccess } from './accesses.ts';

const test = testWithLongStreams;

type Scopes = NonNullable<AccessRequest['scopes']>;
const tracking: Scopes = ['events:read', 'tracking:read'];
const place = { lat: 47.13, lng: -119.28, address: 'Moses Lake' };

/** Changes a shipment in every way that has an event, but its cancellation. */
async function change({ client }: Pick<TestAccount, 'client'>, { tracking_number }: Shipment): Promise<void> {
  const at = { tracking_number, timestamp: new Date() };
  await client.recordTrackingEvent({ ...at, status: 'dispatched', description: 'secret', location: place });
  await client.recordPositions({
    tracking_number,
    positions: [{ ...place, updated_at: new Date() }],
    eta: '2030-01-01T00:00:00Z',
  });
  const { id: exception_id } = await client.raiseException({
    tracking_number,
    code: 'refused',
    occurred_at: '2026-01-01T00:00:00Z',
    description: 'secret',
  });
  await client.resolveException({ tracking_number, exception_id, resolved_at: new Date(), resolution: 'secret' });
  for (const status of ['picked_up', 'in_transit'] as const)
    await client.recordTrackingEvent({ tracking_number, status, timestamp: new Date() });
  await client.submitProofOfDelivery({ tracking_number, ...(await proofFor({ client }, tracking_number)) });
}

const eventsOf = (blocks: Block[]): Event[] =>
  blocks.flatMap(({ data }) => (data === undefined ? [] : JSON.parse(data)));

const withLocations = [
  'tracking.status_reached',
  'tracking.location_changed',
  'tracking.location_changed',
  'tracking.eta_changed',
  'tracking.exception_raised',
  'tracking.exception_resolved',
  'tracking.status_reached',
  'tracking.status_reached',
  'tracking.status_reached',
];
/** The types that the stream of an access has, written by hand. */
const shown = {
  status: withLocations.filter((type) => type !== 'tracking.location_changed'),
  location: withLocations,
  proof: [...withLocations, 'proof_of_delivery.submitted'],
};

test.for(Object.entries(shown) as [keyof typeof shown, string[]][])(
  'the stream of an access of the detail %s has the events of its shipment, as far as it shows them, and no id',
  async ([detail, types], { service, account }) => {
    const [shipment, other] = [await newShipment(account), await newShipment(account)];
    const { token, id } = await newAccess(account, shipment, { scopes: tracking, detail });
    const [{ id: oldest } = { id: '' }] = (await account.client.listEvents()).data;
    await using stream = await openStream(service, { key: token }, { lastEventId: oldest });
    expect(await stream.next()).toEqual({ retry: expect.any(String) });
    await change(account, other);
    await change(account, shipment);
    await account.client.deleteAccess({ shipment_id: shipment.id, access_id: id });
    const blocks = await stream.rest();
    const events = eventsOf(blocks);
    expect(events.map(({ type }) => type)).toEqual(types);
    expect(blocks.filter((block) => block.id !== undefined)).toEqual([]);
    const text = JSON.stringify(events);
    expect(text).not.toContain(other.tracking_number);
    if (detail === 'status') expect(text).not.toMatch(/secret|Moses|"lat":47/);
    else expect(text).toMatch(/secret/);
  },
);

test('the scopes tracking:read and shipments:read select the events of a stream', async ({ service, account }) => {
  const shipment = await newShipment(account);
  const path = { shipment_id: shipment.id };
  const open = async (scopes: Scopes) => {
    const { token, id: access_id } = await newAccess(account, shipment, { scopes });
    const stream = await openStream(service, { key: token });
    await stream.next();
    return { stream, end: () => account.client.deleteAccess({ ...path, access_id }) };
  };
  const streams = [await open(['events:read']), await open(tracking), await open(['events:read', 'shipments:read'])];
  const at = { tracking_number: shipment.tracking_number, timestamp: new Date() };
  await account.client.recordTrackingEvent({ ...at, status: 'dispatched' });
  await account.client.cancelShipment({ ...path, reason: 'The consignee moved.' });
  await Promise.all(streams.map(({ end }) => end()));
  const types = await Promise.all(
    streams.map(async ({ stream }) => eventsOf(await stream.rest()).map(({ type }) => type)),
  );
  expect(types).toEqual([[], ['tracking.status_reached'], ['shipment.cancelled']]);
});

test('the client streams the events of an access', async ({ service, account }) => {
  const { tracking_number, ...shipment } = await newShipment(account);
  const accessToken = (await newAccess(account, shipment, { scopes: tracking })).token;
  const opened = Promise.withResolvers<unknown>();
  const client = createClient({ baseUrl: service.baseUrl, accessToken, onResponse: opened.resolve });
  const stream = client.streamEvents();
  const first = stream.next();
  await opened.promise; // it begins with the next event
  await account.client.recordTrackingEvent({ tracking_number, status: 'dispatched', timestamp: new Date() });
  expect((await first).value).toMatchObject({ type: 'tracking.status_reached' });
  await stream.return();
});
