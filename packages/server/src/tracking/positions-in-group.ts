import { GroupRefused, groupCommit } from '../database/group-commit.ts';
import type { GroupResult, PreparedResponse } from '../idempotency/execute-write.ts';
import { type KeyedRequest, newStoredResponse } from '../idempotency/stored-responses.ts';
import type { GroupHandler } from '../operations/handler-types.ts';
import { reportFrom, trackingFrom } from './handlers.ts';
import { rowsFrom, type ShipmentReport } from './insert-positions.ts';
import { acceptsPositions } from './positions.ts';
import {
  isTimelineCurrent,
  lockShipments,
  type ResponseRow,
  writeGroupWithCommit,
} from './positions-group-statements.ts';
import type { TrackingRow } from './queries.ts';
import { applyReport, type Report } from './report.ts';

/** A request to record positions. */
interface PositionsWrite extends Report {
  account_id: string;
  tracking_number: string;
  keyedRequest: KeyedRequest | undefined;
  prepareTracking(row: TrackingRow): PreparedResponse;
}

const shipmentKeyOf = (shipment: { account_id: string; tracking_number: string }): string =>
  `${shipment.account_id} ${shipment.tracking_number}`;

const groupOptions = {
  name: 'record_positions',
  maxRunning: 2,
  maxItems: 64,
  /** In positions. */
  weight: { max: 2_000, of: ({ positions }: PositionsWrite) => positions.length },
  exclusiveKey: shipmentKeyOf,
};

const recordTogether = groupCommit(groupOptions, (db, writes: PositionsWrite[]) =>
  db.transaction().execute(async (trx) => {
    // One write of each shipment: `exclusiveKey` sees to it.
    const writeOf = new Map(writes.map((write) => [shipmentKeyOf(write), write]));
    const results = new Map<PositionsWrite, GroupResult>();
    const reports: ShipmentReport[] = [];
    const responses: ResponseRow[] = [];
    for (const shipment of await lockShipments(trx, { requests: writes.map(requestOf) })) {
      const write = writeOf.get(shipmentKeyOf(shipment));
      if (!write) throw new Error('PostgreSQL returned a shipment that was not requested');
      if (shipment.has_response) results.set(write, shipment.is_response_expired ? 'execute_alone' : 'key_used');
      else if (acceptsPositions(shipment.status) && isTimelineCurrent(shipment)) {
        const { account_id, shipment_id, status, current_position_xmin } = shipment;
        const { tracking, changed } = applyReport(shipment, write);
        const prepared = write.prepareTracking(tracking);
        results.set(write, prepared);
        reports.push({ account_id, shipment_id, status, positions: write.positions, eta: write.eta });
        const response = newStoredResponse(write.keyedRequest, prepared.response);
        const changes = { location_changed: changed.location, eta_changed: changed.eta };
        responses.push({ account_id, shipment_id, current_position_xmin, ...changes, ...response });
      }
    }
    if (reports.length > 0) await writeGroupWithCommit(trx, { ...rowsFrom(reports), responses });
    // Alone: no such shipment, one that another transaction has locked or has just changed, or one whose status refuses
    // positions.
    return writes.map((write) => results.get(write) ?? 'execute_alone');
  }),
);

const requestOf = ({ account_id, tracking_number, keyedRequest }: PositionsWrite) => ({
  account_id,
  tracking_number,
  key: keyedRequest?.key ?? null,
});

/** Records positions together with concurrent requests, at most one of each shipment. */
export const recordPositionsInGroup: GroupHandler<'recordPositions'> = async ({ path, body }, context) => {
  const { accountId, db, keyedRequest, now, positionDays } = context;
  return recordTogether(db, {
    ...reportFrom(body, positionDays, now),
    account_id: accountId,
    tracking_number: path.tracking_number,
    keyedRequest,
    prepareTracking(row) {
      try {
        return context.prepareResponse({ status: 200, body: trackingFrom(row) });
      } catch (error) {
        // In the transaction of the group: this error must not be that of the other writes.
        throw new GroupRefused('A response cannot be sent.', { cause: error });
      }
    },
  });
};
