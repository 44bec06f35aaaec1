import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@waybill/server/database/connect';
import { migrate } from '@waybill/server/database/migrate';
import { sql } from 'kysely';
import { inject } from 'vitest';
import { type Service, startService } from '../harness/service.ts';
import { test as base } from '../harness/test.ts';

/**
 * A service with a database and a storage of its own, where what concerns all accounts touches nothing of other tests;
 * `storage` is its URL.
 */
export const test = base.extend<{ $file: { service: Service; storage: string } }>({
  storage: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures a fixture needs from this pattern
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'waybill-queries-'));
      await use(`file:${folder}`);
      await rm(folder, { recursive: true });
    },
    { scope: 'file' },
  ],
  service: [
    async ({ storage }, use) => {
      const name = `queries_${crypto.randomUUID().replaceAll('-', '')}`;
      const admin = connect({ url: inject('databaseUrl'), poolSize: 1, prepared: false });
      await sql`create database ${sql.id(name)}`.execute(admin);
      const url = new URL(inject('databaseUrl'));
      url.pathname = name;
      {
        await using service = await startService({ DATABASE_URL: url.href, STORAGE_URL: storage });
        await migrate(service.db);
        await use(service);
      }
      await sql`drop database ${sql.id(name)} with (force)`.execute(admin);
      await admin.destroy();
    },
    { scope: 'file' },
  ],
});
