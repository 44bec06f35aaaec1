import { limitLockWaits, writeGroups } from '../database/batches.ts';
import type { Database } from '../database/database.ts';
import { jsonObject, literal } from '../database/expressions.ts';
import { type RowStatement, resultsOf, rowStatement, rowsOf } from '../database/row-statement.ts';
import { insertFeedEvents, lockFeedsOf } from '../event-feed/append.ts';
import type { GroupResult } from '../operations/commit-write.ts';
import {
  expiredBefore,
  insertResponses,
  type ResponseColumns,
  responseColumnTypes,
  selectStoredAt,
} from '../operations/stored-responses.ts';
import { initialTransition } from '../tracking/lifecycle.ts';
import type { NewShipment } from './queries.ts';

/** A shipment to insert, and its response, which is stored if the request has a key and becomes the data of the event. */
type ShipmentWithResponse = NewShipment & ResponseColumns;

/** Makes the function that creates a shipment together with concurrent requests. */
export const creationGroups = (database: Database): ((row: ShipmentWithResponse) => Promise<GroupResult>) =>
  writeGroups<ShipmentWithResponse, GroupResult>(
    database,
    {
      name: 'create_shipments',
      /** In characters. */
      size: { max: 1_000_000, of: (row) => row.origin.length + row.destination.length + row.response_body.length },
      /** Shipments with the same reference are inserted one after the other, so that the second finds the first. */
      exclusiveKey: ({ account_id, reference }) => (reference === null ? undefined : `${account_id} ${reference}`),
    },
    async (rows) => {
      // `database`, not its `ofAccount(…)` as in requests of one account: a group has shipments of several.
      const results = await insertShipmentGroup(database, { rows });
      return resultsOf(
        rows.map(({ id }) => id),
        results,
      );
    },
  );

interface InsertResult {
  id: string;
  result: GroupResult;
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
const shipmentColumns = Object.keys(columnTypes) as (keyof NewShipment)[];
const statusLiteral = literal(initialTransition.to);
const descriptionLiteral = literal(initialTransition.description);

/**
 * Inserts shipments with the first entries of their timelines, stores their responses and appends events, in one statement,
 * which is a transaction: PostgreSQL commits it when it ends.
 *
 * A shipment is left out when its key has a stored response (`key_taken`, or `commit_alone` if that is expired) or another
 * shipment has its reference (`commit_alone`: the problem is found there). A group has no key twice: `waitOrStart`
 * (operations/running-requests.ts) lets one request with a key run at a time.
 *
 * PostgreSQL executes it in this order: limit the wait for locks, search keys and references, insert the responses, insert
 * the shipments, lock the feeds, append the events. Each expression reads the one before it, and `lockFeedsOf` the responses
 * before the shipments. Changes are executed to their end, also those that nothing reads. All instances lock in one order, so
 * that there is no deadlock between groups. `commitAlone` inserts the shipment first; a deadlock with it ends after the short
 * wait of the group.
 * @throws an error of PostgreSQL when another transaction takes a key or a reference meanwhile; then nothing is inserted,
 * and `writeGroups` lets each request be committed alone
 */
const insertShipmentGroup: RowStatement<{ rows: ShipmentWithResponse }, InsertResult> = rowStatement(
  { rows: rowsOf<ShipmentWithResponse>({ ...columnTypes, ...responseColumnTypes }) },
  (db, { rows }) =>
    db
      .with((cte) => cte('lock_timeout').materialized(), limitLockWaits)
      .with(
        (cte) => cte('searched').materialized(),
        (from) =>
          from
            .selectFrom(['lock_timeout', rows.as('s')])
            .selectAll('s')
            .select((eb) => [
              selectStoredAt(db, 's').as('stored_at'),
              eb
                .selectFrom('shipments as other')
                .select('other.id')
                .whereRef('other.account_id', '=', 's.account_id')
                .whereRef('other.reference', '=', 's.reference')
                .where('other.status', '<>', literal('cancelled'))
                .as('id_with_reference'),
            ]),
      )
      .with(
        (cte) => cte('decided').materialized(),
        (from) =>
          from
            .selectFrom('searched')
            .selectAll()
            .select((eb) =>
              eb
                .case()
                .when('stored_at', '>', expiredBefore)
                .then(literal('key_taken'))
                .when(eb.or([eb('stored_at', 'is not', null), eb('id_with_reference', 'is not', null)]))
                .then(literal('commit_alone'))
                .else(literal('committed'))
                .end()
                .as('result'),
            ),
      )
      .with(
        (cte) => cte('accepted').materialized(),
        (from) => from.selectFrom('decided').selectAll().where('result', '=', literal('committed')),
      )
      .with('response', () => insertResponses(db, 'accepted'))
      .with('shipment', (into) =>
        into
          .insertInto('shipments')
          .columns([...shipmentColumns, 'status', 'version'])
          .expression((from) =>
            from
              .selectFrom('accepted')
              .select(shipmentColumns)
              .select((eb) => [statusLiteral.as('status'), eb.lit(1).as('version')])
              .orderBy('account_id')
              .orderBy('reference'),
          )
          .returning('account_id'),
      )
      .with('timeline_entry', (into) =>
        into
          .insertInto('tracking_events')
          .columns(['account_id', 'shipment_id', 'version', 'status', 'occurred_at', 'description'])
          .expression((from) =>
            from
              .selectFrom('accepted')
              .select((eb) => [
                'account_id',
                'id',
                eb.lit(1).as('version'),
                statusLiteral.as('status'),
                'updated_at',
                descriptionLiteral.as('description'),
              ]),
          ),
      )
      // Not after timeline_entry: its insertion never waits, because its shipment is new.
      .with((cte) => cte('feed').materialized(), lockFeedsOf(['response', 'shipment']))
      .with('feed_event', (from) =>
        insertFeedEvents(
          db,
          from
            .selectFrom('feed')
            .innerJoin('accepted', 'accepted.account_id', 'feed.account_id')
            .select((eb) => [
              'accepted.account_id',
              'accepted.id as shipment_id',
              literal('shipment.created').as('type'),
              jsonObject({ shipment: eb.ref('response_body') }).as('data'),
            ]),
        ),
      )
      .selectFrom('decided')
      .select(['id', 'result']),
);
