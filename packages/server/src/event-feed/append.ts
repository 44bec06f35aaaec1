import type { components } from '@waybill/contract/types';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { isCitus } from '../database/citus.ts';
import { type RowStatement, rowStatement } from '../database/row-statement.ts';
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
export type StoredEventData = Omit<Schemas['EventData'], 'tracking_change'> & {
  tracking_change?: Omit<Schemas['TrackingChange'], 'shipment_id'>;
};

/** The class of the advisory locks of accounts: any number that nothing else locks. */
const lockClass = 7_266_297;
const lockOf = (accountId: RawBuilder<unknown>): RawBuilder<unknown> => sql`hashtext(${accountId}::text)`;

/**
 * Selects the accounts of rows and locks the feed of each until the transaction ends. The events of an account become
 * visible in the order of their numbers (`position`), because a transaction takes numbers only while it has the lock. All
 * instances lock in one order. Lock nothing afterwards: a transaction that waits for another one must not have the lock.
 */
export const lockFeeds = (rows: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select account_id, pg_advisory_xact_lock(${sql.lit(lockClass)}, feed) from (
    select account_id, ${lockOf(sql`account_id`)} as feed from ${rows} group by account_id order by feed
  ) accounts`;

/** Milliseconds that a group waits for the feed of an account. All writes of an account wait for it in turn. */
const feedLockTimeout = '200';

/**
 * Does what lockFeeds does, in the statement of a group. The feeds are locked after the expressions named here have inserted
 * their rows, because those insertions may wait for other transactions.
 */
export function lockFeedsAfter(inserted: string[], rows: RawBuilder<unknown>): RawBuilder<unknown> {
  // These conditions are always true. PostgreSQL reads the expressions, and so inserts their rows, to evaluate them, and it
  // locks only for rows that meet them.
  const isInserted = inserted.map((name) => sql`(select count(*) from ${sql.ref(name)}) >= 0`);
  const isTimeoutSet = sql`set_config('lock_timeout', ${sql.lit(feedLockTimeout)}, true) is not null`;
  return lockFeeds(sql`(select * from ${rows} where ${sql.join([...isInserted, isTimeoutSet], sql` and `)}) ready`);
}

/** Inserts events with the next positions. @param rows in their order, of accounts whose feeds are locked */
export const insertFeedEvents = (rows: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into events (account_id, position, created_at, type, shipment_id, data)
  select account_id, nextval('event_positions'), clock_timestamp(), type, shipment_id, data from ${rows}`;

interface EventRow {
  account_id: string;
  ordinal: number;
  type: string;
  shipment_id: string | null;
  data: string;
}

const appendRows: RowStatement<{ events: EventRow }, unknown> = rowStatement(
  { events: { account_id: 'uuid', ordinal: 'integer', type: 'text', shipment_id: 'uuid', data: 'jsonb' } },
  ({ events }) => sql`
    with new_event as materialized (select * from ${events} e),
    feed as materialized (${lockFeeds(sql`new_event`)})
    ${insertFeedEvents(sql`(select new_event.* from feed join new_event using (account_id) order by ordinal) ordered`)}`,
  { withCommit: true },
);

/**
 * Appends the events of a transaction to the feed of the account. Call it last, because it locks the feed until the
 * commit. The statement is sent together with the commit, which throws its error (`database/round-trips.ts`).
 */
export async function appendEvents(trx: Transaction<Tables>, accountId: string, events: NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(({ type, shipmentId, data }, ordinal) => ({
    account_id: accountId,
    ordinal,
    type,
    shipment_id: shipmentId,
    data: JSON.stringify(data),
  }));
  await ((await isCitus(trx)) ? appendOneByOne(trx, accountId, rows) : appendRows(trx, { events: rows }));
}

/** The same for Citus, where locks and sequences are on the coordinator and the rows on a worker. */
async function appendOneByOne(db: Kysely<Tables>, accountId: string, rows: EventRow[]): Promise<void> {
  const lock = sql`pg_advisory_xact_lock(${sql.lit(lockClass)}, ${lockOf(sql`${accountId}`)})`;
  await sql`select ${lock}`.execute(db);
  for (const { account_id, type, shipment_id, data } of rows) {
    const next = await sql<{ position: string }>`select nextval('event_positions') as position`.execute(db);
    const position = next.rows[0]?.position;
    await sql`
      insert into events (account_id, position, created_at, type, shipment_id, data)
      values (${account_id}, ${position}, ${new Date()}, ${type}, ${shipment_id}, ${data})`.execute(db);
  }
}
