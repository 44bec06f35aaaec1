import { initialTransition } from '@waybill/http/shipments/lifecycle';
import { sql } from 'kysely';
import { lockTimeoutRow } from '../database/group-commit.ts';
import { columnList, type RowStatement, rowStatement } from '../database/row-statement.ts';
import { insertFeedEvents, lockFeedsAfter } from '../event-feed/append.ts';
import {
  insertResponses,
  isUnexpired,
  type NewStoredResponse,
  storedAt,
  storedResponseColumns,
} from '../idempotency/stored-responses.ts';
import type { ShipmentDetails, ShipmentRow } from './queries.ts';

/** A shipment to insert, and its response, which is stored if the request has a key and becomes the data of the event. */
export type NewShipmentRow = ShipmentDetails &
  Pick<ShipmentRow, 'account_id' | 'id' | 'tracking_number' | 'updated_at'> &
  NewStoredResponse;

interface Outcome {
  id: string;
  result: 'inserted' | 'key_used' | 'execute_alone';
}

const { to: status, description } = initialTransition;

const insertedColumns = {
  account_id: 'uuid',
  id: 'uuid',
  tracking_number: 'text',
  type: 'text',
  origin: 'jsonb',
  destination: 'jsonb',
  pickup_start: 'timestamptz',
  pickup_end: 'timestamptz',
  reference: 'text',
  notes: 'text',
  updated_at: 'timestamptz',
};
const names = columnList(Object.keys(insertedColumns));

/**
 * Inserts shipments with the first entries of their timelines, stores their responses and appends events, in one statement.
 * A shipment is left out when its key has a stored response (`key_used`, or `execute_alone` if that is expired) or another
 * shipment has its reference (`execute_alone`: its handler then returns the problem). All instances insert in the same
 * order, so that they do not wait for each other in a circle. A group has no key twice: `running-requests.ts` lets one
 * request with a key run at a time.
 * PostgreSQL executes it in this order: limit the wait for locks, search keys and references, insert, lock the feeds, append
 * the events.
 * @throws an error of PostgreSQL when another transaction takes a key or a reference meanwhile; then nothing is inserted,
 * and `groupCommit` lets each request be executed alone
 */
export const insertGroup: RowStatement<{ shipments: NewShipmentRow }, Outcome> = rowStatement(
  { shipments: { ...insertedColumns, ...storedResponseColumns } },
  ({ shipments }) => sql`
    with lock_timeout as materialized ${lockTimeoutRow},
    request as materialized (
      select s.*,
        ${storedAt('s')} as stored_at,
        (select id from shipments other
         where other.account_id = s.account_id and other.reference = s.reference and other.status <> 'cancelled'
        ) is not null as is_reference_taken
      from lock_timeout, ${shipments} s
    ),
    accepted as materialized (select * from request where stored_at is null and not is_reference_taken),
    response as (${insertResponses(sql`accepted`)} returning 1),
    shipment as (
      insert into shipments (status, version, ${names})
      select ${sql.lit(status)}, 1, ${names} from accepted order by account_id, reference
      returning 1
    ),
    timeline_entry as (
      insert into tracking_events (account_id, shipment_id, version, status, occurred_at, description)
      select account_id, id, 1, ${sql.lit(status)}, updated_at, ${sql.lit(description)} from accepted
    ),
    -- The feeds are locked after the expressions that may wait: not timeline_entry, because its shipment is new.
    feed as materialized (${lockFeedsAfter(['response', 'shipment'], sql`accepted`)}),
    feed_event as (
      ${insertFeedEvents(sql`(
        select account_id, 'shipment.created' as type, id as shipment_id,
          jsonb_build_object('shipment', response_body) as data
        from feed join accepted using (account_id)) created`)}
    )
    select id, case
      when ${isUnexpired('stored_at')} then 'key_used'
      when stored_at is null and not is_reference_taken then 'inserted'
      else 'execute_alone' end as result
    from request`,
);
