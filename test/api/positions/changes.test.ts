import type { PositionsRequest, TrackingEventRequest } from '@waybill/client';
import { expect } from 'vitest';
import { positionsByStatus } from '../../fixtures/contract/lifecycle.ts';
import { newShipment, proofFor, type Status, shipmentIn, shipmentRequest } from '../../fixtures/shipments.ts';
import { type TestAccount, test } from '../../fixtures/test.ts';
import { at, newRoute, secondOf, timestampAt } from './route.ts';

type Report = Partial<PositionsRequest>;
type EventStatus = TrackingEventRequest['status'];
type Place = { lat: number; lng: number };

const [eta, otherEta] = ['2026-12-24T18:00:00.000Z', '2026-12-25T18:00:00.000Z'];
const [location, arrival] = ['tracking.location_changed', 'tracking.eta_changed'];
const known: Report = { positions: [at(10, { lat: 0.5, address: 'Exit 34' })], eta };
const same = { lat: 0.5, address: 'Exit 34' };
/** A report of these positions, and perhaps with another estimated arrival. */
const report = (...positions: PositionsRequest['positions']): Report => ({ positions });
const withOtherEta = (...positions: PositionsRequest['positions']): Report => ({ positions, eta: otherEta });
const shuffled = withOtherEta(at(3), at(12, { lat: 0.1 }), at(12, { lat: 0.2 }), at(4));

/** What a report changes: before, the report, the second and latitude of the current location, eta, the events. */
type After = (number | string | undefined)[];
const cases: [what: string, before: Report | undefined, report: Report, After, events: string[]][] = [
  ['a first position with eta', undefined, { ...report(at(1)), eta }, [1, 0.001, eta], [location, arrival]],
  ['a first position', undefined, report(at(1)), [1, 0.001, undefined], [location]],
  ['a newer position', known, report(at(11)), [11, 0.011, eta], [location]],
  ['the current position again', known, { ...report(at(10, same)), eta }, [10, 0.5, eta], []],
  ['another eta', known, withOtherEta(at(10, same)), [10, 0.5, otherEta], [arrival]],
  ['another latitude', known, report(at(10, { ...same, lat: 0.6 })), [10, 0.6, eta], [location]],
  ['a late position with eta', known, withOtherEta(at(9)), [10, 0.5, eta], []],
  ['positions in any order with eta', known, shuffled, [12, 0.2, otherEta], [location, arrival]],
  // 1,200 km/h from a known position, and 100 km more: 900 km in 2,400 s.
  ['a jump', known, report(at(2410, { lat: 8.7 })), [10, 0.5, eta], []],
  ['a jump with eta', known, withOtherEta(at(11, { lat: 47 })), [10, 0.5, otherEta], [arrival]],
  ['a flight', known, report(at(2410, { lat: 8.5 })), [2410, 8.5, eta], [location]],
  ['a jump after others', known, report(at(11), at(12), at(13, { lat: 47 })), [12, 0.012, eta], [location]],
  ['a jump between others', known, report(at(11), at(12, { lat: 47 }), at(13)), [13, 0.013, eta], [location]],
  ['two elsewhere', known, report(at(11, same), at(12, { lat: 47 }), at(13, { lat: 47.1 })), [10, 0.5, eta], []],
];

const typesOf = (events: { type: string }[]) => events.map(({ type }) => type);

test.for(cases)('%s is applied', async ([, before, given, after, events], { account }) => {
  const { client } = account;
  const { tracking_number } = await shipmentIn(account, 'dispatched');
  const record = ({ positions = [], ...more }: Report) =>
    client.recordPositions({ tracking_number, positions, ...more });
  if (before) await record(before);
  const earlier = await account.events();
  expect(await record(given)).toEqual({ accepted: given.positions?.length });
  expect(typesOf(await account.events()).slice(earlier.length)).toEqual(events);
  const { current_location: place, eta: estimated } = await client.getTracking({ tracking_number });
  expect([place ? secondOf(place) : undefined, place?.lat, estimated ?? undefined]).toEqual(after);
});

/** The latitudes of reports one after the other, and that of the current location after each. */
test.for<[what: string, reported: number[], current: number[], repeated?: true]>([
  ['a wrong first one gives way to three', [30, 10, 60, 10.1, 10.2, 10.3, 60], [30, 30, 30, 30, 30, 10.3, 10.3]],
  ['two in a row elsewhere are errors', [10, 10.1, 60, 60.1, 10.2], [10, 10.1, 10.1, 10.1, 10.2]],
  ['two after a single one are errors, too', [10, 60, 60.1, 10.1], [10, 10, 10, 10.1]],
  ['more than before are the truth', [10, 10.1, 60, 60.1, 60.2, 60.3], [10, 10.1, 10.1, 10.1, 60.2, 60.3]],
  ['the same jump again is one', [10, 60, 60, 60, 60, 60], [10, 10, 10, 10, 10, 10], true],
])('of positions far apart, %s', async ([, reported, current, repeated], { account }) => {
  const route = await newRoute(account);
  const found = [];
  for (const [second, lat] of reported.entries())
    found.push((await route.record([at(repeated ? Math.min(second, 1) : second, { lat })])).current_location?.lat);
  expect(found).toEqual(current);
});

test.for<[what: string, error: (lat: number, lng: number) => Place]>([
  ['the sign of the latitude turned', (lat, lng) => ({ lat: -lat, lng })],
  ['both signs turned', (lat, lng) => ({ lat: -lat, lng: -lng })],
  ['its coordinates exchanged', (lat, lng) => ({ lat: lng, lng: lat })],
  ['its coordinates exchanged and a sign turned', (lat, lng) => ({ lat: -lng, lng: lat })],
  ['no fix', () => ({ lat: 0.001, lng: 0 })],
])('a truck is where it was while its device reports %s', async ([, error], { account }) => {
  const route = await newRoute(account);
  const truck = (n: number): [number, number] => [47.5 + n / 100, 19.04];
  const move = ([lat, lng]: [number, number]) => ({ lat, lng });
  await route.record([0, 1, 2, 3].map((n) => at(n, move(truck(n)))));
  for (let n = 4; n < 24; n++)
    expect((await route.record([at(n, error(...truck(n)))])).current_location).toMatchObject(move(truck(3)));
  // Also several in one report, and the route goes on.
  await route.record([30, 31].map((n) => at(n, error(...truck(n)))));
  expect((await route.record([at(40, move(truck(40)))])).current_location).toMatchObject(move(truck(40)));
});

test.for(Object.entries(positionsByStatus) as [Status, string][])(
  'positions of a shipment that is %s are %s',
  async ([status, effect], { account }) => {
    const { recordPositions, getTracking, listPositions } = account.client;
    const shipment = await shipmentIn(account, status);
    const path = { tracking_number: shipment.tracking_number };
    const before = await getTracking(path);
    const earlier = await account.events();
    const recording = recordPositions({ ...path, positions: [at(1)], eta });
    const refused = { status: 409, code: 'positions_not_accepted', problem: { current_status: status } };
    if (effect === 'refused') await expect(recording).rejects.toMatchObject(refused);
    else await recording;
    const place = { ...at(1), address: null };
    expect((await listPositions(path)).data).toEqual(effect === 'refused' ? [] : [place]);
    const isMoved = effect === 'stored as current location';
    expect(await getTracking(path)).toEqual({ ...before, ...(isMoved && { eta, current_location: place }) });
    const types = isMoved ? [location, arrival] : [];
    expect(typesOf(await account.events()).slice(earlier.length)).toEqual(types);
  },
);

test('the location of an event is a position at its timestamp; without one only eta changes', async ({ account }) => {
  const route = await newRoute(account);
  await route.record([at(10)]);
  // The clocks of some callers have whole seconds: of equal timestamps the last event wins.
  const timestamp = new Date().toISOString().replace(/\.\d+Z$/, '.000Z');
  const record = (status: 'picked_up' | 'in_transit', more: object) =>
    account.client.recordTrackingEvent({ ...route.path, status, timestamp, ...more });
  expect(await record('picked_up', { eta })).toMatchObject({ eta, current_location: { updated_at: timestampAt(10) } });
  const place = { lat: 0.4, lng: -122.4, address: 'Dock 4' };
  const moved = { ...place, updated_at: timestamp };
  expect(await record('in_transit', { location: place })).toMatchObject({ eta, current_location: moved });
  expect((await route.stored()).at(-1)).toEqual(moved);
  expect(await route.record([at(20)], otherEta)).toMatchObject({ eta, current_location: moved });
});

const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
const [place, otherPlace] = [47.2, 47.3].map((lat) => ({ lat, lng: -122.4 })) as [Place, Place];

test.for<Status>(['delivered', 'returned', 'lost', 'cancelled'])(
  'what was before a shipment was %s is history, and what is later is refused',
  async (status, { account: { client } }) => {
    const { id, tracking_number } = await client.createShipment(shipmentRequest());
    const path = { tracking_number };
    const step = (name: string, timestamp: string, more = {}) =>
      client.recordTrackingEvent({ ...path, status: name as EventStatus, timestamp, ...more });
    if (status === 'cancelled') await client.cancelShipment({ shipment_id: id, reason: 'The order was cancelled.' });
    else {
      await step('picked_up', ago(60));
      await step(status, ago(30));
    }
    const { timeline, current_location } = await client.getTracking(path);
    const end = timeline.find((entry) => entry.status === status)?.timestamp ?? '';
    const [before, after] = [-1, 1].map((ms) => new Date(Date.parse(end) + ms).toISOString()) as [string, string];
    const problem = { status: 409, problem: { current_status: status } };
    const later = step('dispatched', after, { location: place });
    await expect(later).rejects.toMatchObject({ ...problem, code: 'invalid_transition' });
    expect((await client.getTracking(path)).timeline).toEqual(timeline);
    await step('dispatched', end, { location: place });

    const positionAt = (updated_at: string) => ({ ...place, updated_at });
    const refused = { ...problem, code: 'positions_not_accepted' };
    const record = (...times: string[]) => client.recordPositions({ ...path, positions: times.map(positionAt) });
    await expect(record(after)).rejects.toMatchObject(refused);
    if (status === 'cancelled') await expect(record(before)).rejects.toMatchObject(refused);
    else await record(before, after);
    if (status === 'delivered')
      // the damage is found elsewhere
      await client.raiseException({ ...path, code: 'damaged', occurred_at: after, location: place });
    const stored = (await client.listPositions(path)).data.map(({ updated_at }) => updated_at);
    expect(stored).toEqual([before]); // also of the step, which was before the end of the same time
    expect((await client.getTracking(path)).current_location).toEqual(current_location);
  },
);

const [noon, later] = ['2030-01-01T12:00:00.000Z', '2030-01-01T13:00:00.000Z'];

/** What a shipment has as current, by what was reported, corrected and changed: [eta, latitude]. */
async function reported(account: TestAccount) {
  const { client } = account;
  const shipment = await newShipment(account, { carrier: { name: 'Old Carrier', scac: 'OLDC' } });
  const path = { tracking_number: shipment.tracking_number };
  return {
    step: (status: EventStatus, minutes: number, more = {}) =>
      client.recordTrackingEvent({ ...path, status, timestamp: ago(minutes), ...more }),
    move: (minutes: number, where: Place, eta?: string | null) =>
      client.recordPositions({ ...path, positions: [{ ...where, updated_at: ago(minutes) }], eta }),
    raise: (minutes: number, more = {}) =>
      client.raiseException({ ...path, code: 'breakdown', occurred_at: ago(minutes), ...more }),
    voidStep: async (status: EventStatus) => {
      const { timeline } = await client.getTracking(path);
      const entry = timeline.find((each) => each.status === status && !each.voided_at);
      await client.voidTrackingEvent({ ...path, event_id: entry?.id ?? '', reason: 'Wrong' });
    },
    voidException: (exception_id: string) => client.voidException({ ...path, exception_id, reason: 'Wrong' }),
    carrier: (carrier: { name: string; scac?: string } | null) =>
      client.updateShipment({ shipment_id: shipment.id, carrier }),
    current: async () => {
      const { eta, current_location } = await client.getTracking(path);
      return [eta, current_location?.lat ?? null];
    },
  };
}
type Act = (shipment: Awaited<ReturnType<typeof reported>>) => Promise<unknown>;

test.for<[what: string, act: Act, current: (string | number | null)[]]>([
  ['its only step is voided', (s) => s.voidStep('dispatched'), [null, null]],
  ['it gets another carrier', (s) => s.carrier({ name: 'New Carrier', scac: 'NEWC' }), [null, null]],
  ['its carrier is removed', (s) => s.carrier(null), [null, null]],
  ['the name of its carrier is corrected', (s) => s.carrier({ name: 'Old Carriers', scac: 'OLDC' }), [noon, 47.2]],
  ['positions clear the estimate', (s) => s.move(39, place, null), [null, 47.2]],
  ['an exception clears the estimate', (s) => s.raise(39, { eta: null }), [null, 47.2]],
  ['a step clears the estimate', (s) => s.step('picked_up', 39, { eta: null }), [null, 47.2]],
  ['late positions clear the estimate', (s) => s.move(50, place, null), [noon, 47.2]],
])('the current location and estimate count when %s', async ([, act, current], { account }) => {
  const shipment = await reported(account);
  await shipment.step('dispatched', 60);
  await shipment.move(40, place, noon);
  const before = (await account.events()).length;
  await act(shipment);
  expect(await shipment.current()).toEqual(current);
  const told = (await account.events()).slice(before).flatMap(({ data }) => data.tracking_change ?? []);
  if (current[0] === null) expect(told.at(-1)).toMatchObject({ eta: null });
});

test('what the driver of an earlier carrier has reported does not come back', async ({ account }) => {
  const shipment = await reported(account);
  await shipment.step('dispatched', 60, { eta: later, location: place });
  await shipment.move(40, place, noon);
  await shipment.voidStep('dispatched');
  await shipment.carrier({ name: 'New Carrier', scac: 'NEWC' });
  await shipment.step('dispatched', 30);
  await shipment.move(41, otherPlace, later); // buffered by the truck before
  expect(await shipment.current()).toEqual([null, null]);
  await shipment.step('picked_up', 25, { eta: noon });
  await shipment.voidStep('picked_up');
  expect(await shipment.current()).toEqual([null, null]);
  await shipment.move(20, otherPlace, later);
  expect(await shipment.current()).toEqual([later, 47.3]);
});

test('a void restores the location and the estimate of before, also when it is repeated', async ({ account }) => {
  const shipment = await reported(account);
  await shipment.step('dispatched', 60);
  await shipment.move(40, place, noon);
  for (const minutes of [30, 29]) {
    await shipment.step('in_transit', minutes, { eta: later, location: otherPlace });
    expect(await shipment.current()).toEqual([later, 47.3]);
    const { id } = await shipment.raise(minutes, { eta: null });
    expect(await shipment.current()).toEqual([null, 47.3]);
    await shipment.voidException(id);
    expect(await shipment.current()).toEqual([later, 47.3]);
    await shipment.voidStep('in_transit');
    expect(await shipment.current()).toEqual([noon, 47.2]);
  }
  // An entry that was overtaken takes nothing with it, and its estimate does not come back.
  await shipment.step('picked_up', 28, { eta: later });
  const { id } = await shipment.raise(27, { eta: null, location: otherPlace });
  await shipment.voidStep('picked_up');
  expect(await shipment.current()).toEqual([null, 47.3]);
  await shipment.voidException(id);
  expect(await shipment.current()).toEqual([noon, 47.2]);
  // The truck went on while it was recorded as delivered.
  await shipment.step('delivered', 10);
  await shipment.move(20, otherPlace);
  await shipment.voidStep('delivered');
  expect(await shipment.current()).toEqual([noon, 47.3]);
});

test('of steps of one time, the location and the estimate of the further one count', async ({ account }) => {
  const shipment = await reported(account);
  const timestamp = ago(30);
  await shipment.step('in_transit', 0, { timestamp, eta: noon, location: otherPlace });
  await shipment.step('picked_up', 0, { timestamp, eta: later, location: place });
  expect(await shipment.current()).toEqual([noon, 47.3]);
  const { id } = await shipment.raise(29, { eta: null });
  await shipment.voidException(id);
  expect(await shipment.current()).toEqual([noon, 47.3]);
});

test('the location of a step before another of its time is withdrawn with it', async ({ account }) => {
  const shipment = await reported(account);
  const timestamp = ago(30);
  await shipment.step('in_transit', 0, { timestamp });
  await shipment.step('picked_up', 0, { timestamp, location: place });
  await shipment.voidStep('picked_up');
  expect(await shipment.current()).toEqual([null, null]);
});

test('a cancellation is not before an event of a clock that is ahead', async ({ account: { client } }) => {
  const { id, tracking_number } = await client.createShipment(shipmentRequest());
  await client.recordTrackingEvent({ tracking_number, status: 'dispatched', timestamp: ago(-4) });
  await client.cancelShipment({ shipment_id: id, reason: 'The order was cancelled.' });
  const { timeline } = await client.getTracking({ tracking_number });
  expect(timeline.map(({ status }) => status)).toEqual(['scheduled', 'dispatched', 'cancelled']);
});

test('events, exceptions and proofs older than positions are recorded, without a position', async ({ account }) => {
  const { client } = account;
  const path = { tracking_number: (await newShipment(account)).tracking_number };
  const [picked, raised, delivered] = [120, 110, 100].map((days) => ago(days * 24 * 60)) as [string, string, string];
  await client.recordTrackingEvent({ ...path, status: 'picked_up', timestamp: picked, location: place });
  const exception = await client.raiseException({ ...path, code: 'closed', occurred_at: raised, location: place });
  expect(exception.location).toEqual(place);
  const proof = await proofFor(account, path.tracking_number);
  await client.submitProofOfDelivery({ ...path, ...proof, delivered_at: delivered });
  const { status, timeline, current_location } = await client.getTracking(path);
  expect([status, current_location]).toEqual(['delivered', null]);
  expect(timeline.map(({ timestamp }) => timestamp)).toEqual([picked, delivered, expect.any(String)]);
  expect((await client.listPositions(path)).data).toEqual([]);
});
