import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/connect.ts';
import type { Storage } from '../storage/storage.ts';
import { cleanUp } from './clean-up.ts';

/** Milliseconds between the starts of two runs. */
const interval = 60_000;

/**
 * Removes expired data once a minute until the app closes. Runs do not overlap. A failed run is logged, and the next one
 * tries again.
 */
export function scheduleCleanUp(app: FastifyInstance, db: Database, storage: Storage, positionDays: number): void {
  let running: Promise<void> | undefined;
  const stop = new AbortController();
  const run = async (): Promise<void> => {
    try {
      const removed = await cleanUp(db, storage, positionDays, stop.signal);
      if (Object.values(removed).some((count) => count > 0)) app.log.info({ removed }, 'removed expired data');
    } catch (error) {
      app.log.warn({ err: error }, 'could not remove expired data');
    }
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
