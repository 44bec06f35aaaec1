import { dayLength } from '@waybill/contract/duration';
import { positionRules } from '@waybill/contract/lifecycle';
import { maxFieldErrors } from '@waybill/contract/limits';
import type { components } from '@waybill/contract/types';
import { dateOf } from '@waybill/contract/validation/timestamps';
import { fieldProblem } from '../problems.ts';
import { isoTime } from './details.ts';
import { exceptionFrom, type StoredException } from './exceptions.ts';

type Schemas = components['schemas'];
type Status = Schemas['ShipmentStatus'];

const statusesWith = (rules: string[]): Status[] =>
  (Object.entries(positionRules) as [Status, string][]).flatMap(([status, rule]) =>
    rules.includes(rule) ? status : [],
  );
/** Statuses in which positions are stored, and those in which they also update the current location. */
export const storingStatuses: Status[] = statusesWith(['move', 'keep']);
export const movingStatuses: Status[] = statusesWith(['move']);

export interface NewPosition {
  lat: number;
  lng: number;
  address: string | null;
  /** When the shipment was there: `updated_at` of the API and the table. */
  occurredAt: Date;
}

/** What a request reports. */
export interface Report {
  /** Each with another timestamp. */
  positions: NewPosition[];
  eta: Date | null;
  /** When it was reported: the time of the newest position, if there is one. */
  at: Date;
}

/**
 * The positions and the estimated arrival of a request. Of equal timestamps the later element wins.
 * @throws {Problem} invalid_request for positions that clean-up would remove at once
 */
export function reportFrom({ positions, eta }: Schemas['PositionsRequest'], positionDays: number, now: Date): Report {
  const reported = positions.map(({ updated_at, lat, lng, address = null }) => ({
    lat,
    lng,
    address,
    occurredAt: dateOf(updated_at),
  }));
  rejectExpired(
    reported.map(({ occurredAt }, index) => ({ occurredAt, pointer: `/positions/${index}/updated_at` })),
    positionDays,
    now,
  );
  const distinct = new Map(reported.map((position) => [position.occurredAt.getTime(), position]));
  return {
    positions: [...distinct.values()],
    eta: eta ? dateOf(eta) : null,
    at: new Date(Math.max(...distinct.keys())),
  };
}

/** What an event reports in the status that it records, or an exception in that of its shipment. */
export function reportOfEvent({
  status,
  timestamp,
  location,
  eta,
}: Pick<Schemas['TrackingEventRequest'], 'timestamp' | 'location' | 'eta'> & { status: Status }): Report {
  const at = dateOf(timestamp);
  const isStored = location && storingStatuses.includes(status);
  const positions = isStored ? [{ address: null, ...location, occurredAt: at }] : [];
  return { positions, eta: eta ? dateOf(eta) : null, at };
}

/** The newest position of a report, if it has one. */
export const newestOf = ({ positions, at }: Report): NewPosition | undefined =>
  positions.find(({ occurredAt }) => occurredAt.getTime() === at.getTime());

/** The time of the earliest position. */
export const earliestOf = (positions: NewPosition[]): Date =>
  new Date(Math.min(...positions.map(({ occurredAt }) => occurredAt.getTime())));

/**
 * Rejects positions that clean-up would remove at once.
 * @param timestamps each with the pointer of its field in the body
 * @throws {Problem} invalid_request with the earliest timestamp that is accepted
 */
export function rejectExpired(timestamps: { occurredAt: Date; pointer: string }[], days: number, now: Date): void {
  const earliest = new Date(now.getTime() - days * dayLength);
  const expired = timestamps.filter(({ occurredAt }) => occurredAt < earliest).slice(0, maxFieldErrors);
  if (expired.length === 0) return;
  const detail = `must not be before ${earliest.toISOString()}: positions are retained for ${days} days`;
  throw fieldProblem(
    'invalid_request',
    expired.map(({ pointer }) => ({ in: 'body', pointer, code: 'too_old', detail })),
  );
}

/** The tracking status of a shipment, as it is stored. */
export interface StoredTracking {
  tracking_number: string;
  status: Schemas['ShipmentStatus'];
  eta: Date | null;
  lat: number | null;
  lng: number | null;
  address: string | null;
  /** Time of the current position; null without one. */
  updated_at: Date | null;
  timeline: { status: Schemas['ShipmentStatus']; timestamp: string; description: string }[];
  /** In the order of the list; null if there is none. Their times may be PostgreSQL's JSON text. */
  exceptions: StoredException<Date | string>[] | null;
}

/** What a change of the location or the estimated arrival shows of a tracking status. */
export function changeFrom(
  row: Omit<StoredTracking, 'timeline' | 'exceptions'>,
): Omit<Schemas['TrackingStatus'], 'timeline' | 'exceptions'> {
  const { lat, lng, address, updated_at } = row;
  const hasLocation = lat !== null && lng !== null && updated_at !== null;
  return {
    tracking_number: row.tracking_number,
    status: row.status,
    eta: row.eta?.toISOString() ?? null,
    current_location: hasLocation ? { lat, lng, address, updated_at: updated_at.toISOString() } : null,
  };
}

/** The tracking status as callers see it. */
export function trackingFrom(row: StoredTracking): Schemas['TrackingStatus'] {
  return {
    ...changeFrom(row),
    timeline: row.timeline.map(({ status, timestamp, description }) => ({
      status,
      timestamp: isoTime(timestamp),
      description,
    })),
    ...(row.exceptions && { exceptions: row.exceptions.map(exceptionFrom) }),
  };
}
