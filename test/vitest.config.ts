import { common } from '@waybill/tools/vitest/config';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    ...common,
    globalSetup: [...common.globalSetup, './fixtures/database.ts'],
    // Files run in parallel against one database: each test has an account of its own.
    maxWorkers: 4,
    // What waits for a lock of the database waits together.
    maxConcurrency: 10,
  },
});
