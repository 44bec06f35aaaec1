import { uuidFromPublicId } from '@waybill/server/database/identifiers';
import { storeReport } from '@waybill/server/tracking/positions';
import type { Report } from '@waybill/server/tracking/reports';
import { expect } from 'vitest';
import { positionsByStatus } from '../../fixtures/lifecycle.ts';
import { type Status, shipmentIn } from '../../fixtures/shipments.ts';
import { type TestAccount, test } from '../../fixtures/test.ts';
import { at, newRoute, timestampAt } from './route.ts';

type Position = ReturnType<typeof at>;

interface Step {
  positions?: Position[];
  eta?: string;
  /** Second of a report that has no position. */
  at?: number;
}

const [eta, otherEta] = ['2026-12-24T18:00:00.000Z', '2026-12-25T18:00:00.000Z'];
const known: Step = { positions: [at(10, { lat: 0.5, address: 'Exit 34' })], eta };
const same = { lat: 0.5, address: 'Exit 34' };
const [location, arrival] = ['tracking.location_changed', 'tracking.eta_changed'];

/** What a report changes: before, the report, the second and latitude of the current location, eta, the events. */
const cases: [
  what: string,
  before: Step | undefined,
  report: Step,
  after: (number | string | undefined)[],
  string[],
][] = [
  ['a first position with eta', undefined, { positions: [at(1)], eta }, [1, 0.001, eta], [location, arrival]],
  ['a first position', undefined, { positions: [at(1)] }, [1, 0.001], [location]],
  ['a newer position', known, { positions: [at(11)] }, [11, 0.011, eta], [location]],
  ['the same place later', known, { positions: [at(11, same)], eta }, [11, 0.5, eta], [location]],
  ['the current position again', known, { positions: [at(10, same)], eta }, [10, 0.5, eta], []],
  ['another eta', known, { positions: [at(10, same)], eta: otherEta }, [10, 0.5, otherEta], [arrival]],
  ['another latitude', known, { positions: [at(10, { ...same, lat: 0.6 })] }, [10, 0.6, eta], [location]],
  ['another longitude', known, { positions: [at(10, { ...same, lng: -121.5 })] }, [10, 0.5, eta], [location]],
  ['another address', known, { positions: [at(10, { lat: 0.5 })] }, [10, 0.5, eta], [location]],
  ['a late position with eta', known, { positions: [at(9)], eta: otherEta }, [10, 0.5, eta], []],
  [
    'positions in any order with eta',
    known,
    { positions: [at(3), at(12, { lat: 0.1 }), at(12, { lat: 0.2 }), at(4)], eta: otherEta },
    [12, 0.2, otherEta],
    [location, arrival],
  ],
  // 1,200 km/h from a known position, and 100 km more: 900 km in 2,400 s.
  ['a jump', known, { positions: [at(2410, { lat: 8.7 })] }, [10, 0.5, eta], []],
  ['a jump with eta', known, { positions: [at(11, { lat: 47 })], eta: otherEta }, [10, 0.5, otherEta], [arrival]],
  ['a flight', known, { positions: [at(2410, { lat: 8.5 })] }, [2410, 8.5, eta], [location]],
  ['a jump after others', known, { positions: [at(11), at(12), at(13, { lat: 47 })] }, [12, 0.012, eta], [location]],
  ['a jump between others', known, { positions: [at(11), at(12, { lat: 47 }), at(13)] }, [13, 0.013, eta], [location]],
  [
    'two positions elsewhere',
    known,
    { positions: [at(11, same), at(12, { lat: 47 }), at(13, { lat: 47.1 })] },
    [10, 0.5, eta],
    [],
  ],
  ['only eta, after the position', known, { eta: otherEta, at: 11 }, [10, 0.5, otherEta], [arrival]],
  ['only eta, at the position', known, { eta: otherEta, at: 10 }, [10, 0.5, otherEta], [arrival]],
  ['only eta, before the position', known, { eta: otherEta, at: 9 }, [10, 0.5, eta], []],
  ['only eta, without a position', undefined, { eta, at: 9 }, [undefined, undefined, eta], [arrival]],
  ['the same eta alone', known, { eta, at: 11 }, [10, 0.5, eta], []],
];

const eventTypes = async ({ client }: TestAccount): Promise<string[]> =>
  (await client.listEvents({ limit: 100 })).data.map(({ type }) => type);

const locationOf = async ({ client }: TestAccount, tracking_number: string) => {
  const { current_location, eta: estimated } = await client.getTracking({ tracking_number });
  const second = current_location && (Date.parse(current_location.updated_at) - Date.parse(timestampAt(0))) / 1000;
  return [second ?? undefined, current_location?.lat, estimated ?? undefined];
};

const inGroup = cases.filter(([, , { positions }]) => positions);
test.for(inGroup)('recordPositions in a group applies %s', async ([, before, report, after, events], { account }) => {
  const { tracking_number } = await shipmentIn(account, 'dispatched');
  const record = ({ positions = [], eta }: Step) =>
    account.client.recordPositions({ tracking_number, positions, ...(eta !== undefined && { eta }) });
  if (before) await record(before);
  const types = await eventTypes(account);
  expect(await record(report)).toEqual({ accepted: report.positions?.length });
  expect(await locationOf(account, tracking_number)).toEqual([...after, undefined, undefined].slice(0, 3));
  expect((await eventTypes(account)).slice(types.length)).toEqual(events);
});

test.for(cases)('storeReport applies %s', async ([, before, report, after, events], { service, account }) => {
  const { tracking_number, shipment } = await dispatched(account);
  const store = (step: Step) =>
    service.db.transaction().execute((trx) => storeReport(trx, shipment, reportFromStep(step)));
  if (before) await store(before);
  expect((await store(report)).map(({ type }) => type)).toEqual(events);
  expect(await locationOf(account, tracking_number)).toEqual([...after, undefined, undefined].slice(0, 3));
});

test('the second of two positions near each other is the current one, however far they are from the one before', async ({
  account,
}) => {
  const route = await newRoute(account);
  const current = async (...positions: Position[]) => (await route.record(positions)).current_location?.lat;
  expect(await current(at(1, { lat: 30 }))).toBe(30); // wrong, but nothing says so
  expect(await current(at(2, { lat: 10 }))).toBe(30);
  expect(await current(at(3, { lat: 60 }))).toBe(30);
  expect(await current(at(4, { lat: 10.1 }))).toBe(30); // far from the last one
  expect(await current(at(5, { lat: 10.2 }))).toBe(10.2);
  expect(await current(at(6, { lat: 60 }))).toBe(10.2);
  expect(await current(at(7, { lat: 10.3 }))).toBe(10.3);
  expect(await current(at(8, { lat: 60.1 }))).toBe(10.3);
  expect((await route.stored()).map(({ lat }) => lat)).toEqual([30, 10, 60, 10.1, 10.2, 60, 10.3, 60.1]);
});

test.for(Object.entries(positionsByStatus) as [Status, string][])(
  'storeReport for a shipment that is %s follows its rule: %s',
  async ([status, effect], { service, account }) => {
    const { shipment } = await dispatched(account);
    const events = await service.db
      .transaction()
      .execute((trx) => storeReport(trx, { ...shipment, status }, reportFromStep({ positions: [at(1)], eta })));
    const expected = effect === 'stored as current location' ? [location, arrival] : [];
    expect(events.map(({ type }) => type)).toEqual(expected);
  },
);

async function dispatched(account: TestAccount) {
  const { id, tracking_number } = await shipmentIn(account, 'dispatched');
  const status: Status = 'dispatched';
  const shipment = {
    accountId: account.id,
    id: uuidFromPublicId('ship', id),
    tracking_number,
    status,
  };
  return { tracking_number, shipment };
}

/** A report as the handlers make it: of equal timestamps the last one remains. */
function reportFromStep({ positions = [], eta: estimated, at: second }: Step): Report {
  const distinct = new Map(positions.map((position) => [String(position.updated_at), position]));
  const reported = [...distinct.values()].map(({ updated_at, lat, lng, address = null }) => ({
    updated_at: new Date(updated_at),
    lat,
    lng,
    address,
  }));
  const times = reported.map((position) => position.updated_at.getTime());
  return {
    positions: reported,
    eta: estimated === undefined ? null : new Date(estimated),
    at: new Date(second === undefined ? Math.max(...times) : timestampAt(second)),
  };
}
