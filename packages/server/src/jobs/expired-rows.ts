import { sql } from 'kysely';
import { isCitus } from '../database/citus.ts';
import type { Database } from '../database/connect.ts';
import { eventDays } from '../event-feed/retention.ts';
import { retentionHours } from '../idempotency/stored-responses.ts';
import { removeInBatches } from './batches.ts';
import { deleteOnShards } from './shards.ts';

/** Maximum rows that a statement deletes, so that writers of these rows do not wait long. */
const batchSize = 5000;

/** Deletes the expired idempotency keys of all accounts. @returns their number */
export async function deleteExpiredKeys(db: Database, signal?: AbortSignal): Promise<number> {
  const expired = { table: 'idempotency_keys', column: 'created_at', age: `${retentionHours} hours` };
  if (await isCitus(db)) return removeInBatches(() => deleteOnShards(db, expired, batchSize), batchSize, signal);
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
  return removeInBatches(remove, batchSize, signal);
}

/** Deletes expired positions outside the partitions of days, which are dropped as a whole. @returns their number */
export async function deleteExpiredPositions(
  db: Database,
  retentionDays: number,
  signal?: AbortSignal,
): Promise<number> {
  const expired = { table: 'positions_default', column: 'updated_at', age: `${retentionDays} days` };
  if (await isCitus(db)) return removeInBatches(() => deleteOnShards(db, expired, batchSize), batchSize, signal);
  const remove = async (): Promise<number> => {
    const { rows } = await sql`
      delete from positions_default where ctid = any(array(
        select ctid from positions_default
        where updated_at <= now() - make_interval(days => ${retentionDays})
        order by updated_at limit ${batchSize} for update skip locked))
      returning 1`.execute(db);
    return rows.length;
  };
  return removeInBatches(remove, batchSize, signal);
}

/** Deletes webhook deliveries whose events have expired. @returns their number */
export async function deleteExpiredDeliveries(db: Database, signal?: AbortSignal): Promise<number> {
  const expired = { table: 'webhook_deliveries', column: 'event_created_at', age: `${eventDays} days` };
  if (await isCitus(db)) return removeInBatches(() => deleteOnShards(db, expired, batchSize), batchSize, signal);
  const remove = async (): Promise<number> => {
    const { rows } = await sql`
      delete from webhook_deliveries where ctid = any(array(
        select ctid from webhook_deliveries
        where event_created_at <= now() - make_interval(days => ${eventDays})
        order by event_created_at limit ${batchSize} for update skip locked))
      returning 1`.execute(db);
    return rows.length;
  };
  return removeInBatches(remove, batchSize, signal);
}
