import { applyReport, type NewPosition } from '@waybill/server/tracking/report';
import { expect, test } from 'vitest';
import { positionsByStatus } from '../fixtures/lifecycle.ts';
import type { Status } from '../fixtures/shipments.ts';

const time = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
const position = (second: number, changes: Partial<NewPosition> = {}): NewPosition => ({
  lat: 47,
  lng: -122,
  occurredAt: time(second),
  ...changes,
});

const unknown = {
  account_id: 'account',
  tracking_number: 'FRT-2026-000001',
  status: 'in_transit' as Status,
  eta: null,
  lat: null,
  lng: null,
  address: null,
  updated_at: null,
  timeline: [],
};
const known = { ...unknown, lat: 47, lng: -122, address: 'Exit 34', updated_at: time(10), eta: time(50) };
const same = { address: 'Exit 34' };

type Case = [
  what: string,
  row: typeof unknown | typeof known,
  report: Parameters<typeof applyReport>[1],
  after: object,
];
const both = { location: true, eta: true };
const location = { location: true, eta: false };
const eta = { location: false, eta: true };
const nothing = { location: false, eta: false };

const cases: [...Case, changed: object][] = [
  [
    'a first position with eta',
    unknown,
    { positions: [position(1)], eta: time(60) },
    { lat: 47, lng: -122, updated_at: time(1), eta: time(60) },
    both,
  ],
  [
    'a newer position',
    known,
    { positions: [position(11)], eta: null },
    { address: null, updated_at: time(11) },
    location,
  ],
  [
    'the same place later',
    known,
    { positions: [position(11, same)], eta: time(50) },
    { updated_at: time(11) },
    location,
  ],
  ['the current position again', known, { positions: [position(10, same)], eta: time(50) }, {}, nothing],
  [
    'the current position with another eta',
    known,
    { positions: [position(10, same)], eta: time(51) },
    { eta: time(51) },
    eta,
  ],
  [
    'other coordinates at the same time',
    known,
    { positions: [position(10, { ...same, lat: 48 })], eta: null },
    { lat: 48 },
    location,
  ],
  [
    'another longitude at the same time',
    known,
    { positions: [position(10, { ...same, lng: 1 })], eta: null },
    { lng: 1 },
    location,
  ],
  ['another address at the same time', known, { positions: [position(10)], eta: null }, { address: null }, location],
  ['a late position with eta', known, { positions: [position(9)], eta: time(60) }, {}, nothing],
  [
    'a batch in any order',
    known,
    { positions: [position(3), position(12, { lat: 1 }), position(12, { lat: 2 }), position(4)], eta: null },
    { lat: 2, address: null, updated_at: time(12) },
    location,
  ],
  [
    'only eta, after the position',
    known,
    { positions: [], eta: time(60), estimatedAt: time(11) },
    { eta: time(60) },
    eta,
  ],
  [
    'only eta, at the time of the position',
    known,
    { positions: [], eta: time(60), estimatedAt: time(10) },
    { eta: time(60) },
    eta,
  ],
  ['only eta, before the position', known, { positions: [], eta: time(60), estimatedAt: time(9) }, {}, nothing],
  [
    'only eta, without a position',
    unknown,
    { positions: [], eta: time(60), estimatedAt: time(9) },
    { eta: time(60) },
    eta,
  ],
  ['nothing', known, { positions: [], eta: null, estimatedAt: time(11) }, {}, nothing],
];

test.for(cases)('applyReport applies %s', ([, row, report, after, changed]) => {
  expect(applyReport(row, report)).toEqual({ tracking: { ...row, ...after }, changed });
});

test.for(Object.entries(positionsByStatus) as [Status, string][])(
  'applyReport for a shipment that is %s follows its rule: %s',
  ([status, effect]) => {
    const { changed } = applyReport({ ...unknown, status }, { positions: [position(1)], eta: time(60) });
    expect(changed).toEqual(effect === 'stored as current location' ? both : nothing);
  },
);
