import type { EventData } from '@waybill/contract/events';
import type { components } from '@waybill/contract/types';
import {
  type AliasableExpression,
  type Expression,
  expressionBuilder,
  type InsertQueryBuilder,
  type InsertResult,
  type Kysely,
  type QueryCreator,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
  type Transaction,
} from 'kysely';
import { executeWithNextStatement } from '../database/driver.ts';
import { literal, setLockTimeout } from '../database/expressions.ts';
import type { Tables } from '../database/tables.ts';

type Schemas = components['schemas'];

/** A change of a shipment or of a webhook endpoint that a transaction makes. */
export interface NewEvent {
  type: Schemas['EventType'];
  /** A uuid; null for an event of a webhook endpoint. */
  shipmentId: string | null;
  data: StoredEventData;
}

/** The data of an event as it is stored. The id of a shipment is added to a change when the event is read. */
type StoredEventData = Omit<EventData, 'tracking_change'> & {
  tracking_change?: Omit<Schemas['TrackingChange'], 'shipment_id'>;
};

/** The class of the advisory locks of accounts: any number that nothing else locks. */
const lockClass = 7_266_297;
const lockKeyOf = (accountId: RawBuilder<unknown>): RawBuilder<number> => sql`hashtext(${accountId}::text)`;
const lock = (key: Expression<number>): RawBuilder<unknown> =>
  sql`pg_advisory_xact_lock(${sql.lit(lockClass)}, ${key})`;

/** Locks the feed of an account until the transaction ends: nothing else can append events to it meanwhile. */
export const lockFeed = (trx: Kysely<Tables>, accountId: string): SelectQueryBuilder<Tables, never, unknown> =>
  trx.selectNoFrom(lock(lockKeyOf(sql.val(accountId))).as('locked'));

const { fn } = expressionBuilder<Tables>();
export const nextEventNumber = fn<number>('nextval', [literal('event_numbers')]);
const createdAt = fn<Date>('clock_timestamp');

/**
 * Appends the events of a transaction to the feed of the account. Its events become visible in the order of their numbers,
 * because a transaction takes numbers only while it has the lock of the feed. Call it last, because a transaction that
 * waits for another one must not have the lock. The statements are sent together with the commit, which throws their error.
 * After the commit, call `notify` (notifications.ts), which wakes the readers. Groups of writes use `insertFeedEvents`.
 */
export async function appendEvents(trx: Transaction<Tables>, accountId: string, events: NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(({ type, shipmentId, data }) => ({
    account_id: accountId,
    number: nextEventNumber,
    created_at: createdAt,
    type,
    shipment_id: shipmentId,
    data: JSON.stringify(data),
  }));
  // Not one statement: Citus locks on the coordinator, where the sequence is, too, and inserts on the node of the account.
  await executeWithNextStatement(trx, lockFeed(trx, accountId));
  await executeWithNextStatement(trx, trx.insertInto('events').values(rows));
}

/** Milliseconds that a group waits for the feed of an account. All writes of an account wait for it in turn. */
const feedLockTimeout = '200';

/**
 * Makes the expression of a group that locks the feeds of the accounts of rows, until the transaction ends. PostgreSQL first
 * inserts all of these rows, because an insertion may wait for another transaction. All instances lock in one order.
 * @param tables the expressions with the rows, which have an `account_id`, in the order in which they are inserted
 */
export const lockFeedsOf =
  (tables: string[]) =>
  (db: QueryCreator<Tables>): Expression<{ account_id: string }> => {
    const rows = tables
      .map((table) => db.selectFrom(sql.table<{ account_id: string }>(table).as('r')).select('account_id'))
      .reduce((all, next) => all.unionAll(next));
    const accounts = db
      .selectFrom(rows.as('r'))
      .select(['account_id', lockKeyOf(sql.ref('account_id')).as('lock_key')])
      .select(setLockTimeout(feedLockTimeout).as('lock_timeout')) // selected for its effect
      .groupBy('account_id')
      .orderBy('lock_key');
    return db.selectFrom(accounts.as('a')).select(['account_id', lock(sql.ref('lock_key')).as('locked')]);
  };

/** An event to insert. */
type NewEventRow = Pick<Schemas['Event'], 'type'> & { account_id: string; shipment_id: string; data: unknown };

/** Inserts events with the next numbers. @param rows in their order, of accounts whose feeds are locked */
export const insertFeedEvents = (
  db: Kysely<Tables>,
  rows: AliasableExpression<NewEventRow>,
): InsertQueryBuilder<Tables, 'events', InsertResult> =>
  db
    .insertInto('events')
    .columns(['account_id', 'number', 'created_at', 'type', 'shipment_id', 'data'])
    .expression(
      db
        .selectFrom(rows.as('ordered'))
        .select([
          'account_id',
          nextEventNumber.as('number'),
          createdAt.as('created_at'),
          'type',
          'shipment_id',
          'data',
        ]),
    );
