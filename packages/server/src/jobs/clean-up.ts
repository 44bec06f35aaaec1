import type { FastifyInstance } from 'fastify';
import { unlessRunning } from '../concurrency/unless-running.ts';
import { deleteExpired } from '../database/delete-expired.ts';
import { type PartitionChanges, updatePartitions } from '../database/schema/day-partitions.ts';
import type { CleanUp, TableRules } from '../feature.ts';
import { tables } from '../features.ts';

/** A run of a job that has ended. */
export interface JobRun {
  name: string;
  seconds: number;
  /** How much it removed, by kind; undefined when it failed. */
  removed: Record<string, number> | undefined;
  partitions: Partitions;
}

/** By table, but for those that a run did not reach. */
type Partitions = Record<string, PartitionChanges>;

/** All but the tables, which are those of the features. */
type Options = Omit<CleanUp, 'tables'>;

/** Milliseconds between the starts of two runs. */
const runInterval = 60_000;

/**
 * Removes expired data once a minute until the app closes. Runs do not overlap. A failed run is logged, and the next one
 * tries again.
 * @param onEnd is called after each run
 */
export function scheduleCleanUp(
  app: FastifyInstance,
  options: Omit<Options, 'signal'>,
  onEnd?: (run: JobRun) => void,
): void {
  const stop = new AbortController();
  const runs = unlessRunning(async () => {
    const start = performance.now();
    let removed: JobRun['removed'];
    const partitions: Partitions = {};
    try {
      removed = await cleanUp({ ...options, signal: stop.signal }, partitions);
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
const steps = Object.entries<TableRules>(tables).flatMap(([table, { citus, expired }]) =>
  Object.entries(expired === 'stays' ? {} : expired).map(([kind, what]) => ({ table, kind, what, citus })),
);

export const removedKinds: string[] = steps.map(({ kind }) => kind);

/**
 * Removes expired data until none is left or the signal aborts. Several instances may run it at once: each skips the rows
 * that another is removing.
 * @param partitions gets the partitions of each table
 * @returns how much it removed, by kind
 * @throws the first error, after it has removed everything else
 */
export async function cleanUp(options: Options, partitions: Partitions = {}): Promise<Record<string, number>> {
  const { db, retention, signal } = options;
  const remove = async ({ table, what, citus }: (typeof steps)[number]): Promise<number> => {
    if (typeof what === 'function') return what({ ...options, tables });
    if ('age' in what) return deleteExpired(db, { table, isLocal: citus === 'local', ...what }, signal);
    const { partitionedBy: column, days, beforeDrop } = what;
    const changes = await updatePartitions(db, { name: table, column, beforeDrop }, days(retention), signal);
    partitions[table] = changes;
    return changes.dropped;
  };
  const failures: unknown[] = [];
  const removed: Record<string, number> = {};
  for (const step of steps) {
    removed[step.kind] = 0;
    if (signal?.aborted) continue;
    try {
      removed[step.kind] = await remove(step);
    } catch (error) {
      failures.push(error); // such as a partition when the role of the database does not own its table
    }
  }
  if (failures.length > 0) throw failures[0];
  return removed;
}
