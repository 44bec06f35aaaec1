import { uuidFromPublicId } from '@waybill/http/identifiers';
import type { Report } from '@waybill/http/shipments/tracking';
import { storeReport } from '@waybill/server/tracking/positions';
import { expect } from 'vitest';
import { positionsByStatus } from '../fixtures/lifecycle.ts';
import { type Status, shipmentIn } from '../fixtures/shipments.ts';
import { type TestAccount, test } from '../fixtures/test.ts';
import { at, timestampAt } from './route.ts';

type Position = ReturnType<typeof at>;

interface Step {
  positions?: Position[];
  eta?: string;
  /** Second of a report that has no position. */
  at?: number;
}

const [eta, otherEta] = ['2026-12-24T18:00:00.000Z', '2026-12-25T18:00:00.000Z'];
const known: Step = { positions: [at(10, { lat: 47, address: 'Exit 34' })], eta };
const same = { lat: 47, address: 'Exit 34' };
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
  ['the same place later', known, { positions: [at(11, same)], eta }, [11, 47, eta], [location]],
  ['the current position again', known, { positions: [at(10, same)], eta }, [10, 47, eta], []],
  ['another eta', known, { positions: [at(10, same)], eta: otherEta }, [10, 47, otherEta], [arrival]],
  ['another latitude', known, { positions: [at(10, { ...same, lat: 48 })] }, [10, 48, eta], [location]],
  ['another longitude', known, { positions: [at(10, { ...same, lng: 1 })] }, [10, 47, eta], [location]],
  ['another address', known, { positions: [at(10, { lat: 47 })] }, [10, 47, eta], [location]],
  ['a late position with eta', known, { positions: [at(9)], eta: otherEta }, [10, 47, eta], []],
  [
    'positions in any order with eta',
    known,
    { positions: [at(3), at(12, { lat: 1 }), at(12, { lat: 2 }), at(4)], eta: otherEta },
    [12, 2, otherEta],
    [location, arrival],
  ],
  ['only eta, after the position', known, { eta: otherEta, at: 11 }, [10, 47, otherEta], [arrival]],
  ['only eta, at the position', known, { eta: otherEta, at: 10 }, [10, 47, otherEta], [arrival]],
  ['only eta, before the position', known, { eta: otherEta, at: 9 }, [10, 47, eta], []],
  ['only eta, without a position', undefined, { eta, at: 9 }, [undefined, undefined, eta], [arrival]],
  ['the same eta alone', known, { eta, at: 11 }, [10, 47, eta], []],
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
    trackingNumber: tracking_number,
    status,
  };
  return { tracking_number, shipment };
}

/** A report as the handlers make it: of equal timestamps the last one remains. */
function reportFromStep({ positions = [], eta: estimated, at: second }: Step): Report {
  const distinct = new Map(positions.map((position) => [String(position.updated_at), position]));
  const reported = [...distinct.values()].map(({ updated_at, lat, lng, address = null }) => ({
    lat,
    lng,
    address,
    occurredAt: new Date(updated_at),
  }));
  const times = reported.map(({ occurredAt }) => occurredAt.getTime());
  return {
    positions: reported,
    eta: estimated === undefined ? null : new Date(estimated),
    at: new Date(second === undefined ? Math.max(...times) : timestampAt(second)),
  };
}
