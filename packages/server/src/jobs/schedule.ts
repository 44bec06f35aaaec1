import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/database.ts';
import type { Storage } from '../storage/storage.ts';
import { cleanUp, type Removed } from './clean-up.ts';

/** A run of a job that has ended. */
export interface JobRun {
  name: string;
  seconds: number;
  /** What it removed, by kind; undefined when it failed. */
  removed: Removed | undefined;
}

/** Milliseconds between the starts of two runs. */
const interval = 60_000;

/**
 * Removes expired data once a minute until the app closes. Runs do not overlap. A failed run is logged, and the next one
 * tries again.
 * @param onEnd is called after each run
 */
export function scheduleCleanUp(
  app: FastifyInstance,
  db: Database,
  storage: Storage,
  positionDays: number,
  onEnd?: (run: JobRun) => void,
): void {
  let running: Promise<void> | undefined;
  const stop = new AbortController();
  const run = async (): Promise<void> => {
    const start = performance.now();
    let removed: Removed | undefined;
    try {
      removed = await cleanUp(db, storage, positionDays, stop.signal);
      if (Object.values(removed).some((count) => count > 0)) app.log.info({ removed }, 'removed expired data');
    } catch (error) {
      app.log.warn({ err: error }, 'could not remove expired data');
    }
    onEnd?.({ name: 'clean_up', seconds: (performance.now() - start) / 1000, removed });
  };
  const timer = setInterval(() => {
    running ??= run().finally(() => {
      running = undefined;
    });
  }, interval);
  app.addHook('onClose', async () => {
    clearInterval(timer);
    stop.abort();
    await running;
  });
}
