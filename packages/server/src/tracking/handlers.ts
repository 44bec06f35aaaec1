import { defaultPageSize } from '@waybill/contract/limits';
import { notFound } from '@waybill/http/problems';
import { batchedRead } from '../database/statements/batched-read.ts';
import { isoText } from '../database/times.ts';
import type { Services } from '../feature.ts';
import { makeCursor, pageOf, readCursor, timeFromCursor, timeLength, timeToBytes } from '../operations/pagination.ts';
import type { Handlers } from '../operations/route-handlers.ts';
import { selectPositions, storeReport } from './positions.ts';
import { positionRecording } from './positions-group.ts';
import { getShipment } from './queries.ts';
import { before, reportOfEvent, requirePossible } from './reports.ts';
import { readLockedTracking, selectTracking, trackingFrom } from './status.ts';
import { columnsOfProof, isOvertaken, lockTimeline, recordWithoutProof } from './timeline.ts';

/** The operations on the tracking of shipments. */
export function trackingHandlers({
  database,
  positionDays,
}: Pick<Services, 'database' | 'positionDays'>): Pick<
  Handlers,
  'getTracking' | 'recordTrackingEvent' | 'recordPositions' | 'listPositions'
> {
  const readTracking = batchedRead(database, 'read_tracking', 'tracking_number', selectTracking);
  return {
    async getTracking({ path }, { accountId }) {
      const row = await readTracking(accountId, path.tracking_number);
      if (!row) throw notFound('shipment', path.tracking_number);
      return { status: 200, body: trackingFrom(row) };
    },

    async recordTrackingEvent({ path, body }, { accessId, accountId, addEvent, db, now }) {
      const { location, status, description } = body;
      const report = reportOfEvent(body, positionDays, now);
      requirePossible(location);
      const { shipment, entries } = await lockTimeline(db, accountId, path, columnsOfProof);
      const reached = { status, at: report.at, description, eta: report.eta, accessId, now };
      const { shipment: updated, entryId, changes } = await recordWithoutProof(db, shipment, entries, reached);
      const placed = { ...report, ...(isOvertaken(entries, reached) && before(report)) };
      changes.push(...(await storeReport(db, updated, placed, { reached: status, source: entryId })));
      const tracking = await readLockedTracking(db, accountId, path.tracking_number);
      addEvent({ type: 'tracking.status_reached', shipmentId: shipment.id, data: { tracking } });
      for (const change of changes) addEvent(change);
      return { status: 201, body: tracking };
    },

    recordPositions: positionRecording(database, positionDays),

    async listPositions({ path, query }, { accountId, db }) {
      const { limit = defaultPageSize, cursor, ...others } = query;
      others satisfies Record<string, never>; // every parameter is read
      const after = cursor === undefined ? undefined : timeFromCursor(readCursor(cursor, path, timeLength));
      const route = await getShipment(db, accountId, path, ['id', 'route_since']);
      const rows = await selectPositions(db, route, after, limit + 1);
      const body = pageOf(
        rows,
        limit,
        ({ updated_at, ...location }) => ({ ...location, updated_at: isoText(updated_at) }),
        ({ updated_at }) => makeCursor(timeToBytes(updated_at), path),
      );
      return { status: 200, body };
    },
  };
}
