import { createClient, type KnownExceptionCode } from '@waybill/client';
import { expect } from 'vitest';
import { png } from '../../fixtures/images.ts';
import { type Status, shipmentIn, upload } from '../../fixtures/shipments.ts';
import { test } from '../../fixtures/test.ts';

const now = (): string => new Date().toISOString();
const ago = (milliseconds: number): string => new Date(Date.now() - milliseconds).toISOString();

const moving: Status[] = ['dispatched', 'picked_up', 'in_transit'];
const loaded: Status[] = [...moving, 'delivered'];

/** Of each code: severity, who has to act, what may happen next, and the statuses in which it can be raised. */
const codes: Record<KnownExceptionCode, [severity: string, party: string, steps: string[], statuses: Status[]]> = {
  weather_delay: ['low', 'nobody', ['wait'], moving],
  traffic_delay: ['low', 'nobody', ['wait'], moving],
  breakdown: ['medium', 'carrier', ['wait'], moving],
  facility_delay: ['low', 'consignee', ['wait'], moving],
  appointment_missed: ['medium', 'carrier', ['reschedule'], moving],
  nobody_there: ['medium', 'consignee', ['reschedule', 'return'], moving],
  refused: ['high', 'consignee', ['reschedule', 'return'], moving],
  address_wrong: ['high', 'shipper', ['correct_address', 'return'], moving],
  closed: ['medium', 'consignee', ['reschedule'], moving],
  damaged: ['high', 'carrier', ['claim'], loaded],
  short: ['high', 'carrier', ['claim'], loaded],
  customs_hold: ['high', 'shipper', ['wait'], moving],
  lost: ['high', 'carrier', ['claim'], moving],
};
const statuses: Status[] = ['scheduled', ...loaded, 'cancelled'];

test.for(statuses)(
  'a shipment that is %s accepts the exceptions of its status',
  async (status, { account: { client } }) => {
    const { tracking_number } = await shipmentIn({ client }, status);
    for (const [code, [severity, responsible_party, next_steps, accepting]] of Object.entries(codes)) {
      const raised = client.raiseException({ tracking_number, code: code as KnownExceptionCode, occurred_at: now() });
      if (accepting.includes(status)) {
        const expected = { code, severity, responsible_party, next_steps, shipment_status: status, photo_count: 0 };
        expect(await raised).toMatchObject(expected);
      } else {
        const problem = { status: 409, code: 'exception_not_accepted', problem: { current_status: status } };
        await expect(raised, code).rejects.toMatchObject(problem);
      }
    }
  },
);

test('an exception has what was sent, keeps the status, and moves the shipment', async ({
  account: { client, events },
}) => {
  const { id, tracking_number } = await shipmentIn({ client }, 'in_transit');
  const before = await client.getTracking({ tracking_number });
  const sent = {
    code: 'refused',
    occurred_at: now(),
    description: 'Two crates are wet.',
    location: { lat: 47.66, lng: -117.42, address: '77 Foundry Street' },
  } as const;
  const eta = '2030-01-01T00:00:00.000Z';
  const photos = [await upload({ client }, tracking_number, 'photo')];
  const earlier = (await events()).length;
  const exception = await client.raiseException({ tracking_number, ...sent, eta, photos });
  expect(exception).toMatchObject({ ...sent, eta, photo_count: 1 });
  expect(exception).not.toHaveProperty('resolved_at');

  const { exceptions, current_location, ...rest } = await client.getTracking({ tracking_number });
  expect(exceptions).toEqual([exception]);
  expect(current_location).toEqual({ ...sent.location, updated_at: sent.occurred_at });
  expect(rest).toEqual({ tracking_number, status: 'in_transit', eta, timeline: before.timeline });
  const change = { shipment_id: id, tracking_number, status: 'in_transit' };
  expect((await events()).slice(earlier).map(({ type, data }) => [type, data])).toEqual([
    ['tracking.exception_raised', { exception_change: { ...change, exception } }],
    ['tracking.location_changed', { tracking_change: { ...change, eta, current_location } }],
    ['tracking.eta_changed', { tracking_change: { ...change, eta, current_location } }],
  ]);
});

test('an exception is resolved once, and not before it happened', async ({ account: { client, events } }) => {
  const { id, tracking_number } = await shipmentIn({ client }, 'in_transit');
  const occurred_at = ago(60_000);
  const before = new Date(Date.parse(occurred_at) - 1);
  const raise = (code: KnownExceptionCode) => client.raiseException({ tracking_number, code, occurred_at });
  const [first, second] = [await raise('nobody_there'), await raise('damaged')];
  const path = { tracking_number, exception_id: first.id };
  await expect(client.resolveException({ ...path, resolved_at: before })).rejects.toMatchObject({
    code: 'invalid_request',
    problem: { errors: [{ in: 'body', pointer: '/resolved_at', code: 'out_of_order' }] },
  });
  const earlier = (await events()).length;
  const end = { resolved_at: now(), resolution: 'Delivered at the second attempt' };
  const resolved = await client.resolveException({ ...path, ...end });
  expect(resolved).toEqual({ ...first, ...end });
  await expect(client.resolveException({ ...path, ...end })).rejects.toMatchObject({ code: 'exception_resolved' });
  // Open ones first.
  expect((await client.getTracking({ tracking_number })).exceptions).toEqual([second, resolved]);
  expect(await client.getException(path)).toEqual({ ...resolved, photos: [] });
  const change = { shipment_id: id, tracking_number, status: 'in_transit', exception: resolved };
  expect((await events()).slice(earlier).map(({ type, data }) => [type, data])).toEqual([
    ['tracking.exception_resolved', { exception_change: change }],
  ]);

  const withException = async () => (await client.listShipments({ has_exception: true })).data.map((each) => each.id);
  expect(await withException()).toEqual([id]);
  await client.resolveException({ tracking_number, exception_id: second.id, resolved_at: now() });
  expect(await withException()).toEqual([]);
});

test('the event of an exception has the status of the shipment at that time', async ({
  account: { client, events },
}) => {
  const shipment = await shipmentIn({ client }, 'dispatched');
  const { tracking_number } = shipment;
  const { id: exception_id } = await client.raiseException({ tracking_number, code: 'closed', occurred_at: now() });
  await client.recordTrackingEvent({ tracking_number, status: 'picked_up', timestamp: now() });
  const earlier = (await events()).length;
  await client.resolveException({ tracking_number, exception_id, resolved_at: now() });
  expect((await events()).slice(earlier)).toMatchObject([
    { data: { exception_change: { status: 'picked_up', exception: { shipment_status: 'dispatched' } } } },
  ]);
});

test('damage that is found after the delivery has photos, by a key and by a token', async ({
  account: { client },
  service: { baseUrl },
}) => {
  const { id: shipment_id, tracking_number } = await shipmentIn({ client }, 'delivered');
  const { token } = await client.createAccess({ shipment_id, scopes: ['tracking:read', 'tracking:write'] });
  for (const caller of [client, createClient({ baseUrl, accessToken: token })]) {
    const photos = [await upload({ client: caller }, tracking_number, 'photo')];
    const damage = { tracking_number, code: 'damaged', occurred_at: now(), photos } as const;
    expect(await caller.raiseException(damage)).toMatchObject({ shipment_status: 'delivered', photo_count: 1 });
  }
});

test('the photos of an exception are verified, unused photos of its shipment', async ({ account: { client } }) => {
  const { tracking_number } = await shipmentIn({ client }, 'in_transit');
  const photo = await upload({ client }, tracking_number, 'photo');
  const raise = (...photos: string[]) =>
    client.raiseException({ tracking_number, code: 'damaged', occurred_at: now(), photos });
  const other = await shipmentIn({ client }, 'in_transit');
  for (const wrong of [
    await upload({ client }, tracking_number, 'signature'),
    await upload({ client }, other.tracking_number, 'photo'),
  ]) {
    const problem = { errors: [{ pointer: '/photos/1', code: 'unknown_upload' }] };
    await expect(raise(photo, wrong)).rejects.toMatchObject({ code: 'unknown_upload', problem });
  }
  const { id } = await raise(photo);
  await expect(raise(photo)).rejects.toMatchObject({ code: 'unknown_upload' });
  const { photos } = await client.getException({ tracking_number, exception_id: id });
  const response = await fetch(photos[0] ?? '');
  expect(response.headers.get('content-type')).toBe('image/png');
  expect((await response.arrayBuffer()).byteLength).toBeGreaterThanOrEqual(png().length);
});

test('an exception of another shipment does not exist', async ({ account: { client } }) => {
  const [first, second] = [await shipmentIn({ client }, 'in_transit'), await shipmentIn({ client }, 'in_transit')];
  const { id } = await client.raiseException({ ...pathOf(first), code: 'closed', occurred_at: now() });
  const path = { ...pathOf(second), exception_id: id };
  const missing = { code: 'not_found', problem: { detail: `There is no exception \`${id}\`.` } };
  await expect(client.getException(path)).rejects.toMatchObject(missing);
  await expect(client.resolveException({ ...path, resolved_at: now() })).rejects.toMatchObject(missing);
});

test('a shipment has at most 50 exceptions', async ({ account: { client } }) => {
  const path = pathOf(await shipmentIn({ client }, 'dispatched'));
  const raise = () => client.raiseException({ ...path, code: 'traffic_delay', occurred_at: now() });
  await Promise.all(Array.from({ length: 50 }, raise));
  await expect(raise()).rejects.toMatchObject({ status: 409, code: 'exception_limit_reached' });
  expect((await client.getTracking(path)).exceptions).toHaveLength(50);
});

test('with a location, an exception older than the positions is refused', async ({ account: { client } }) => {
  const path = pathOf(await shipmentIn({ client }, 'dispatched'));
  const occurred_at = ago(91 * 86_400_000);
  await client.raiseException({ ...path, code: 'closed', occurred_at });
  const located = client.raiseException({ ...path, code: 'closed', occurred_at, location: { lat: 1, lng: 2 } });
  await expect(located).rejects.toMatchObject({
    problem: { errors: [{ pointer: '/occurred_at', code: 'too_old' }] },
  });
});

const pathOf = ({ tracking_number }: { tracking_number: string }) => ({ tracking_number });
