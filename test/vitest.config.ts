import { common, fromSources } from '@waybill/tools/vitest/config';
import { configDefaults, defineConfig } from 'vitest/config';

const { globalSetup, ...settings } = common;
// What waits for a lock of the database waits together.
const shared = { ...settings, maxConcurrency: 10, provide: { ...settings.provide, storage: 'folder' as const } };

/** Tests that change or measure their process. All others share a worker, which loads the service once for all files. */
const isolated = ['account-queries/**/*.test.ts', 'time-limits/**/*.test.ts', 'worst-requests/**/*.test.ts'];

/** Tests of an S3 server, which have no folder. */
const onlyS3 = ['files/s3.test.ts'];
/** Tests of what reaches the storage, which pass with either. */
const withS3 = ['files/{logged,stored}.test.ts', 'proof/proof.test.ts', ...onlyS3];

/** With a cluster, only the suites whose requests may go through a proxy to a process of its own. */
const notWithCluster = [
  '!(api-keys|citus|cli|client|contract-coverage|cors|events|every-operation|files|fuzz|health|http|idempotency|outages|pagination|positions|prism-proxy|proof|random-workflows|rate-limits|shipments|simulate|time-limits|validation|webhooks|workflows)/**',
  // They call functions of the service, read its log or memory, or start and stop programs themselves.
  'cli/!(audit|json|keys|migrate).test.ts',
  'client/restart.test.ts',
  'files/{folder,images,logged}.test.ts',
  'outages/postgres.test.ts',
  'rate-limits/redis.test.ts',
];
const exclude = [...configDefaults.exclude, ...(process.env.TEST_CLUSTER ? notWithCluster : [])];

export default defineConfig({
  test: {
    globalSetup: [...globalSetup, './fixtures/database.ts'],
    // Each worker has a database. The files of a worker share it: each test has an account of its own.
    maxWorkers: 4,
    projects: [
      {
        ...fromSources,
        test: {
          ...shared,
          name: 'shared',
          isolate: false,
          exclude: [...exclude, ...onlyS3, ...isolated],
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
        test: { ...shared, name: 'isolated', include: isolated, exclude },
      },
    ],
  },
});
