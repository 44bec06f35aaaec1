import type {
  EventData,
  ListedShipment,
  Shipment,
  ShipmentException,
  TimelineEntry,
  TrackingStatus,
  WaybillEvent,
} from '@waybill/client';
import type { lifecycle } from '@waybill/contract/lifecycle';
import { activeStatuses, entryOf, finalStatuses } from '@waybill/contract/statuses';

/** A shipment of the board. A change replaces the row: rows are compared by identity. */
export interface Row {
  shipment: Shipment;
  tracking: TrackingStatus;
}

/** By tracking number. */
export type Rows = Map<string, Row>;

/** Shipments that a board loads at most. */
export const maxRows = 5000;
/** Those of them that have reached the same end today. */
export const maxEnded = 500;

/** A status in which a shipment ends. */
export type End = Exclude<keyof typeof lifecycle, 'scheduled' | 'dispatched' | 'picked_up' | 'in_transit'>;

export const ends: End[] = finalStatuses as End[];

export const isActive = ({ tracking }: Row): boolean =>
  (activeStatuses as string[]).includes(tracking.status as string);

/** The row of a shipment in a list with `include=tracking`. */
export const rowOf = ({ tracking, ...shipment }: ListedShipment): Row => ({
  shipment,
  tracking: tracking ?? trackingOf(shipment),
});

/** The tracking status of a shipment about which nothing else is known. */
function trackingOf({ tracking_number, status, created_at }: Shipment): TrackingStatus {
  const timeline: TimelineEntry[] = [entryAt(status, created_at)];
  return { tracking_number, status, eta: null, current_location: null, timeline };
}

/**
 * Applies an event of the feed to the rows. Events may be applied again: the last one of a shipment decides.
 * @returns the number of the shipment whose row has changed or is new; undefined when nothing has changed
 */
export function applyEvent(rows: Rows, event: WaybillEvent): string | undefined {
  const number = numberOf(event);
  if (number === undefined) return undefined;
  const changed = changedRow(rows.get(number), event);
  if (!changed) return undefined;
  rows.set(number, changed);
  return number;
}

/** The number of the shipment that an event is about. */
export const numberOf = ({ data }: WaybillEvent): string | undefined =>
  (data.shipment ?? data.tracking ?? data.tracking_change ?? data.exception_change ?? data.document_change)
    ?.tracking_number;

function changedRow(row: Row | undefined, { type, created_at, data }: WaybillEvent): Row | undefined {
  const { shipment, tracking, tracking_change, exception_change, ...ignored }: EventData = data;
  const { webhook_endpoint: _, document_change: __, ...more } = ignored;
  more satisfies Record<string, never>; // each new member changes a row or is left out
  if (!row) {
    const isNew = type === 'shipment.created' && shipment;
    return isNew ? { shipment, tracking: trackingOf(shipment) } : undefined;
  }
  if (shipment) {
    if (type === 'shipment.created') return undefined;
    return { shipment, tracking: type === 'shipment.cancelled' ? cancelled(row.tracking, created_at) : row.tracking };
  }
  if (tracking) return { ...row, tracking };
  if (tracking_change) {
    const { status, eta, current_location } = tracking_change;
    return { ...row, tracking: { ...row.tracking, status, eta, current_location } };
  }
  if (!exception_change) return undefined;
  const { status, exception } = exception_change;
  const others = (row.tracking.exceptions ?? []).filter(({ id }) => id !== exception.id);
  // As in a tracking status, a voided one is not among them.
  const exceptions = (exception.voided_at ? others : [...others, exception]).sort(compareExceptions);
  return { ...row, tracking: { ...row.tracking, status, exceptions } };
}

/** The order of the service: open ones first, then by their beginning, which the ids have. */
const compareExceptions = (a: ShipmentException, b: ShipmentException): number =>
  Number(a.resolved_at !== undefined) - Number(b.resolved_at !== undefined) || (a.id < b.id ? -1 : 1);

function cancelled(tracking: TrackingStatus, timestamp: string): TrackingStatus {
  if (tracking.status === 'cancelled') return tracking;
  return { ...tracking, status: 'cancelled', timeline: [...tracking.timeline, entryAt('cancelled', timestamp)] };
}

/** An entry of which no more is known. */
const entryAt = (status: Shipment['status'], timestamp: string): TimelineEntry => ({
  id: '',
  status,
  timestamp,
  description: '',
  recorded_at: timestamp,
});

/**
 * Removes what a board no longer shows, so that a page that is open for weeks does not grow: the shipments that ended before
 * today, and of today's the oldest ones of each end.
 * @param options `kept` is the id of a shipment that stays, `startOfDay` in milliseconds since 1970
 */
export function prune(rows: Rows, { startOfDay, kept }: { startOfDay: number; kept: string | undefined }): void {
  const ended = [...rows].filter(([, row]) => !isActive(row) && row.shipment.id !== kept);
  const counts: Record<string, number> = {};
  for (const [number, row] of ended.sort(([, a], [, b]) => endedAt(b) - endedAt(a))) {
    const { status } = row.tracking;
    counts[status] = (counts[status] ?? 0) + 1;
    if (counts[status] > maxEnded || endedAt(row) < startOfDay) rows.delete(number);
  }
}

/** When a shipment that is not active reached its status, in milliseconds since 1970. */
export const endedAt = (row: Row): number => reachedAt(row, row.tracking.status) ?? 0;

/** When the shipment reached a status, in milliseconds since 1970; undefined if it has not. */
export function reachedAt({ tracking }: Row, status: string): number | undefined {
  const entry = entryOf(tracking.timeline, status);
  return entry && Date.parse(entry.timestamp);
}
