import { expect, test } from 'vitest';
import type { Entry } from '../simulate/writes.ts';
import { checkShipment, type State } from './shipment-check.ts';

const created_at = '2026-03-03T16:00:00.000Z';
const at = '2026-03-03T16:05:00.000Z';
const address = { address: '1', city: 'Seattle', state: 'WA', zip: '98126' };
const shipment: State['shipments'][number] = {
  id: 'ship_1',
  status: 'dispatched',
  tracking_number: 'FRT-2026-000001',
  type: 'freight',
  origin: address,
  destination: address,
  pickup_window: { start: created_at, end: at },
  reference: 'R',
  created_at,
  updated_at: at,
};
const position = { lat: 47, lng: -122, address: null, updated_at: at };
const step = (status: 'scheduled' | 'dispatched', timestamp: string) => ({ status, timestamp, description: status });
const timeline = [step('scheduled', created_at), step('dispatched', at)];
const tracking = {
  tracking_number: shipment.tracking_number,
  status: shipment.status,
  eta: null,
  current_location: null,
};
const complete: State = { shipments: [shipment], positions: [position], tracking: { ...tracking, timeline } };

const entry = (operation: string, body: Record<string, unknown>, response?: object): Entry => ({
  write: { operation, reference: 'R', body, key: operation, send: () => Promise.reject(new Error('not sent')) },
  interrupted: false,
  applied: false,
  ...(response && { result: { status: 201, body: response } }),
});
const created = entry('createShipment', { reference: 'R' }, shipment);
const dispatched = entry('recordTrackingEvent', { status: 'dispatched', timestamp: at }, {});
const reported = entry('recordPositions', { positions: [{ lat: 47, lng: -122, updated_at: at }] }, {});
const entries = [created, dispatched, reported];

const raised = entry('raiseException', { code: 'refused', occurred_at: at }, {});
const exception = {
  ...{ id: 'exc_1', code: 'refused', severity: 'high', responsible_party: 'consignee', next_steps: ['return'] },
  ...{ shipment_status: 'dispatched', occurred_at: at, photo_count: 0 },
};
const withExceptions = (...exceptions: object[]): State =>
  ({ ...complete, tracking: { ...tracking, timeline, exceptions } }) as State;
const abandoned = entry('recordTrackingEvent', { status: 'dispatched', timestamp: at });
const change = entry('updateShipment', { notes: 'Dock 2' }, { notes: 'Dock 2' });
const changed = { ...complete, shipments: [{ ...shipment, notes: 'Dock 2' }] };
const scheduled: State = {
  ...complete,
  shipments: [{ ...shipment, status: 'scheduled' }],
  tracking: { ...tracking, timeline: timeline.slice(0, 1) },
};

test.for<[what: string, writes: Entry[], state: State, lost: number, duplicated: number]>([
  ['all writes', entries, complete, 0, 0],
  ['no shipment, two events and position', entries, { shipments: [], positions: [] }, 4, 0],
  ['another position', entries, { ...complete, positions: [{ ...position, lat: 48 }] }, 1, 1],
  ['no file of the proof', entries, { ...complete, hasFiles: false }, 1, 0],
  ['the shipment twice', entries, { ...complete, shipments: [shipment, shipment] }, 0, 1],
  ['a position twice', entries, { ...complete, positions: [position, position] }, 0, 1],
  [
    'an event twice',
    entries,
    { ...complete, tracking: { ...tracking, timeline: [...timeline, step('dispatched', at)] } },
    0,
    1,
  ],
  ['an event without a request', [created, reported], complete, 0, 1],
  ['an exception', [...entries, raised], withExceptions(exception), 0, 0],
  ['no exception', [...entries, raised], complete, 1, 0],
  ['an exception twice', [...entries, raised], withExceptions(exception, exception), 0, 1],
  ['an exception without a request', entries, withExceptions(exception), 0, 1],
  ['the effect of an abandoned write', [created, abandoned, reported], complete, 0, 0],
  ['no effect of an abandoned write', [created, abandoned, reported], scheduled, 0, 0],
  ['the changed notes', [...entries, change], changed, 0, 0],
  ['no changed notes', [...entries, change], complete, 1, 0],
  ['changed notes without a request', entries, changed, 0, 1],
])('for %s, checkShipment reports so many lost and duplicated effects', ([, writes, state, lost, duplicated]) => {
  const findings = checkShipment('R', writes, state);
  expect([findings.lost.length, findings.duplicated.length]).toEqual([lost, duplicated]);
});
