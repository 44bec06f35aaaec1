import { sql } from 'kysely';
import type { GroupHandler } from '../contract/handler-types.ts';
import { GroupRefused, groupCommit, setLockTimeout } from '../database/group-commit.ts';
import { type RowStatement, rowStatement } from '../database/row-statement.ts';
import type { Tables } from '../database/tables.ts';
import type { GroupResult, Written } from '../idempotency/execute-write.ts';
import {
  isUnexpired,
  type KeyedRequest,
  newStoredResponse,
  storedAt,
  storeResponses,
} from '../idempotency/stored-responses.ts';
import { reportFrom, trackingFrom } from './handlers.ts';
import { acceptsPositions, insertPositions, type ShipmentPositions } from './positions.ts';
import { selectTracking, type TrackingRow } from './queries.ts';

/** A request to record positions. */
interface PositionsWrite extends Pick<ShipmentPositions, 'positions' | 'eta'> {
  account_id: string;
  tracking_number: string;
  keyedRequest: KeyedRequest | undefined;
  prepare(row: TrackingRow): Written;
}

interface LockedShipment {
  account_id: string;
  tracking_number: string;
  id: string;
  status: Tables['shipments']['status'];
  /** The key of the request has a stored response. */
  is_stored: boolean;
  /** Null without a stored response. */
  is_expired: boolean | null;
}

const nameOf = (shipment: { account_id: string; tracking_number: string }): string =>
  `${shipment.account_id} ${shipment.tracking_number}`;

const groupOptions = {
  name: 'record_positions',
  maxRunning: 2,
  maxItems: 64,
  /** In positions. */
  weight: { max: 2_000, of: ({ positions }: PositionsWrite) => positions.length },
  exclusive: nameOf,
};

/** Locks shipments in one order, so that instances do not wait for each other in a circle. Leaves out what is locked. */
const lockShipments: RowStatement<
  { requests: { account_id: string; tracking_number: string; key: string | null } },
  LockedShipment
> = rowStatement(
  { requests: { account_id: 'uuid', tracking_number: 'text', key: 'text' } },
  ({ requests }) => sql`
    with lock_timeout as materialized ${setLockTimeout}
    select s.account_id, s.tracking_number, s.id, s.status, r.stored_at is not null as is_stored,
      not ${isUnexpired('r.stored_at')} as is_expired
    from lock_timeout, (select q.*, ${storedAt('q')} as stored_at from ${requests} q) r
    join shipments s on s.account_id = r.account_id and s.tracking_number = r.tracking_number
    order by s.account_id, s.id for no key update of s skip locked`,
);

const recordTogether = groupCommit(groupOptions, (db, writes: PositionsWrite[]) =>
  db.transaction().execute(async (trx) => {
    // One write of each name: `exclusive` sees to it.
    const byName = new Map(writes.map((write) => [nameOf(write), write]));
    const results = new Map<PositionsWrite, GroupResult>();
    const accepted: (PositionsWrite & ShipmentPositions)[] = [];
    for (const shipment of await lockShipments(trx, { requests: writes.map(requestOf) })) {
      const write = byName.get(nameOf(shipment));
      if (!write) continue;
      if (shipment.is_stored) results.set(write, shipment.is_expired ? 'alone' : 'taken');
      else if (acceptsPositions(shipment.status)) {
        accepted.push({ ...write, shipment_id: shipment.id, status: shipment.status });
      }
    }
    if (accepted.length > 0) {
      await insertPositions(trx, accepted);
      const responses = (await selectTracking(trx, { pairs: accepted })).flatMap((row) => {
        const write = byName.get(nameOf(row));
        if (!write) return [];
        const written = write.prepare(row);
        results.set(write, written);
        return { account_id: row.account_id, ...newStoredResponse(write.keyedRequest, written.response) };
      });
      if (responses.some(({ key }) => key !== null)) await storeResponses(trx, { responses });
    }
    // Alone: no such shipment, one that another transaction has locked, or one whose status refuses positions.
    return writes.map((write) => results.get(write) ?? 'alone');
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
    prepare(row) {
      try {
        return context.prepare({ status: 200, body: trackingFrom(row) });
      } catch (error) {
        // In the transaction of the group: this error must not be that of the other writes.
        throw new GroupRefused('A response cannot be sent.', { cause: error });
      }
    },
  });
};
