import { sql } from 'kysely';
import type { Database } from '../database/connect.ts';
import { retentionHours } from '../idempotency/stored-responses.ts';

/** One statement deletes at most this many rows, so that a writer of one of them does not wait long. */
const batch = 5000;

/** Repeats a bounded removal until nothing is left or the signal aborts. @returns how much was removed */
export async function drain(remove: () => Promise<number>, size: number, signal?: AbortSignal): Promise<number> {
  let total = 0;
  for (;;) {
    if (signal?.aborted) return total;
    const removed = await remove();
    total += removed;
    if (removed < size) return total;
  }
}

/** Deletes expired idempotency keys. It names no account, because expiry is the same for all. */
export function deleteExpiredKeys(db: Database, signal?: AbortSignal): Promise<number> {
  // Each batch goes on where the one before ended: the index still leads to the rows that were deleted.
  let from = new Date(0);
  const remove = async (): Promise<number> => {
    const { rows } = await sql<{ count: number; last: Date | null }>`
      with deleted as (
        delete from idempotency_keys where ctid = any(array(
          select ctid from idempotency_keys
          where created_at >= ${from} and created_at <= now() - make_interval(hours => ${retentionHours})
          order by created_at limit ${batch} for update skip locked))
        returning created_at
      )
      select count(*)::integer as count, max(created_at) as last from deleted`.execute(db);
    from = rows[0]?.last ?? from;
    return rows[0]?.count ?? 0;
  };
  return drain(remove, batch, signal);
}

/** Deletes expired positions that are in no day's partition: those are dropped as a whole. */
export function deleteExpiredPositions(db: Database, retentionDays: number, signal?: AbortSignal): Promise<number> {
  const remove = async (): Promise<number> => {
    const { rows } = await sql`
      delete from positions_default where ctid = any(array(
        select ctid from positions_default
        where updated_at <= now() - make_interval(days => ${retentionDays})
        order by updated_at limit ${batch} for update skip locked))
      returning 1`.execute(db);
    return rows.length;
  };
  return drain(remove, batch, signal);
}
