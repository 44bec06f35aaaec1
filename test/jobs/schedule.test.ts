import { openDatabase } from '@waybill/server/database/database';
import { sql } from 'kysely';
import { expect, onTestFinished, vi } from 'vitest';
import { notWithCluster } from '../fixtures/not-with-cluster.ts';
import { ownMigratedDatabase } from '../fixtures/own-database.ts';
import { refusesConnections } from '../fixtures/refuses-connections.ts';
import { startService } from '../fixtures/service.ts';
import { test } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';

test('a service that stops lets its clean-up end', async () => {
  notWithCluster('it starts the clean-up by the clock of this process');
  await using database = await ownMigratedDatabase();
  await using locker = openDatabase({ url: database.url, poolSize: 1, prepared: false });
  const log: Record<string, unknown>[] = [];
  vi.useFakeTimers({ toFake: ['setInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const service = await startService({ DATABASE_URL: database.url, LOG_LEVEL: 'warn' }, log);
  let stopped: PromiseLike<void> = Promise.resolve();
  await locker.transaction().execute(async (trx) => {
    await sql`lock table idempotency_keys`.execute(trx);
    vi.advanceTimersByTime(60_000);
    await vi.waitFor(async () => {
      const { rows } = await sql`
        select from pg_locks join pg_database on oid = database where not granted and datname = current_database()
      `.execute(database.db);
      expect(rows).toHaveLength(1);
    }, waitTimeout);
    stopped = service[Symbol.asyncDispose]();
    await refusesConnections(service.origin);
  });
  await stopped;
  expect(log).toEqual([]);
});
