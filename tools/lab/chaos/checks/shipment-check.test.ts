import type { Shipment, ShipmentException, TimelineEntry, TrackingStatus } from '@waybill/client';
import document from '@waybill/contract/openapi.json' with { type: 'json' };
import type { Entry } from '@waybill/sandbox/simulate/writes';
import { expect, test } from 'vitest';
import { checkShipment, type State } from './shipment-check.ts';

const { ExceptionOpen, ShipmentDispatched, TrackingDispatched } = document.components.examples;
const { notes: _, ...shipment } = ShipmentDispatched.value as Shipment;
const tracking = TrackingDispatched.value as TrackingStatus;
const [, step] = tracking.timeline as [TimelineEntry, TimelineEntry];
const at = step.timestamp;
const exception = ExceptionOpen.value as ShipmentException;
const position = { lat: 47, lng: -122, address: null, updated_at: at };
const complete: State = { shipments: [shipment], positions: [position], tracking };

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

const { code, occurred_at } = exception;
const raised = entry('raiseException', { code, occurred_at }, {});
const withExceptions = (...exceptions: ShipmentException[]): State => ({
  ...complete,
  tracking: { ...tracking, exceptions },
});
const abandoned = entry('recordTrackingEvent', { status: 'dispatched', timestamp: at });
const change = entry('updateShipment', { notes: 'Dock 2' }, { notes: 'Dock 2' });
const changed = { ...complete, shipments: [{ ...shipment, notes: 'Dock 2' }] };
const scheduled: State = {
  ...complete,
  shipments: [{ ...shipment, status: 'scheduled' }],
  tracking: { ...tracking, timeline: tracking.timeline.slice(0, 1) },
};

test.for<[what: string, writes: Entry[], state: State, lost: number, duplicated: number]>([
  ['all writes', entries, complete, 0, 0],
  ['no shipment, two events and position', entries, { shipments: [], positions: [] }, 4, 0],
  ['another position', entries, { ...complete, positions: [{ ...position, lat: 48 }] }, 1, 1],
  ['no file of the proof', entries, { ...complete, hasFiles: false }, 1, 0],
  ['the shipment twice', entries, { ...complete, shipments: [shipment, shipment] }, 0, 1],
  ['a position twice', entries, { ...complete, positions: [position, position] }, 0, 1],
  ['an event twice', entries, { ...complete, tracking: { ...tracking, timeline: [...tracking.timeline, step] } }, 0, 1],
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
