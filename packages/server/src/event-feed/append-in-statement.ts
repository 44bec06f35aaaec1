import {
  type AliasableExpression,
  type Expression,
  type InsertQueryBuilder,
  type InsertResult,
  type Kysely,
  type QueryCreator,
  sql,
} from 'kysely';
import { setLockTimeout } from '../database/statements/expressions.ts';
import type { Tables } from '../database/tables.ts';
import { createdAt, groupFeedTimeout, lockFeed, lockKeyOf, type NewEventRow, nextEventNumber } from './append.ts';

// `appendEvents` (append.ts) as parts of a larger statement.

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
      .select(setLockTimeout(groupFeedTimeout).as('lock_timeout')) // selected for its effect
      .groupBy('account_id')
      .orderBy('lock_key');
    return db.selectFrom(accounts.as('a')).select(['account_id', lockFeed(sql.ref('lock_key')).as('locked')]);
  };

/** Inserts events with the next numbers. @param rows in their order, of accounts whose feeds are locked */
export const insertFeedEvents = (
  db: Kysely<Tables>,
  rows: AliasableExpression<Omit<NewEventRow, 'data'> & { data: unknown }>,
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
