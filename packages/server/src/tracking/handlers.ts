import { positions as rules } from '@waybill/contract/lifecycle';
import { defaultPageSize } from '@waybill/contract/limits';
import type { components } from '@waybill/contract/types';
import type { Transaction } from 'kysely';
import type { Handler } from '../contract/operations.ts';
import type { Tables } from '../database/tables.ts';
import { makeCursor, pageOf, readCursor } from '../http/pagination.ts';
import { noShipment, Problem } from '../http/problems.ts';
import { insertPositions, keepEta, type NewPosition, selectPositions } from './positions.ts';
import { selectStanding, selectTracking, type TrackingRow } from './queries.ts';
import { requireRetained } from './retention.ts';
import { takeStep } from './step.ts';

export const getTracking: Handler<'getTracking'> = async ({ path }, { accountId, load }) => {
  const row = await load.tracking(accountId, path.tracking_number);
  if (!row) throw noShipment();
  return { status: 200, body: trackingFrom(row) };
};

export const recordTrackingEvent: Handler<'recordTrackingEvent'> = async (
  { path, body },
  { accountId, db, now, positionDays },
) => {
  const { location, eta, status, timestamp, description } = body;
  const at = new Date(timestamp);
  const occurred = { at, field: 'timestamp' } as const;
  const step = { operation: 'recordTrackingEvent', to: status, occurred, description, now } as const;
  const shipmentId = await takeStep(db, accountId, path, step);
  if (location) {
    requireRetained([{ at, pointer: '/timestamp' }], positionDays, now);
    await insertPositions(db, accountId, path.tracking_number, [{ ...location, at }], eta);
  } else if (eta) await keepEta(db, accountId, shipmentId, at, new Date(eta));
  return { status: 201, body: await trackingNow(db, accountId, path.tracking_number) };
};

export const recordPositions: Handler<'recordPositions'> = async (
  { path, body },
  { accountId, db, now, positionDays },
) => {
  const positions = body.positions.map(({ updated_at, ...place }): NewPosition => {
    return { ...place, at: new Date(updated_at) };
  });
  const times = positions.map(({ at }, place) => ({ at, pointer: `/positions/${place}/updated_at` }));
  requireRetained(times, positionDays, now);
  const status = await insertPositions(db, accountId, path.tracking_number, positions, body.eta);
  if (!status) throw noShipment();
  if (!rules[status]) {
    const detail = `A shipment that is ${status} takes no positions.`;
    throw new Problem('positions_not_accepted', detail, { current_status: status });
  }
  return { status: 200, body: await trackingNow(db, accountId, path.tracking_number) };
};

export const listPositions: Handler<'listPositions'> = async ({ path, query }, { accountId, db }) => {
  const { limit = defaultPageSize, cursor } = query;
  const after = cursor === undefined ? undefined : timeFrom(readCursor(cursor, path, 8));
  const shipment = await selectStanding(db, accountId, path);
  if (!shipment) throw noShipment();
  const { route_since } = shipment;
  const rows = route_since ? await selectPositions(db, accountId, shipment.id, after, limit + 1, route_since) : [];
  const body = pageOf(
    rows,
    limit,
    ({ updated_at, ...place }) => ({ ...place, updated_at: updated_at.toISOString() }),
    ({ updated_at }) => makeCursor(timeBytes(updated_at), path),
  );
  return { status: 200, body };
};

/** @throws {Problem} cursor_mismatch when it is beyond all times */
function timeFrom(bytes: Buffer): Date {
  const time = new Date(Number(bytes.readBigInt64BE()));
  // PostgreSQL has no times before 4714 BC; no position lies outside the years that a timestamp can name.
  if (!(Math.abs(time.getTime()) < 1e14)) throw new Problem('cursor_mismatch', 'This is not a cursor.');
  return time;
}

function timeBytes(time: Date): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(time.getTime()));
  return bytes;
}

/** A second statement: one that writes does not see its own effect. */
async function trackingNow(
  db: Transaction<Tables>,
  accountId: string,
  trackingNumber: string,
): Promise<components['schemas']['TrackingStatus']> {
  const [row] = await selectTracking(db)([accountId], [trackingNumber]);
  if (!row) throw new Error('A shipment vanished inside a transaction');
  return trackingFrom(row);
}

function trackingFrom(row: TrackingRow): components['schemas']['TrackingStatus'] {
  const { lat, lng, address, updated_at } = row;
  const known = lat !== null && lng !== null && updated_at !== null;
  return {
    tracking_number: row.tracking_number,
    status: row.status,
    eta: row.eta?.toISOString() ?? null,
    current_location: known ? { lat, lng, address, updated_at: updated_at.toISOString() } : null,
    timeline: row.timeline.map(({ status, timestamp, description }) => ({
      status,
      timestamp: new Date(timestamp).toISOString(),
      description,
    })),
  };
}
