import { uuidFromPublicId } from '@waybill/server/database/identifiers';
import { selectNewestPositions } from '@waybill/server/tracking/positions';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { clock } from '../../fixtures/clock.ts';
import { positionsByStatus } from '../../fixtures/lifecycle.ts';
import { startOwnService } from '../../fixtures/own-database.ts';
import { inTransit, newShipment, proofFor, type Status, shipmentIn } from '../../fixtures/shipments.ts';
import { newAccount, type TestAccount, test } from '../../fixtures/test.ts';
import { at, newRoute, seconds, timestampAt } from './route.ts';

const eta = '2026-12-24T18:00:00.000Z';
const laterEta = '2026-12-25T18:00:00.000Z';

test('a repeated timestamp has the coordinates reported last', async ({ account }) => {
  const route = await newRoute(account);
  await route.record([at(1), at(2, { address: 'first' })]);
  const after = await route.record([at(2, { lat: 50, address: 'second' }), at(1, { lng: 1 })]);
  expect(after.current_location).toEqual({ ...at(2), lat: 50, address: 'second' });
  expect(await route.stored()).toEqual([{ ...at(1), lng: 1, address: null }, after.current_location]);
  expect((await route.record([at(2, { lat: 50 })])).current_location).toEqual({ ...at(2), lat: 50, address: null });
});

test('the last of equal timestamps in a batch is stored, whatever their offset', async ({ account }) => {
  const route = await newRoute(account);
  const local = `${new Date(Date.parse(timestampAt(5)) + 7_200_000).toISOString().slice(0, -1)}+02:00`;
  const batch = [at(1), at(5, { lat: 11 }), at(5, { lat: 12 }), at(5, { updated_at: local, lat: 13 })];
  const { current_location } = await route.record(batch);
  expect(current_location).toEqual({ ...at(5), lat: 13, address: null });
  expect(await route.stored()).toEqual([{ ...at(1), address: null }, current_location]);
});

test('a batch sent twice writes no row', async ({ service: { db }, account }) => {
  const route = await newRoute(account);
  const batch = [at(1), at(2), at(3, { address: 'Exit 34' })];
  const rows = () =>
    sql`select 'route', ctid::text, updated_at from positions where account_id = ${account.id}
        union all select 'current', ctid::text, updated_at from current_positions where account_id = ${account.id}
        order by 1, 3`.execute(db);
  const recorded = await route.record(batch, eta);
  const before = await rows();
  expect(before.rows).toHaveLength(4);
  expect(await route.record(batch, eta)).toEqual(recorded);
  expect((await rows()).rows).toEqual(before.rows);
});

test('the newest positions of a long route are its last ones, in order', async ({ service: { db }, account }) => {
  const route = await newRoute(account);
  await route.record([at(1), at(3), at(5), at(2), at(4)]);
  const key = { accountId: account.id, id: uuidFromPublicId('ship', route.shipment.id) };
  const newest = await selectNewestPositions(db, { ...key, route_since: new Date(timestampAt(0)) }, 3);
  expect(newest.map(({ lat }) => lat)).toEqual([0.003, 0.004, 0.005]);
});

test('three events within one second leave the current location at the last event', async ({ account }) => {
  const { tracking_number } = await newShipment(account);
  const path = { tracking_number };
  // The tutorial's clock has whole seconds.
  const timestamp = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
  const places = { dispatched: 45, picked_up: 46, in_transit: 47 } as const;
  for (const [status, lat] of Object.entries(places) as [keyof typeof places, number][]) {
    const body = { status, timestamp, location: { lat, lng: -122 } };
    await account.client.recordTrackingEvent({ ...path, ...body });
  }
  const { current_location } = await account.client.getTracking(path);
  expect(current_location).toMatchObject({ lat: 47, lng: -122 });
});

test("the location of an event is a position at the event's timestamp", async ({ account }) => {
  const route = await newRoute(account);
  await route.record([at(10)]);
  const timestamp = new Date().toISOString();
  const location = { lat: 0.4, lng: -122.4, address: 'Dock 4' };
  const body = { status: 'picked_up' as const, timestamp, location, eta };
  const data = await account.client.recordTrackingEvent({ ...route.path, ...body });
  expect(data).toMatchObject({ eta, current_location: { ...location, updated_at: timestamp } });
  expect((await route.stored()).at(-1)).toEqual({ ...location, updated_at: timestamp });
  expect((await route.record([at(20)], laterEta)).current_location?.updated_at).toBe(timestamp);
  expect((await route.tracking()).eta).toBe(eta);
});

test('an event without a location changes only eta', async ({ account }) => {
  const route = await newRoute(account);
  await route.record([at(10)]);
  const event = { status: 'picked_up' as const, timestamp: new Date().toISOString(), eta };
  const data = await account.client.recordTrackingEvent({ ...route.path, ...event });
  expect(data).toMatchObject({ eta, current_location: { updated_at: timestampAt(10) } });
});

test.for(Object.entries(positionsByStatus) as [Status, string][])(
  'positions of a shipment that is %s are %s',
  async ([status, effect], { account }) => {
    const { tracking_number } = await shipmentIn(account, status);
    const path = { tracking_number };
    const before = await account.client.getTracking(path);
    const events = async () => (await account.client.listEvents()).data;
    const earlier = (await events()).length;
    const recording = account.client.recordPositions({ ...path, positions: [at(1)], eta });
    const stored = async () => (await account.client.listPositions(path)).data;
    if (effect === 'refused') {
      const problem = { current_status: status };
      await expect(recording).rejects.toMatchObject({ status: 409, code: 'positions_not_accepted', problem });
      expect(await stored()).toEqual([]);
      expect(await account.client.getTracking(path)).toEqual(before);
      return;
    }
    await recording;
    expect(await stored()).toEqual([{ ...at(1), address: null }]);
    const moved = { ...before, eta, current_location: { ...at(1), address: null } };
    const isMoved = effect === 'stored as current location';
    expect(await account.client.getTracking(path)).toEqual(isMoved ? moved : before);
    expect((await events()).slice(earlier).map(({ type }) => type)).toEqual(
      isMoved ? ['tracking.location_changed', 'tracking.eta_changed'] : [],
    );
  },
);

test('listPositions returns every position once, oldest first, for every page size', async ({ account }) => {
  const route = await newRoute(account);
  const recorded = Array.from({ length: 13 }, (_, index) => (index * 5) % 13);
  await route.record(recorded.map((second) => at(second)));
  const inOrder = recorded.toSorted((a, b) => a - b);
  for (const limit of [1, 2, 12, 13, 14, 100]) expect(seconds(await route.stored(limit))).toEqual(inOrder);
});

test('a cursor with a timestamp that no date has causes no internal error', async ({ account }) => {
  const route = await newRoute(account);
  await route.record([at(1), at(2)]);
  const { listPositions } = account.client;
  const cursor = String((await listPositions({ ...route.path, limit: 1 })).next_cursor);
  for (const end of ['ffffffffffffffff', '7f7f7f7f7f7f7f7f', '8000000000000000']) {
    const bytes = Buffer.concat([Buffer.from(cursor, 'base64url').subarray(0, -8), Buffer.from(end, 'hex')]);
    const listing = listPositions({ ...route.path, cursor: bytes.toString('base64url') }).withResponse();
    const { status } = await listing.catch((error) => error);
    expect(status).toBeLessThan(500);
  }
});

const minute = 60_000;
const day = 1440 * minute;
const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();
/** The time in a problem's detail, in milliseconds before now. */
const ageIn = (detail = ''): number => Date.now() - Date.parse(/\d{4}-\S+Z/.exec(detail)?.[0] ?? '');

test.for([7, 90])('with POSITION_DAYS=%i an older position is refused alone', async (days) => {
  await using service = await startOwnService({ POSITION_DAYS: String(days) });
  const account = await newAccount(service);
  const route = await newRoute(account);
  const { forward } = clock(); // a position is late by one millisecond at least, also when the clock of the machine is set back
  const oldest = at(1, { updated_at: ago(days * day - 10 * minute) });
  const late = at(2, { updated_at: ago(days * day) });
  forward(1);
  const { accepted, refused = [] } = await send(account, route, [oldest, late, at(3)]);
  expect(accepted).toBe(2);
  expect(refused).toMatchObject([{ in: 'body', pointer: '/positions/1/updated_at', code: 'too_old' }]);
  const age = ageIn(refused[0]?.detail);
  expect(age, 'the earliest time').toBeGreaterThanOrEqual(days * day);
  expect(age, 'the earliest time').toBeLessThan(days * day + 10 * minute);
  expect((await route.stored()).map(({ lat }) => lat)).toEqual([oldest.lat, at(3).lat]);
});

test('a repeated report replays its response, also when its position has become too old', async ({ account }) => {
  const { forward } = clock();
  const route = await newRoute(account);
  const report = { ...route.path, positions: [at(1, { updated_at: ago(90 * day - 10 * minute) })] };
  const send = () => account.client.recordPositions(report, { idempotencyKey: 'report' });
  const first = await send();
  forward(20 * minute);
  expect(await send()).toEqual(first);
});

const send = (
  { client }: TestAccount,
  { path }: Awaited<ReturnType<typeof newRoute>>,
  positions: ReturnType<typeof at>[],
) => client.recordPositions({ ...path, positions });

const zero = { lat: 0, lng: 0 };

test('positions that cannot be true are refused alone, and those beside them are stored', async ({ account }) => {
  const route = await newRoute(account);
  const batch = [
    at(1),
    at(0, { updated_at: ago(-6 * minute) }),
    at(2, zero),
    at(3, { lat: 0, lng: -122 }),
    at(0, { updated_at: ago(1024 * 7 * day) }),
    at(4, { lat: -0, lng: 0 }),
    at(5, { lat: 47, lng: 0 }),
    at(0, { updated_at: ago(-4 * minute) }),
  ];
  const { accepted, refused } = await send(account, route, batch);
  expect(accepted).toBe(4);
  const detail = 'must not be at latitude 0 and longitude 0, which devices report without a fix';
  expect(refused).toEqual([
    {
      in: 'body',
      pointer: '/positions/1/updated_at',
      code: 'too_far_ahead',
      detail: 'must not be more than 5 minutes ahead of now',
    },
    { in: 'body', pointer: '/positions/2', code: 'zero_coordinates', detail },
    { in: 'body', pointer: '/positions/4/updated_at', code: 'too_old', detail: expect.stringContaining('90 days') },
    { in: 'body', pointer: '/positions/5', code: 'zero_coordinates', detail },
  ]);
  expect((await route.stored()).map(({ lat, lng }) => [lat, lng])).toEqual([
    [0.001, -122],
    [0, -122],
    [47, 0],
    [0, -122],
  ]);
});

test('a request whose positions are all refused returns 400 and stores nothing', async ({ account }) => {
  const route = await newRoute(account);
  const positions = [at(1, zero), at(2, { updated_at: ago(-6 * minute) })];
  await expect(send(account, route, positions)).rejects.toMatchObject({
    status: 400,
    code: 'invalid_request',
    errors: [
      { pointer: '/positions/0', code: 'zero_coordinates' },
      { pointer: '/positions/1/updated_at', code: 'too_far_ahead' },
    ],
  });
  expect(await route.stored()).toEqual([]);
});

test('a position that violates the schema refuses the whole request', async ({ account }) => {
  const route = await newRoute(account);
  const invalid = send(account, route, [at(1), at(2, { lat: 91 }), at(3, zero)]);
  await expect(invalid).rejects.toMatchObject({ status: 400, errors: [{ pointer: '/positions/1/lat' }] });
  expect(await route.stored()).toEqual([]);
});

test('an event, an exception and a proof at latitude 0 and longitude 0 are refused', async ({ account }) => {
  const { tracking_number } = await inTransit(account);
  const now = new Date().toISOString();
  const { client } = account;
  const errors = [{ in: 'body', pointer: '/location', code: 'zero_coordinates' }];
  const refused = { status: 400, code: 'invalid_request', errors };
  const proof = await proofFor(account, tracking_number);
  const exception = { code: 'traffic_delay', occurred_at: now, location: zero } as const;
  await expect(client.raiseException({ tracking_number, ...exception })).rejects.toMatchObject(refused);
  const submitted = client.submitProofOfDelivery({ tracking_number, ...proof, location: zero });
  await expect(submitted).rejects.toMatchObject(refused);
  const other = await newShipment(account);
  const event = { tracking_number: other.tracking_number, status: 'dispatched', timestamp: now } as const;
  await expect(client.recordTrackingEvent({ ...event, location: zero })).rejects.toMatchObject(refused);
  expect(await client.getTracking({ tracking_number })).toMatchObject({ status: 'in_transit' });
});

test('a batch of 100 positions that are too old returns 50 errors', async ({ account }) => {
  const route = await newRoute(account);
  const old = Array.from({ length: 100 }, (_, place) => at(0, { updated_at: ago(100 * day + place) }));
  const refused = await route.record(old).catch((error) => error);
  expect(refused.errors).toHaveLength(50);
});

test('an event older than POSITION_DAYS is refused if it has a location', async ({ service: { db }, account }) => {
  const { tracking_number } = await shipmentIn(account, 'dispatched');
  const path = { tracking_number };
  await sql`update tracking_events set occurred_at = now() - interval '101 days'
    where account_id = ${account.id}`.execute(db);
  const event = { status: 'picked_up', timestamp: ago(100 * day) } as const;
  const location = { lat: 47, lng: -122 };
  await expect(account.client.recordTrackingEvent({ ...path, ...event, location })).rejects.toMatchObject({
    status: 400,
    errors: [{ in: 'body', pointer: '/timestamp', code: 'too_old' }],
  });
  expect(await account.client.getTracking(path)).toMatchObject({ status: 'dispatched' });
  const data = await account.client.recordTrackingEvent({ ...path, ...event });
  expect(data).toMatchObject({ status: 'picked_up', current_location: null });
});
