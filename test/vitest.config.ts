import { common, fromSources } from '@waybill/tools/vitest/config';
import { configDefaults, defineConfig } from 'vitest/config';

const { globalSetup, ...settings } = common;
// What waits for a lock of the database waits together.
const shared = { ...settings, maxConcurrency: 10 };

/** Tests that leave their process unchanged. Without isolation a worker loads the service once for all files. */
const withoutIsolation = [
  'api-keys',
  'cli',
  'client',
  'compatibility',
  'connections',
  'cors',
  'contract-coverage',
  'database',
  'docs',
  'documented-facts',
  'every-operation',
  'examples',
  'files',
  'foreign-generators',
  'fuzz',
  'http',
  'idempotency',
  'jobs',
  'mock',
  'pagination',
  'positions',
  'prism-proxy',
  'proof',
  'rate-limits',
  'release',
  'shipments',
  'shutdown',
  'simulate',
  'telemetry',
  'upgrades',
  'validation',
  'workflows',
].map((folder) => `${folder}/**/*.test.ts`);

export default defineConfig({
  test: {
    globalSetup: [...globalSetup, './fixtures/database.ts'],
    // Files run in parallel against one database: each test has an account of its own.
    maxWorkers: 4,
    projects: [
      { ...fromSources, test: { ...shared, name: 'shared', isolate: false, include: withoutIsolation } },
      {
        ...fromSources,
        test: { ...shared, name: 'isolated', exclude: [...configDefaults.exclude, ...withoutIsolation] },
      },
    ],
  },
});
