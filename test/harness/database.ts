import { mkdtemp, rm } from 'node:fs/promises';
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
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'waybill-test-'));
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' };
  const postgres = await startPostgres({ dataDir, settings });
  const db = connect({ url: postgres.url, poolSize: 1, prepared: false });
  await migrate(db);
  await db.destroy();
  project.provide('databaseUrl', postgres.url);
  return async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true });
  };
}
