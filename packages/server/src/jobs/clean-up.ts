import type { FastifyInstance } from 'fastify';
import { unlessRunning } from '../concurrency/unless-running.ts';
import type { Database } from '../database/database.ts';
import { type PartitionChanges, updatePartitions } from '../database/day-partitions.ts';
import { deleteExpired } from '../database/delete-expired.ts';
import type { CleanUp, Expired, Plan, Retention } from '../feature.ts';
import { type RemovedKind, tables } from '../features.ts';
import type { Storage } from '../storage/storage.ts';

/** A run of a job that has ended. */
export interface JobRun {
  name: string;
  seconds: number;
  /** What it removed, by kind; undefined when it failed. */
  removed: Removed | undefined;
  partitions: Partitions;
}

/** By table, but for those that a run did not reach. */
type Partitions = Record<string, PartitionChanges>;

/** The number of items that a run removed. */
type Removed = Record<RemovedKind, number>;

/** Milliseconds between the starts of two runs. */
const runInterval = 60_000;

/**
 * Removes expired data once a minute until the app closes. Runs do not overlap. A failed run is logged, and the next one
 * tries again.
 * @param onEnd is called after each run
 */
export function scheduleCleanUp(
  app: FastifyInstance,
  db: Database,
  storage: Storage,
  retention: Retention,
  onEnd?: (run: JobRun) => void,
): void {
  const stop = new AbortController();
  const runs = unlessRunning(async () => {
    const start = performance.now();
    let removed: Removed | undefined;
    const partitions: Partitions = {};
    try {
      removed = await cleanUp(db, storage, retention, stop.signal, partitions);
      if (Object.values(removed).some((count) => count > 0)) app.log.info({ removed }, 'removed expired data');
    } catch (error) {
      app.log.warn({ err: error }, 'could not remove expired data');
    }
    onEnd?.({ name: 'clean_up', seconds: (performance.now() - start) / 1000, removed, partitions });
  });
  const timer = setInterval(runs.start, runInterval);
  app.addHook('onClose', async () => {
    clearInterval(timer);
    stop.abort();
    await runs.ended();
  });
}

/** What is removed of each table, in the order of a run. */
const steps = Object.entries<Plan>(tables).flatMap(([table, { citus, expired }]) =>
  Object.entries(expired === 'stays' ? {} : expired).map(([kind, what]) => ({ table, kind, what, citus })),
);

export const removedKinds: string[] = steps.map(({ kind }) => kind);

/**
 * Removes expired data until none is left or the signal aborts. Several instances may run it at once: each skips the rows
 * that another is removing.
 * @param partitions gets the partitions of each table
 * @throws the first error, after it has removed everything else
 */
export async function cleanUp(
  db: Database,
  storage: Storage,
  retention: Retention,
  signal?: AbortSignal,
  partitions: Partitions = {},
): Promise<Removed> {
  const context: CleanUp = { db, storage, retention, signal, tables };
  const failures: unknown[] = [];
  const removed: Record<string, number> = {};
  for (const { table, kind, what, citus } of steps) {
    removed[kind] = 0;
    if (signal?.aborted) continue;
    try {
      removed[kind] = await remove(table, what, citus === 'local', context, partitions);
    } catch (error) {
      failures.push(error); // such as a partition when the role of the database does not own its table
    }
  }
  if (failures.length > 0) throw failures[0];
  return removed as Removed;
}

async function remove(
  table: string,
  what: Expired,
  isLocal: boolean,
  context: CleanUp,
  partitions: Partitions,
): Promise<number> {
  const { db, retention, signal } = context;
  if (typeof what === 'function') return what(context);
  if ('age' in what) return deleteExpired(db, { table, isLocal, ...what }, signal);
  const { partitionedBy: column, days, beforeDrop } = what;
  const changes = await updatePartitions(db, { name: table, column, beforeDrop }, days(retention), signal);
  partitions[table] = changes;
  return changes.dropped;
}
