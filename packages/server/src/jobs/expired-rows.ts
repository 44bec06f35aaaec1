import { sql } from 'kysely';
import { isCitus } from '../database/citus.ts';
import type { Database } from '../database/connect.ts';
import { eventDays } from '../event-feed/retention.ts';
import { retentionHours } from '../idempotency/stored-responses.ts';
import { removeInBatches } from './batches.ts';
import { deleteOnShards, type ExpiredRows } from './shards.ts';

/** Maximum rows that a statement deletes, so that writers of these rows do not wait long. */
const batchSize = 5000;

/** Deletes the expired idempotency keys of all accounts. @returns their number */
export async function deleteExpiredKeys(db: Database, signal?: AbortSignal): Promise<number> {
  const expired = { table: 'idempotency_keys', column: 'created_at', age: `${retentionHours} hours` };
  // Each batch starts where the previous one ended, because the index still contains the deleted rows.
  let from = new Date(0);
  const remove = async (): Promise<number> => {
    const { rows } = await sql<{ count: number; last: Date | null }>`
      with deleted as (
        delete from idempotency_keys where ctid = any(array(
          select ctid from idempotency_keys
          where created_at >= ${from} and created_at <= now() - make_interval(hours => ${retentionHours})
          order by created_at limit ${batchSize} for update skip locked))
        returning created_at
      )
      select count(*)::integer as count, max(created_at) as last from deleted`.execute(db);
    from = rows[0]?.last ?? from;
    return rows[0]?.count ?? 0;
  };
  return deleteExpired(db, expired, signal, remove);
}

/** Deletes expired positions outside the partitions of days, which are dropped as a whole. @returns their number */
export const deleteExpiredPositions = (db: Database, retentionDays: number, signal?: AbortSignal): Promise<number> =>
  deleteExpired(db, { table: 'positions_default', column: 'updated_at', age: `${retentionDays} days` }, signal);

/** Deletes webhook deliveries whose events have expired. @returns their number */
export const deleteExpiredDeliveries = (db: Database, signal?: AbortSignal): Promise<number> =>
  deleteExpired(db, { table: 'webhook_deliveries', column: 'event_created_at', age: `${eventDays} days` }, signal);

/** @param deleteBatch deletes up to `batchSize` rows of PostgreSQL and returns their number */
async function deleteExpired(
  db: Database,
  expired: ExpiredRows,
  signal: AbortSignal | undefined,
  deleteBatch: () => Promise<number> = () => deleteRows(db, expired),
): Promise<number> {
  const remove = (await isCitus(db)) ? () => deleteOnShards(db, expired, batchSize) : deleteBatch;
  return removeInBatches(remove, batchSize, signal);
}

async function deleteRows(db: Database, expired: ExpiredRows): Promise<number> {
  const [table, column] = [sql.ref(expired.table), sql.ref(expired.column)];
  const { rows } = await sql`
    delete from ${table} where ctid = any(array(
      select ctid from ${table} where ${column} <= now() - ${expired.age}::interval
      order by ${column} limit ${batchSize} for update skip locked))
    returning 1`.execute(db);
  return rows.length;
}
