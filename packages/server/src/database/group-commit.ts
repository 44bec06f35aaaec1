import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type BatchOptions, inBatches } from './batches.ts';
import { maySucceedSeparately } from './errors.ts';
import { observerOf } from './observer.ts';
import { perDatabase } from './per-database.ts';
import type { Tables } from './tables.ts';

/** Throw it in a group when one of its writes cannot be part of any group. Then all of them are executed alone. */
export class GroupRefused extends Error {}

/**
 * Commits concurrent writes in groups: they share a transaction, and so its round trips and its flush to disk. When a
 * write of a group fails, nothing is committed and each write is executed alone, so that none fails because of another.
 * @param commit commits the group in one transaction, perhaps by a single statement; returns a result for each write
 * @returns a function that resolves to the result of a write after its commit, or to `execute_alone` when it is not
 * committed and may succeed in a transaction of its own (`maySucceedSeparately`). It rejects when PostgreSQL cannot be
 * reached or lacks time or resources; then the write may be committed
 */
export function groupCommit<Write, Result>(
  options: BatchOptions<Write>,
  commit: (db: Kysely<Tables>, writes: Write[]) => Promise<(Result | 'execute_alone')[]>,
): (db: Kysely<Tables>, write: Write) => Promise<Result | 'execute_alone'> {
  const groups = perDatabase((db) =>
    inBatches(
      options,
      async (writes: Write[]): Promise<(Result | 'execute_alone')[]> => {
        try {
          return await commit(db, writes);
        } catch (error) {
          if (maySucceedSeparately(error) || error instanceof GroupRefused) return writes.map(() => 'execute_alone');
          throw error;
        }
      },
      observerOf(db),
    ),
  );
  return (db, write) => groups(db)(write);
}

/**
 * Milliseconds that a group waits for each lock. Its writes rarely wait for one; a write that does must not delay the
 * others, and waits alone.
 */
const rowLockTimeout = '50';

/** A row to select from before a group takes its locks: it limits the wait for each. `lockFeedsAfter` sets another limit. */
export const lockTimeoutRow: RawBuilder<unknown> = sql`(select set_config('lock_timeout', ${sql.lit(rowLockTimeout)}, true))`;
