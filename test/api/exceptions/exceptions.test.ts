import { type Client, createClient, type KnownExceptionCode } from '@waybill/client';
import { expect } from 'vitest';
import { inTransit, proofFor, record, type Status, shipmentIn, upload } from '../../fixtures/shipments.ts';
import { test } from '../../fixtures/test.ts';

const now = (): string => new Date().toISOString();

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
  over: ['medium', 'carrier', ['return'], loaded],
  customs_hold: ['high', 'shipper', ['wait'], moving],
  lost: ['high', 'carrier', ['claim'], moving],
};

test.for<Status>(['scheduled', ...loaded, 'cancelled'])(
  'a shipment that is %s accepts the exceptions of its status',
  async (status, { account: { client } }) => {
    const { tracking_number } = await shipmentIn({ client }, status);
    for (const [code, [severity, responsible_party, next_steps, accepting]] of Object.entries(codes)) {
      const raised = client.raiseException({ tracking_number, code: code as KnownExceptionCode, occurred_at: now() });
      const expected = { code, severity, responsible_party, next_steps, shipment_status: status, photo_count: 0 };
      if (accepting.includes(status)) expect(await raised).toMatchObject(expected);
      else await expect(raised, code).rejects.toMatchObject({ status: 409, code: 'exception_not_accepted' });
    }
  },
);

test('an exception has what was sent, moves the shipment and is resolved once', async ({
  account: { client, events },
}) => {
  const { id: shipment_id, tracking_number } = await shipmentIn({ client }, 'dispatched');
  const path = { tracking_number };
  const last = async (count: number) => (await events()).slice(-count).map(({ type, data }) => [type, data]);
  const { timeline } = await client.getTracking(path);
  const location = { lat: 47.66, lng: -117.42, address: '77 Foundry Street' };
  const sent = { code: 'refused', occurred_at: now(), description: 'Two crates are wet.', location } as const;
  const eta = '2030-01-01T00:00:00.000Z';
  const photos = [await upload({ client }, tracking_number, 'photo')];
  const first = await client.raiseException({ ...path, ...sent, eta, photos });
  expect(first).toMatchObject({ ...sent, eta, photo_count: 1, shipment_status: 'dispatched' });
  expect(first).not.toHaveProperty('resolved_at');
  const current_location = { ...location, updated_at: sent.occurred_at };
  const tracking = { ...path, status: 'dispatched', eta, timeline, exceptions: [first], current_location };
  expect(await client.getTracking(path)).toEqual(tracking);
  const change = { ...path, shipment_id, status: 'dispatched' };
  expect(await last(4)).toEqual([
    ['tracking.status_reached', expect.anything()],
    ['tracking.exception_raised', { exception_change: { ...change, exception: first } }],
    ['tracking.location_changed', { tracking_change: { ...change, eta, current_location } }],
    ['tracking.eta_changed', { tracking_change: { ...change, eta, current_location } }],
  ]);

  const second = await client.raiseException({ ...path, code: 'damaged', occurred_at: now() });
  await client.recordTrackingEvent({ ...path, status: 'picked_up', timestamp: now() });
  const of = { ...path, exception_id: first.id };
  const errors = [{ in: 'body', pointer: '/resolved_at', code: 'out_of_order' }];
  const before = new Date(Date.parse(sent.occurred_at) - 1);
  await expect(client.resolveException({ ...of, resolved_at: before })).rejects.toMatchObject({ errors });
  const end = { resolved_at: now(), resolution: 'Delivered at the second attempt' };
  const resolved = await client.resolveException({ ...of, ...end });
  expect(resolved).toEqual({ ...first, ...end });
  expect(await last(2)).toEqual([
    ['tracking.status_reached', expect.anything()],
    ['tracking.exception_resolved', { exception_change: { ...change, status: 'picked_up', exception: resolved } }],
  ]);
  await expect(client.resolveException({ ...of, ...end })).rejects.toMatchObject({ code: 'exception_resolved' });
  // Open ones first.
  expect((await client.getTracking(path)).exceptions).toEqual([second, resolved]);
  const withException = async () => (await client.listShipments({ has_exception: true })).data.map(({ id }) => id);
  expect(await withException()).toEqual([shipment_id]);
  await client.resolveException({ ...path, exception_id: second.id, resolved_at: now() });
  expect(await withException()).toEqual([]);
});

test('an exception has verified, unused photos of its shipment, also after delivery', async ({
  account: { client },
}) => {
  const [shipment, other] = [await inTransit({ client }), await inTransit({ client })];
  const { tracking_number } = shipment;
  const unusable = [
    await upload({ client }, tracking_number, 'signature'),
    await upload({ client }, other.tracking_number, 'photo'),
  ];
  await record({ client }, shipment, 'delivered');
  const photo = await upload({ client }, tracking_number, 'photo');
  const raise = (...photos: string[]) =>
    client.raiseException({ tracking_number, code: 'damaged', occurred_at: now(), photos });
  const refused = (pointer: string) => ({ code: 'unknown_upload', errors: [{ pointer, code: 'unknown_upload' }] });
  for (const id of unusable) await expect(raise(photo, id)).rejects.toMatchObject(refused('/photos/1'));
  const { id: exception_id } = await raise(photo);
  await expect(raise(photo)).rejects.toMatchObject(refused('/photos/0'));
  const { photos, ...exception } = await client.getException({ tracking_number, exception_id });
  expect(exception).toMatchObject({ shipment_status: 'delivered', photo_count: 1 });
  const { status, headers } = await fetch(photos[0] ?? '');
  expect([photos.length, status, headers.get('content-type')]).toEqual([1, 200, 'image/png']);
});

test('an exception is voided by who raised it and by keys, as long as its shipment has not ended', async ({
  account,
  service: { baseUrl },
}) => {
  const { client, events } = account;
  const shipment = await inTransit(account);
  const { tracking_number, id: shipment_id } = shipment;
  const path = { tracking_number };
  const links = await Promise.all([1, 2].map(() => client.createAccess({ shipment_id, kind: 'drive' })));
  const [driver, other] = links.map(({ token }) => createClient({ accessToken: token, baseUrl })) as [Client, Client];
  const raise = (who: Client, code: KnownExceptionCode = 'refused') =>
    who.raiseException({ ...path, code, occurred_at: now() });
  const reason = 'Wrong shipment';
  const attempt = (who: Client, exception_id: string) => who.voidException({ ...path, exception_id, reason });
  const refused = { status: 409, code: 'exception_void_not_allowed', current_status: 'in_transit' };
  const codes = async () => (await client.getTracking(path)).exceptions?.map(({ code }) => code);

  const tapped = await raise(driver);
  const { access_id, ...visible } = tapped;
  expect([access_id, (await other.getTracking(path)).exceptions]).toEqual([links[0]?.id, [visible]]);
  await expect(attempt(other, tapped.id)).rejects.toMatchObject(refused);
  const voided = await attempt(driver, tapped.id);
  expect(voided).toEqual({ ...tapped, voided_at: voided.voided_at, void_reason: reason });
  const { data, type } = (await events()).at(-1) ?? {};
  expect([type, data?.exception_change?.exception]).toEqual(['tracking.exception_voided', voided]);
  // It no longer counts, and only keys know it.
  expect([await codes(), (await client.listShipments({ has_exception: true })).data]).toEqual([undefined, []]);
  const ofTapped = { ...path, exception_id: tapped.id };
  expect(await client.getException(ofTapped)).toEqual({ ...voided, photos: [] });
  await expect(driver.getException(ofTapped)).rejects.toMatchObject({ status: 404 });
  await expect(attempt(driver, tapped.id)).rejects.toMatchObject({ status: 404 });
  await expect(attempt(client, tapped.id)).rejects.toMatchObject(refused);
  const resolution = { ...ofTapped, resolved_at: now() };
  await expect(client.resolveException(resolution)).rejects.toMatchObject({ code: 'exception_resolved' });

  // Also a resolved one, and by a key that of a driver.
  const { id: exception_id } = await raise(driver);
  await driver.resolveException({ ...path, exception_id, resolved_at: now() });
  await attempt(client, exception_id);
  const byKey = await raise(client);
  expect(byKey).not.toHaveProperty('access_id');
  await expect(attempt(driver, byKey.id)).rejects.toMatchObject(refused);

  // What an end has resolved is open again without it.
  await driver.recordTrackingEvent({ ...path, status: 'returned', timestamp: now() });
  await expect(attempt(client, byKey.id)).rejects.toMatchObject({ ...refused, current_status: 'returned' });
  const event_id = (await client.getTracking(path)).timeline.at(-1)?.id ?? '';
  const { exceptions } = await client.voidTrackingEvent({ ...path, event_id, reason });
  expect(exceptions).toEqual([byKey]);
  const told = (await events()).slice(-2).map((each) => each.type);
  expect(told).toEqual(['tracking.event_voided', 'tracking.exception_raised']);
  expect((await client.listShipments({ has_exception: true })).data).toHaveLength(1);

  // After the end, only what was raised after it; a damage stays open until it is resolved.
  const damage = await raise(driver, 'damaged');
  await client.submitProofOfDelivery({ ...path, ...(await proofFor(account, tracking_number)) });
  for (const who of [driver, client])
    await expect(attempt(who, damage.id)).rejects.toMatchObject({ ...refused, current_status: 'delivered' });
  await attempt(driver, (await raise(driver, 'short')).id);
  await client.resolveException({ ...path, exception_id: damage.id, resolved_at: now() });
  expect(await codes()).toEqual(['refused', 'damaged']);
});
