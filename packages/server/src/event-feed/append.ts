import type { EventData } from '@waybill/contract/events';
import type { components } from '@waybill/contract/types';
import { type Expression, expressionBuilder, type RawBuilder, sql, type Transaction } from 'kysely';
import { executeWithNextStatement } from '../database/driver.ts';
import { advisoryLocks, literal, setLockTimeout } from '../database/statements/expressions.ts';
import { rowInsertion } from '../database/statements/row-statement.ts';
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

export const lockKeyOf = (accountId: RawBuilder<unknown>): RawBuilder<number> => sql`hashtext(${accountId}::text)`;
export const lockFeed = (key: Expression<number>): RawBuilder<unknown> =>
  sql`pg_advisory_xact_lock(${sql.lit(advisoryLocks.feeds)}, ${key})`;

/**
 * Milliseconds that a group waits for the feed of an account. All writes of an account wait for it in turn, so that it is more
 * than a group waits for other locks.
 */
export const groupFeedTimeout = 200;

/**
 * Locks the feeds of accounts until the transaction ends: nothing else can append events to them meanwhile. All instances lock
 * in one order.
 * @param timeout milliseconds to wait for each, instead of the limit of the transaction
 */
export const lockFeeds = (accountIds: string[], timeout?: number): RawBuilder<unknown> => {
  const limit = timeout === undefined ? sql`` : sql`, ${setLockTimeout(timeout)} as lock_timeout`;
  return sql`select ${lockFeed(sql.ref('lock_key'))}
    from (select distinct ${lockKeyOf(sql.ref('account_id'))} as lock_key${limit}
      from unnest(${accountIds}::text[]) as feeds (account_id) order by lock_key) as ordered`;
};

const { fn } = expressionBuilder<Tables>();
export const nextEventNumber = fn<number>('nextval', [literal('event_numbers')]);
export const createdAt = fn<Date>('clock_timestamp');

/** An event to insert, as a row of its table. */
export interface NewEventRow {
  account_id: string;
  type: NewEvent['type'];
  shipment_id: string | null;
  /** JSON. */
  data: string;
}

export const eventRow = (accountId: string, { type, shipmentId, data }: NewEvent): NewEventRow => ({
  account_id: accountId,
  type,
  shipment_id: shipmentId,
  data: JSON.stringify(data),
});

const insertEvents = rowInsertion<NewEventRow>(
  'events',
  { account_id: 'uuid', type: 'text', shipment_id: 'uuid', data: 'jsonb' },
  { number: nextEventNumber, created_at: createdAt },
);

/**
 * Appends the events of a transaction to the feeds of their accounts. Those of an account become visible in the order of their
 * numbers, because a transaction takes numbers only while it has the lock of the feed. Call it last, because a transaction that
 * waits for another one must not have the lock. The statements are sent together with the commit, which throws their error.
 * After the commit, call `notify` (notifications.ts), which wakes the readers. append-in-statement.ts does the same.
 * @param options `feedTimeout`: see `lockFeeds`; `isCitus`: for events of several accounts
 */
export async function appendEvents(
  trx: Transaction<Tables>,
  events: NewEventRow[],
  { feedTimeout, isCitus }: { feedTimeout?: number | undefined; isCitus?: boolean } = {},
): Promise<void> {
  if (events.length === 0) return;
  const accountIds = [...new Set(events.map(({ account_id }) => account_id))];
  // Not one statement: Citus locks on the coordinator, where the sequence is, too, and inserts on the nodes of the accounts.
  await executeWithNextStatement(trx, lockFeeds(accountIds, feedTimeout));
  await executeWithNextStatement(trx, insertEvents(events, isCitus));
}
