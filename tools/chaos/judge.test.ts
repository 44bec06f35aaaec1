import { expect, test } from 'vitest';
import type { Entry } from './journal.ts';
import { judge } from './judge.ts';
import type { State } from './state.ts';

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
const good: State = { shipments: [shipment], positions: [position], tracking: { ...tracking, timeline } };

const entry = (operation: string, body: Record<string, unknown>, answer?: object): Entry => ({
  write: { operation, subject: 'R', body, key: operation, send: () => Promise.reject(new Error('not sent')) },
  doubtful: false,
  unheard: false,
  abandoned: answer === undefined,
  ...(answer && { outcome: { status: 201, body: answer } }),
});
const booked = entry('createShipment', { reference: 'R' }, shipment);
const dispatched = entry('recordTrackingEvent', { status: 'dispatched', timestamp: at }, {});
const reported = entry('recordPositions', { positions: [{ lat: 47, lng: -122, updated_at: at }] }, {});
const entries = [booked, dispatched, reported];
const nothing = { lost: [], doubled: [] };

test('what was acknowledged and is there is neither lost nor doubled', () => {
  expect(judge('R', entries, good)).toEqual(nothing);
});

test('finds what was lost', () => {
  const state = { shipments: [], positions: [] };
  expect(judge('R', entries, state).lost).toHaveLength(4); // the shipment, two steps, a position
  expect(judge('R', entries, { ...good, positions: [{ ...position, lat: 48 }] }).lost).toHaveLength(1);
});

test('finds what is there twice, or without having been asked for', () => {
  expect(judge('R', entries, { ...good, shipments: [shipment, shipment] }).doubled).toHaveLength(1);
  expect(judge('R', entries, { ...good, positions: [position, position] }).doubled).toHaveLength(1);
  const twice = { ...tracking, timeline: [...timeline, step('dispatched', at)] };
  expect(judge('R', entries, { ...good, tracking: twice }).doubled).toHaveLength(1);
  expect(judge('R', [booked, reported], good).doubled).toHaveLength(1);
});

test('what was given up may be there or not', () => {
  const open = [booked, entry('recordTrackingEvent', { status: 'dispatched', timestamp: at }), reported];
  expect(judge('R', open, good)).toEqual(nothing);
  const before = { ...tracking, timeline: timeline.slice(0, 1) };
  const scheduled: typeof shipment = { ...shipment, status: 'scheduled' };
  expect(judge('R', open, { ...good, shipments: [scheduled], tracking: before })).toEqual(nothing);
});
