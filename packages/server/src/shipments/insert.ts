import { initialTransition } from '@waybill/http/shipments/lifecycle';
import type { InsertType, Kysely } from 'kysely';
import { jsonObject, literal } from '../database/expressions.ts';
import { lockTimeout } from '../database/group-commit.ts';
import { type RowStatement, rowStatement, rowsOf } from '../database/row-statement.ts';
import type { Tables } from '../database/tables.ts';
import { insertFeedEvents, lockFeedsAfter } from '../event-feed/append.ts';
import {
  expiry,
  insertResponses,
  type NewStoredResponse,
  storedAt,
  storedResponseTypes,
} from '../operations/stored-responses.ts';
import { insertTimelineEntry } from '../tracking/queries.ts';

type Shipments = Tables['shipments'];

/** The columns of a new shipment, except those that are the same for all. */
export type NewShipment = {
  [Column in Exclude<
    keyof Shipments,
    | 'status'
    | 'version'
    | 'cancellation_reason'
    | 'route_since'
    | 'wrong_handover_codes'
    | 'exceptions'
    | 'open_exceptions'
  >]: Exclude<InsertType<Shipments[Column]>, undefined>;
};

/** A shipment to insert, and its response, which is stored if the request has a key and becomes the data of the event. */
export type NewShipmentRow = NewShipment & NewStoredResponse;

interface InsertResult {
  id: string;
  result: 'inserted' | 'key_used' | 'execute_alone';
}

const columnTypes: Record<keyof NewShipment, string> = {
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
  details: 'jsonb',
  handover_code: 'text',
  updated_at: 'timestamptz',
};
const columns = Object.keys(columnTypes) as (keyof NewShipment)[];
const status = literal(initialTransition.to);
const description = literal(initialTransition.description);

/**
 * Inserts shipments with the first entries of their timelines, stores their responses and appends events, in one statement
 * outside a transaction: PostgreSQL commits it when it ends.
 *
 * A shipment is left out when its key has a stored response (`key_used`, or `execute_alone` if that is expired) or another
 * shipment has its reference (`execute_alone`: the problem is found there). All instances insert in the same order, so that
 * there is no deadlock. A group has no key twice: `running-requests.ts` lets one request with a key run at a time.
 *
 * PostgreSQL executes it in this order: limit the wait for locks, search keys and references, insert, lock the feeds, append
 * the events.
 * @throws an error of PostgreSQL when another transaction takes a key or a reference meanwhile; then nothing is inserted,
 * and `groupCommit` lets each request be executed alone
 */
export const insertGroup: RowStatement<{ shipments: NewShipmentRow }, InsertResult> = rowStatement(
  { shipments: rowsOf<NewShipmentRow>({ ...columnTypes, ...storedResponseTypes }) },
  (db, { shipments }) =>
    db
      .with((cte) => cte('lock_timeout').materialized(), lockTimeout)
      .with(
        (cte) => cte('request').materialized(),
        (is) =>
          is
            .selectFrom(['lock_timeout', shipments.as('s')])
            .selectAll('s')
            .select((is) => [
              storedAt(db, 's').as('stored_at'),
              is
                .selectFrom('shipments as other')
                .select('other.id')
                .whereRef('other.account_id', '=', 's.account_id')
                .whereRef('other.reference', '=', 's.reference')
                .where('other.status', '<>', literal('cancelled'))
                .as('id_with_reference'),
            ]),
      )
      .with(
        (cte) => cte('accepted').materialized(),
        (is) =>
          is.selectFrom('request').selectAll().where('stored_at', 'is', null).where('id_with_reference', 'is', null),
      )
      .with('response', () => insertResponses(db, 'accepted'))
      .with('shipment', (is) =>
        is
          .insertInto('shipments')
          .columns([...columns, 'status', 'version'])
          .expression((from) =>
            from
              .selectFrom('accepted')
              .select(columns)
              .select((is) => [status.as('status'), is.lit(1).as('version')])
              .orderBy('account_id')
              .orderBy('reference'),
          )
          .returning('id'),
      )
      .with('timeline_entry', (is) =>
        is
          .insertInto('tracking_events')
          .columns(['account_id', 'shipment_id', 'version', 'status', 'occurred_at', 'description'])
          .expression((from) =>
            from
              .selectFrom('accepted')
              .select((is) => [
                ...(['account_id', 'id', is.lit(1).as('version'), status.as('status')] as const),
                ...(['updated_at', description.as('description')] as const),
              ]),
          ),
      )
      // The feeds are locked after the expressions that may wait: not timeline_entry, because its shipment is new.
      .with((cte) => cte('feed').materialized(), lockFeedsAfter(['response', 'shipment'], 'accepted'))
      .with('feed_event', (is) =>
        insertFeedEvents(
          db,
          is
            .selectFrom('feed')
            .innerJoin('accepted', 'accepted.account_id', 'feed.account_id')
            .select((is) => [
              ...(['accepted.account_id', 'accepted.id as shipment_id'] as const),
              literal('shipment.created').as('type'),
              jsonObject({ shipment: is.ref('response_body') }).as('data'),
            ]),
        ),
      )
      .selectFrom('request')
      .select((is) => [
        'id',
        is
          .case()
          .when('stored_at', '>', expiry)
          .then(literal('key_used'))
          .when(is.and([is('stored_at', 'is', null), is('id_with_reference', 'is', null)]))
          .then(literal('inserted'))
          .else(literal('execute_alone'))
          .end()
          .as('result'),
      ]),
);

/**
 * Inserts a shipment and the first entry of its timeline. Call it in a transaction.
 * @returns false when another shipment of the account that is not cancelled has the reference
 */
export async function insertShipment(db: Kysely<Tables>, row: NewShipment): Promise<boolean> {
  const { to: status, description } = initialTransition;
  const inserted = await db
    .insertInto('shipments')
    .values({ ...row, status, version: 1 })
    .onConflict((conflict) =>
      // The unique index of references leaves out cancelled shipments.
      conflict
        .columns(['account_id', 'reference'])
        .where('reference', 'is not', null)
        .where('status', '<>', literal('cancelled'))
        .doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  if (!inserted) return false;
  const entry = { version: 1, status, occurred_at: row.updated_at, description };
  await insertTimelineEntry(db, { account_id: row.account_id, shipment_id: row.id, ...entry });
  return true;
}

/** The id of the account's shipment that has the reference and is not cancelled. */
export async function findShipmentIdByReference(
  db: Kysely<Tables>,
  accountId: string,
  reference: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('shipments')
    .select('id')
    .where('account_id', '=', accountId)
    .where('reference', '=', reference)
    .where('status', '<>', literal('cancelled'))
    .executeTakeFirst();
  return row?.id;
}
