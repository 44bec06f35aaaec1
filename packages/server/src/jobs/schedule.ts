import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/connect.ts';
import type { Storage } from '../storage/storage.ts';
import { clean } from './clean-up.ts';

/** Milliseconds between two runs. */
const interval = 60_000;

/**
 * Cleans up once a minute for as long as the app runs, one run after the other. A run that fails is logged, and the next
 * one tries again.
 */
export function scheduleCleaning(app: FastifyInstance, db: Database, storage: Storage, positionDays: number): void {
  let running: Promise<void> | undefined;
  const stop = new AbortController();
  const run = async (): Promise<void> => {
    try {
      const removed = await clean(db, storage, positionDays, stop.signal);
      if (Object.values(removed).some((count) => count > 0)) app.log.info({ removed }, 'cleaned up');
    } catch (error) {
      app.log.warn({ err: error }, 'could not clean up');
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
