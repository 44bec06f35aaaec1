import { defaultPageSize } from '@waybill/contract/limits';
import { notFound } from '@waybill/http/problems';
import { batchedRead } from '../database/statements/batched-read.ts';
import type { Services } from '../feature.ts';
import { makeCursor, pageOf, readCursor, timeFromCursor, timeLength, timeToBytes } from '../operations/pagination.ts';
import type { Handlers } from '../operations/route-handlers.ts';
import { selectPositions, storeReport } from './positions.ts';
import { positionRecording } from './positions-group.ts';
import { getShipment, transition } from './queries.ts';
import { reportOfEvent, requirePossible } from './reports.ts';
import { readLockedTracking, selectTracking, trackingFrom } from './status.ts';

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

    async recordTrackingEvent({ path, body }, { accountId, addEvent, db, now }) {
      const { location, status, description } = body;
      const report = reportOfEvent(body);
      const occurred = { at: report.at, field: 'timestamp' } as const;
      const request = { operation: 'recordTrackingEvent', to: status, occurred, description, now } as const;
      const id = await transition(db, accountId, path, request);
      requirePossible(location, { at: report.at, pointer: '/timestamp', days: positionDays, now });
      const shipment = { accountId, id, ...path, status };
      const changes = await storeReport(db, shipment, report);
      const tracking = await readLockedTracking(db, accountId, path.tracking_number);
      addEvent({ type: 'tracking.status_reached', shipmentId: id, data: { tracking } });
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
        ({ updated_at, ...location }) => ({ ...location, updated_at: updated_at.toISOString() }),
        ({ updated_at }) => makeCursor(timeToBytes(updated_at), path),
      );
      return { status: 200, body };
    },
  };
}
