import { sql } from 'kysely';
import { lockTimeoutRow } from '../database/group-commit.ts';
import { type RowStatement, rowStatement } from '../database/row-statement.ts';
import { insertFeedEvents, lockFeedsAfter } from '../event-feed/append.ts';
import {
  insertResponses,
  isUnexpired,
  type NewStoredResponse,
  storedAt,
  storedResponseColumns,
} from '../idempotency/stored-responses.ts';
import { type PositionsInput, positionsInputColumns, positionsSql } from './insert-positions.ts';
import { selectTrackingFrom, type TrackingRow } from './queries.ts';

interface LockedShipment extends TrackingRow {
  shipment_id: string;
  /** The number of entries of the timeline. */
  version: number;
  /** `xmin` of the current position that was read, which changes with each update; null without one. */
  current_position_xmin: string | null;
  /** The key of the request has a stored response. */
  has_response: boolean;
  /** Null without a stored response. */
  is_response_expired: boolean | null;
}

/**
 * Locks shipments and selects their tracking statuses. All instances lock in one order, so that they do not wait for each
 * other in a circle. A shipment that another transaction has locked is left out (`skip locked`). The limit of the wait for
 * locks applies to the whole transaction, and so to `writeGroupWithCommit`.
 *
 * The snapshot is older than the locks. When another transaction commits in between, PostgreSQL returns the new row of the
 * shipment, but the old timeline, which `isTimelineCurrent` detects, and the old current position, which
 * `writeGroupWithCommit` detects.
 */
export const lockShipments: RowStatement<
  { requests: { account_id: string; tracking_number: string; key: string | null } },
  LockedShipment
> = rowStatement({ requests: { account_id: 'uuid', tracking_number: 'text', key: 'text' } }, ({ requests }) => {
  const keys = sql`(select q.*, ${storedAt('q')} as stored_at from ${requests} q) r`;
  const from = sql`
    lock_timeout, ${keys}
    join shipments s on s.account_id = r.account_id and s.tracking_number = r.tracking_number`;
  // selectTrackingFrom names the current positions c.
  const columns = sql`, s.id as shipment_id, s.version, c.xmin::text as current_position_xmin,
    r.stored_at is not null as has_response, not ${isUnexpired('r.stored_at')} as is_response_expired`;
  return sql<LockedShipment>`
    with lock_timeout as materialized ${lockTimeoutRow}
    ${selectTrackingFrom(from, sql`s.account_id`, columns)}
    order by s.account_id, s.id for no key update of s skip locked`;
});

/** Whether the timeline has the last entry of the shipment. Entries are numbered from 1. */
export const isTimelineCurrent = ({ timeline, version }: LockedShipment): boolean => timeline.length === version;

export interface ResponseRow extends NewStoredResponse {
  account_id: string;
  shipment_id: string;
  location_changed: boolean;
  eta_changed: boolean;
  current_position_xmin: string | null;
}

/**
 * Inserts the positions of locked shipments, updates their current positions, stores the responses and appends events.
 * It is sent with the commit (`database/round-trips.ts`), which throws an error of PostgreSQL when a key has a stored
 * response, when another transaction stores one, and when a current position is not the one that `lockShipments` returned.
 */
export const writeGroupWithCommit: RowStatement<PositionsInput & { responses: ResponseRow }, unknown> = rowStatement(
  {
    ...positionsInputColumns,
    responses: {
      ...{ account_id: 'uuid', shipment_id: 'uuid', location_changed: 'boolean', eta_changed: 'boolean' },
      ...{ current_position_xmin: 'text', ...storedResponseColumns },
    },
  },
  ({ responses, ...sources }) => sql`
    with request as materialized (select * from ${responses} r),
    response as (${insertResponses(sql`request`)} returning 1),
    ${positionsSql(sources)},
    changed as materialized (
      select account_id, shipment_id, 1 as ordinal, 'tracking.location_changed' as type, response_body
      from request where location_changed
      union all
      select account_id, shipment_id, 2, 'tracking.eta_changed', response_body from request where eta_changed
    ),
    -- The other insertions wait for nothing, because the shipments are locked.
    feed as materialized (${lockFeedsAfter(['response'], sql`changed`)}),
    feed_event as (
      ${insertFeedEvents(sql`(
        select account_id, type, shipment_id, jsonb_build_object('tracking', response_body) as data
        from feed join changed using (account_id) order by ordinal) ordered`)}
    )
    -- Divides by zero when a current position has changed: each write of the group is then executed alone
    -- (maySucceedSeparately of database/errors.ts). The subquery does not see the updates of this statement.
    select 1 / (r.current_position_xmin is not distinct from (
      select c.xmin::text from current_positions c where c.account_id = r.account_id and c.shipment_id = r.shipment_id
    ))::integer
    from request r`,
  { withCommit: true },
);
