import { type AccessRequest, type Client, createClient, type Event, type TrackingStatus } from '@waybill/client';
import { expect } from 'vitest';
import { type Block, openStream, testWithLongStreams as test } from '../../events/read-stream.ts';
import { newShipment, proofFor, type Shipment, upload } from '../../fixtures/shipments.ts';
import { newAccess } from './accesses.ts';

type Detail = NonNullable<AccessRequest['detail']>;

// What each detail shows, written by hand. What a person has written contains `secret`.
const time = expect.stringMatching(/Z$/);
const url = expect.stringMatching(/\/files\//);
const eta = '2030-01-01T00:00:00.000Z';
const place = { lat: 47.13, lng: -119.28, address: 'secret place: Moses Lake' };
const gate = { lat: 47.66, lng: -119.42, address: 'secret place: gate 4' };
const nextSteps = ['reschedule', 'return'];
const kind = { code: 'refused', severity: 'high', responsible_party: 'consignee', next_steps: nextSteps };
const raised = { description: 'secret text: two crates are wet', location: gate };
const resolution = 'secret text: repacked';
const equipment = { type: 'reefer', trailer_number: 'secret trailer' } as const;
const driver = { name: 'secret driver' };
const proof = { signed_by: 'secret person', location: { lat: 1, lng: 2 } };

/** Changes a shipment in every way that has an event, but its cancellation. Returns the responses. */
async function change(client: Client, { tracking_number }: Shipment) {
  const path = { tracking_number };
  const step = (status: 'dispatched' | 'picked_up' | 'in_transit', more = {}) =>
    client.recordTrackingEvent({ ...path, status, timestamp: new Date(), ...more });
  await step('dispatched');
  const carried = await client.updateTracking({ ...path, equipment, driver });
  const photos = [await upload({ client }, tracking_number, 'photo')];
  const occurred_at = new Date();
  const exception = await client.raiseException({ ...path, code: 'refused', occurred_at, eta, photos, ...raised });
  const end = { exception_id: exception.id, resolved_at: new Date(), resolution };
  const resolved = await client.resolveException({ ...path, ...end });
  await step('picked_up');
  const moved = await step('in_transit', { description: 'secret text: left Moses Lake', location: place });
  const delivery = { ...(await proofFor({ client }, tracking_number)), ...proof };
  return {
    carried,
    exception,
    resolved,
    moved,
    delivered: await client.submitProofOfDelivery({ ...path, ...delivery }),
  };
}

const typesOf = (blocks: Block[]): string[] =>
  blocks.flatMap(({ data }) => (data === undefined ? [] : (JSON.parse(data) as Event).type));

test.for<Detail>(['status', 'location', 'proof'])(
  'responses and events have what the detail %s shows',
  async (detail, { service, account }) => {
    const isLocated = detail !== 'status';
    const [shipment, other] = [await newShipment(account), await newShipment(account)];
    const { id: shipment_id, tracking_number } = shipment;
    const { token, id: access_id } = await newAccess(account, shipment, { detail });
    const client = createClient({ baseUrl: service.baseUrl, accessToken: token });
    const [{ id: lastEventId } = { id: '' }] = await account.events();
    await using stream = await openStream(service, { key: token }, { lastEventId });
    expect(await stream.next()).toEqual({ retry: expect.any(String) });
    await change(account.client, other);
    const written = await change(client, shipment);

    const found = { id: expect.any(String), access_id, shipment_status: 'dispatched', occurred_at: time, eta };
    const exception = { ...found, photo_count: 1, ...kind, ...(isLocated && raised) };
    const resolved = { ...exception, resolved_at: time, ...(isLocated && { resolution }) };
    const onTheWay = isLocated ? 'secret text: left Moses Lake' : 'On the way to the destination';
    const descriptions = ['Shipment created', 'Driver assigned', 'Picked up from the origin', onTheWay, 'Delivered'];
    const tracking = {
      ...{ tracking_number, eta, exceptions: [resolved] },
      current_location: isLocated ? { ...place, updated_at: time } : null,
    };
    const withTimeline = ({ timeline, ...rest }: TrackingStatus) => {
      expect(timeline.map(({ description }) => description)).toEqual(descriptions.slice(0, timeline.length));
      return rest;
    };
    const path = { tracking_number };
    const carried = { ...(isLocated && { equipment }), ...(detail === 'proof' && { driver }) };
    expect(written.carried).toEqual({ tracking_number, status: 'dispatched', ...carried });
    expect(written.exception).toEqual(exception);
    expect(written.resolved).toEqual(resolved);
    expect(withTimeline(written.moved)).toEqual({ ...tracking, status: 'in_transit' });
    // What the caller has sent itself.
    expect(written.delivered).toMatchObject({ ...proof, signature_url: url });

    expect(withTimeline(await client.getTracking(path))).toEqual({ ...tracking, status: 'delivered' });
    const withPhotos = { ...resolved, photos: detail === 'proof' ? [url] : [] };
    expect(await client.getException({ ...path, exception_id: written.exception.id })).toEqual(withPhotos);
    // Its scope shows the rest of the shipment.
    const { equipment: _, driver: __, ...rest } = await account.client.getShipment({ shipment_id });
    const seen = await client.getShipment({ shipment_id }).withResponse();
    expect(seen.data).toEqual({ ...rest, ...carried });
    // Otherwise conditional requests could try what it does not show.
    const { etag } = await account.client.getShipment({ shipment_id }).withResponse();
    if (detail !== 'proof') expect(seen.etag).not.toBe(etag);
    const refused = { status: 403, code: 'insufficient_scope' };
    const refusal = ({ status, code }: { status: number; code: string }) => ({ status, code });
    const positions = await client.listPositions(path).then(({ data }) => data, refusal);
    const located = [gate, place].map((each) => ({ ...each, updated_at: time }));
    expect(positions).toEqual(isLocated ? located : refused);
    const read = await client.getProofOfDelivery(path).catch(refusal);
    expect(read).toEqual(detail === 'proof' ? written.delivered : refused);

    await account.client.deleteAccess({ shipment_id, access_id });
    const blocks = await stream.rest();
    expect(typesOf(blocks)).toEqual([
      'tracking.status_reached',
      'shipment.updated',
      'tracking.exception_raised',
      ...(isLocated ? ['tracking.location_changed'] : []),
      'tracking.eta_changed',
      'tracking.exception_resolved',
      'tracking.status_reached',
      'tracking.status_reached',
      ...(isLocated ? ['tracking.location_changed'] : []),
      'tracking.status_reached',
      ...(detail === 'proof' ? ['proof_of_delivery.submitted'] : []),
    ]);
    expect(blocks.filter(({ id }) => id !== undefined)).toEqual([]);
    const text = JSON.stringify(blocks);
    expect(text).not.toContain(other.tracking_number);
    expect(/secret|\blat\b/.test(text)).toBe(isLocated);
    expect(/secret driver/.test(text)).toBe(detail === 'proof');
    expect(text).not.toMatch(/files\/|secret person/);
  },
);

test('the scopes tracking:read and shipments:read select the events of a stream', async ({ service, account }) => {
  const shipment = await newShipment(account);
  const path = { shipment_id: shipment.id };
  const open = async (...scopes: ('tracking:read' | 'shipments:read')[]) => {
    const { token, id: access_id } = await newAccess(account, shipment, { scopes: ['events:read', ...scopes] });
    const stream = await openStream(service, { key: token });
    await stream.next();
    return { token, stream, end: () => account.client.deleteAccess({ ...path, access_id }) };
  };
  const streams = [await open(), await open('tracking:read'), await open('shipments:read')];
  const opened = Promise.withResolvers<unknown>();
  const accessToken = streams[1]?.token ?? '';
  const client = createClient({ baseUrl: service.baseUrl, accessToken, onResponse: opened.resolve });
  const first = client.streamEvents().next();
  await opened.promise; // it begins with the next event
  const event = { tracking_number: shipment.tracking_number, status: 'dispatched', timestamp: new Date() } as const;
  await account.client.recordTrackingEvent(event);
  await account.client.cancelShipment({ ...path, reason: 'The consignee moved.' });
  expect((await first).value).toMatchObject({ type: 'tracking.status_reached' });
  await Promise.all(streams.map(({ end }) => end()));
  const types = await Promise.all(streams.map(async ({ stream }) => typesOf(await stream.rest())));
  expect(types).toEqual([[], ['tracking.status_reached'], ['shipment.cancelled']]);
});
