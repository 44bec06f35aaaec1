import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@waybill/server/database/connect';
import { migrate } from '@waybill/server/database/migrate';
import { startPostgres } from '@waybill/tools/postgres';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    databaseUrl: string;
  }
}

/** A PostgreSQL for the whole run, migrated; it may lose everything in a crash, so it need not wait for the disk. */
async function start() {
  const dataDir = await mkdtemp(join(tmpdir(), 'waybill-test-'));
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' };
  const postgres = await startPostgres({ dataDir, settings });
  const db = connect({ url: postgres.url, poolSize: 1, prepared: false });
  await migrate(db);
  await db.destroy();
  return postgres;
}

/** vitest bounds tests and hooks, but not its global setup. */
async function bounded<T>(what: string, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`${what} took more than 3 minutes.`)), 180_000);
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await bounded('Starting PostgreSQL for the tests', start());
  project.provide('databaseUrl', postgres.url);
  return () => bounded('Stopping PostgreSQL after the tests', postgres.stop()); // its folder goes with the run's
}
