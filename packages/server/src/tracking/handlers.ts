import { dayLength } from '@waybill/contract/duration';
import { defaultPageSize, maxFieldErrors } from '@waybill/contract/limits';
import type { components } from '@waybill/contract/types';
import { dateOf } from '@waybill/contract/validation/timestamps';
import { fieldProblem, Problem } from '@waybill/http/problems';
import type { Transaction } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { makeCursor, pageOf, readCursor } from '../http/pagination.ts';
import type { Handler, WriteContext } from '../operations/handler-types.ts';
import { insertPositions } from './insert-positions.ts';
import { acceptsPositions, lockShipmentOrThrow, selectPositions, updateEta } from './positions.ts';
import { getCurrentStatusOrThrow, getTrackingOrThrow, selectTrackingOfAccount, type TrackingRow } from './queries.ts';
import { applyReport, type Changed, type Report } from './report.ts';
import { transition } from './transition.ts';

export const getTracking: Handler<'getTracking'> = async ({ path }, { accountId, database }) => {
  const row = await getTrackingOrThrow(database, accountId, path.tracking_number);
  return { status: 200, body: trackingFrom(row) };
};

export const recordTrackingEvent: Handler<'recordTrackingEvent'> = async ({ path, body }, context) => {
  const { accountId, appendEvent, db, now, positionDays } = context;
  const { location, eta, status, timestamp, description } = body;
  const occurredAt = dateOf(timestamp);
  const occurred = { at: occurredAt, field: 'timestamp' } as const;
  const request = { operation: 'recordTrackingEvent', to: status, occurred, description, now } as const;
  const shipmentId = await transition(db, accountId, path, request);
  if (location) rejectExpired([{ occurredAt, pointer: '/timestamp' }], positionDays, now);
  const report = {
    positions: location && acceptsPositions(status) ? [{ ...location, occurredAt }] : [],
    eta: eta ? dateOf(eta) : null,
    estimatedAt: occurredAt,
  };
  const { tracking, changed } = applyReport(await readLockedTracking(db, accountId, path.tracking_number), report);
  if (report.positions.length > 0) {
    await insertPositions(db, [{ ...report, account_id: accountId, shipment_id: shipmentId, status }]);
  } else if (changed.eta && report.eta) await updateEta(db, accountId, shipmentId, occurredAt, report.eta);
  const data = { tracking: trackingFrom(tracking) };
  appendEvent({ type: 'tracking.status_reached', shipmentId, data });
  appendChanges(context, shipmentId, changed, data.tracking);
  return { status: 201, body: data.tracking };
};

export const recordPositions: Handler<'recordPositions'> = async ({ path, body }, context) => {
  const { accountId, db, now, positionDays } = context;
  const report = reportFrom(body, positionDays, now);
  const { id, status } = await lockShipmentOrThrow(db, accountId, path.tracking_number);
  if (!acceptsPositions(status)) {
    const detail = `A shipment that is ${status} accepts no positions.`;
    throw new Problem('positions_not_accepted', detail, { current_status: status });
  }
  const { tracking, changed } = applyReport(await readLockedTracking(db, accountId, path.tracking_number), report);
  await insertPositions(db, [{ ...report, account_id: accountId, shipment_id: id, status }]);
  const response = trackingFrom(tracking);
  appendChanges(context, id, changed, response);
  return { status: 200, body: response };
};

/** Appends the events of what a report has changed. */
function appendChanges(
  { appendEvent }: WriteContext,
  shipmentId: string,
  changed: Changed,
  tracking: components['schemas']['TrackingStatus'],
): void {
  if (changed.location) appendEvent({ type: 'tracking.location_changed', shipmentId, data: { tracking } });
  if (changed.eta) appendEvent({ type: 'tracking.eta_changed', shipmentId, data: { tracking } });
}

/**
 * The positions and the estimated arrival of a request. `occurredAt` is `updated_at` of the API and the table.
 * @throws {Problem} invalid_request for positions that clean-up would remove at once
 */
export function reportFrom(
  { positions, eta }: components['schemas']['PositionsRequest'],
  positionDays: number,
  now: Date,
): Report {
  const reported = positions.map(({ updated_at, ...location }) => ({ ...location, occurredAt: dateOf(updated_at) }));
  const timestamps = reported.map(({ occurredAt }, index) => ({
    occurredAt,
    pointer: `/positions/${index}/updated_at`,
  }));
  rejectExpired(timestamps, positionDays, now);
  return { positions: reported, eta: eta ? dateOf(eta) : null };
}

/**
 * Rejects positions that clean-up would remove at once.
 * @param timestamps each with the pointer of its field in the body
 * @throws {Problem} invalid_request with the earliest timestamp that is accepted
 */
function rejectExpired(timestamps: { occurredAt: Date; pointer: string }[], days: number, now: Date): void {
  const earliest = new Date(now.getTime() - days * dayLength);
  const expired = timestamps.filter(({ occurredAt }) => occurredAt < earliest).slice(0, maxFieldErrors);
  if (expired.length === 0) return;
  const detail = `must not be before ${earliest.toISOString()}: positions are retained for ${days} days`;
  throw fieldProblem(
    'invalid_request',
    expired.map(({ pointer }) => ({ in: 'body', pointer, code: 'too_old', detail })),
  );
}

export const listPositions: Handler<'listPositions'> = async ({ path, query }, { accountId, db }) => {
  const { limit = defaultPageSize, cursor } = query;
  const after = cursor === undefined ? undefined : timeFrom(readCursor(cursor, path, 8));
  const { id, route_since } = await getCurrentStatusOrThrow(db, accountId, path);
  const rows = route_since ? await selectPositions(db, accountId, id, after, limit + 1, route_since) : [];
  const body = pageOf(
    rows,
    limit,
    ({ updated_at, ...location }) => ({ ...location, updated_at: updated_at.toISOString() }),
    ({ updated_at }) => makeCursor(timeBytes(updated_at), path),
  );
  return { status: 200, body };
};

/** @throws {Problem} cursor_mismatch when PostgreSQL has no such time */
function timeFrom(bytes: Buffer): Date {
  const time = new Date(Number(bytes.readBigInt64BE()));
  // PostgreSQL has no times before 4714 BC; no position lies outside the years that a timestamp can name.
  if (!(Math.abs(time.getTime()) < 1e14)) throw new Problem('cursor_mismatch', 'The cursor is not valid.');
  return time;
}

function timeBytes(time: Date): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(time.getTime()));
  return bytes;
}

/** A separate statement: the statement that locks the shipment may wait, and then its snapshot is old. */
export async function readLockedTracking(
  db: Transaction<Tables>,
  accountId: string,
  trackingNumber: string,
): Promise<TrackingRow> {
  const [row] = await selectTrackingOfAccount(db, accountId, [trackingNumber]);
  if (!row) throw new Error('A shipment was deleted inside a transaction');
  return row;
}

export function trackingFrom(row: TrackingRow): components['schemas']['TrackingStatus'] {
  const { lat, lng, address, updated_at } = row;
  const hasLocation = lat !== null && lng !== null && updated_at !== null;
  return {
    tracking_number: row.tracking_number,
    status: row.status,
    eta: row.eta?.toISOString() ?? null,
    current_location: hasLocation ? { lat, lng, address, updated_at: updated_at.toISOString() } : null,
    timeline: row.timeline.map(({ status, timestamp, description }) => ({
      status,
      timestamp: new Date(timestamp).toISOString(),
      description,
    })),
  };
}
