import { common, fromSources } from '@waybill/tools/vitest/config';
import { configDefaults, defineConfig } from 'vitest/config';
import { leftOut } from './cluster-suites.ts';

const { globalSetup, ...settings } = common;
// What waits for a lock of the database waits together.
const shared = { ...settings, maxConcurrency: 10, provide: { ...settings.provide, storage: 'folder' as const } };

/** Tests that leave their process unchanged. Without isolation a worker loads the service once for all files. */
const withoutIsolation = [
  'api-keys',
  'citus',
  'cli',
  'client',
  'cluster',
  'compatibility',
  'connections',
  'cors',
  'contract-coverage',
  'database',
  'docs',
  'documented-facts',
  'every-operation',
  'events',
  'examples',
  'fairness',
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
  'webhooks',
  'workflows',
].map((folder) => `${folder}/**/*.test.ts`);

/** Tests of an S3 server, which have no folder. */
const onlyS3 = ['files/s3.test.ts'];
/** Tests that pass with either storage. */
const withS3 = ['files/{expired,logged,refused,stored}.test.ts', 'proof/*.test.ts', ...onlyS3];

const exclude = [
  ...configDefaults.exclude,
  ...(process.env.TEST_CLUSTER ? Object.keys(leftOut).map((path) => (path.endsWith('.ts') ? path : `${path}/**`)) : []),
];

export default defineConfig({
  test: {
    globalSetup: [...globalSetup, './fixtures/database.ts'],
    // Files run in parallel against one database: each test has an account of its own.
    maxWorkers: 4,
    projects: [
      {
        ...fromSources,
        test: {
          ...shared,
          name: 'shared',
          isolate: false,
          include: withoutIsolation,
          exclude: [...exclude, ...onlyS3],
        },
      },
      {
        ...fromSources,
        test: {
          ...shared,
          name: 's3',
          isolate: false,
          include: withS3,
          exclude,
          provide: { ...shared.provide, storage: 's3' },
          env: { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' },
        },
      },
      {
        ...fromSources,
        test: { ...shared, name: 'isolated', exclude: [...exclude, ...withoutIsolation] },
      },
    ],
  },
});
