import type { Expression, QueryCreator } from 'kysely';
import { type BatchOptions, inBatches } from './batches.ts';
import type { Database } from './database.ts';
import { maySucceedSeparately } from './errors.ts';
import { literal } from './expressions.ts';
import type { Tables } from './tables.ts';

/**
 * Commits concurrent writes in groups: they share a transaction, and so its round trips and its flush to disk. When a
 * write of a group fails, nothing is committed and each write is executed alone, so that none fails because of another.
 * On Citus every write is executed alone: a group has writes of several accounts, and would change several nodes.
 * @param commit commits the group in one transaction, perhaps by a single statement; returns a result for each write
 * @returns a function that makes a write, and resolves to its result after its commit, or to `execute_alone` when it is not
 * committed and may succeed in a transaction of its own (`maySucceedSeparately`). It rejects when PostgreSQL cannot be
 * reached or lacks time or resources; then the write may be committed
 */
export function groupCommit<Write, Result>(
  database: Database,
  options: BatchOptions<Write>,
  commit: (writes: Write[]) => Promise<(Result | 'execute_alone')[]>,
): (makeWrite: () => Write | Promise<Write>) => Promise<Result | 'execute_alone'> {
  const inGroup = inBatches(
    options,
    async (writes: Write[]): Promise<(Result | 'execute_alone')[]> => {
      try {
        return await commit(writes);
      } catch (error) {
        if (maySucceedSeparately(error)) return writes.map(() => 'execute_alone');
        throw error;
      }
    },
    database.observer,
  );
  return async (makeWrite) => ((await database.isCitus()) ? 'execute_alone' : inGroup(await makeWrite()));
}

/**
 * Milliseconds that a group waits for each lock. Its writes rarely wait for one; a write that does must not delay the
 * others, and waits alone.
 */
const rowLockTimeout = '50';

/** A row to select from before a group takes its locks: it limits the wait for each. `lockFeedsAfter` sets another limit. */
export const lockTimeout = (db: QueryCreator<Tables>): Expression<{ lock_timeout: unknown }> =>
  db.selectNoFrom((is) =>
    is.fn('set_config', [literal('lock_timeout'), literal(rowLockTimeout), is.lit(true)]).as('lock_timeout'),
  );
