import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@waybill/server/database/migrate';
import { ownDatabase } from '../fixtures/own-database.ts';
import { type Service, startService } from '../fixtures/service.ts';
import { test as base } from '../fixtures/test.ts';

/** A service with its own database and storage: the test changes data of all accounts. `storage` is a URL. */
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
      await using database = await ownDatabase();
      await using service = await startService({ DATABASE_URL: database.url, STORAGE_URL: storage });
      await migrate(service.db);
      await use(service);
    },
    { scope: 'file' },
  ],
});
