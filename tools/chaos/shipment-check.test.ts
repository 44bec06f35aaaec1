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
const noFindings = { lost: [], duplicated: [] };

test('checkShipment reports nothing when every acknowledged write is in the state', () => {
  expect(checkShipment('R', entries, complete)).toEqual(noFindings);
});

test('checkShipment reports acknowledged writes that are missing as lost', () => {
  const state = { shipments: [], positions: [] };
  expect(checkShipment('R', entries, state).lost).toHaveLength(4); // the shipment, two events, a position
  expect(checkShipment('R', entries, { ...complete, positions: [{ ...position, lat: 48 }] }).lost).toHaveLength(1);
  expect(checkShipment('R', entries, { ...complete, hasFiles: false }).lost).toHaveLength(1);
});

test('checkShipment reports what is there twice or without a request as duplicated', () => {
  expect(checkShipment('R', entries, { ...complete, shipments: [shipment, shipment] }).duplicated).toHaveLength(1);
  expect(checkShipment('R', entries, { ...complete, positions: [position, position] }).duplicated).toHaveLength(1);
  const twice = { ...tracking, timeline: [...timeline, step('dispatched', at)] };
  expect(checkShipment('R', entries, { ...complete, tracking: twice }).duplicated).toHaveLength(1);
  expect(checkShipment('R', [created, reported], complete).duplicated).toHaveLength(1);
});

test('checkShipment reports exceptions that are missing, twice or without a request', () => {
  const raised = entry('raiseException', { code: 'refused', occurred_at: at }, {});
  const exception = {
    ...{ id: 'exc_1', code: 'refused', severity: 'high', responsible_party: 'consignee', next_steps: ['return'] },
    ...{ shipment_status: 'dispatched', occurred_at: at, photo_count: 0 },
  } as const;
  const withExceptions = (...exceptions: object[]): State =>
    ({ ...complete, tracking: { ...tracking, timeline, exceptions } }) as State;
  expect(checkShipment('R', [...entries, raised], withExceptions(exception))).toEqual(noFindings);
  expect(checkShipment('R', [...entries, raised], complete).lost).toHaveLength(1);
  expect(checkShipment('R', [...entries, raised], withExceptions(exception, exception)).duplicated).toHaveLength(1);
  expect(checkShipment('R', entries, withExceptions(exception)).duplicated).toHaveLength(1);
});

test('checkShipment accepts an abandoned write with and without its effect', () => {
  const withAbandoned = [created, entry('recordTrackingEvent', { status: 'dispatched', timestamp: at }), reported];
  expect(checkShipment('R', withAbandoned, complete)).toEqual(noFindings);
  const before = { ...tracking, timeline: timeline.slice(0, 1) };
  const scheduled: typeof shipment = { ...shipment, status: 'scheduled' };
  expect(checkShipment('R', withAbandoned, { ...complete, shipments: [scheduled], tracking: before })).toEqual(
    noFindings,
  );
});

test('checkShipment compares the notes with the changes', () => {
  const change = entry('updateShipment', { notes: 'Dock 2' }, { notes: 'Dock 2' });
  const changed = { ...complete, shipments: [{ ...shipment, notes: 'Dock 2' }] };
  expect(checkShipment('R', [...entries, change], changed)).toEqual(noFindings);
  expect(checkShipment('R', [...entries, change], complete).lost).toHaveLength(1);
  expect(checkShipment('R', entries, changed).duplicated).toHaveLength(1);
});
