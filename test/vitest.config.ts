import { common, fromSources } from '@waybill/tools/vitest/config';
import { configDefaults, defineConfig } from 'vitest/config';

const { globalSetup, ...settings } = common;
// What waits for a lock of the database waits together.
const shared = { ...settings, maxConcurrency: 10, provide: { ...settings.provide, storage: 'folder' as const } };

/** Tests that change or measure their process. All others share a worker, which loads the service once for all files. */
const isolated = [
  'api/{account-queries,worst-requests}/**/*.test.ts',
  'api/{first-requests,time-limits}.test.ts',
  'contract/deprecations.test.ts',
];

/** Tests of an S3 server, which have no folder. */
const onlyS3 = ['api/files/s3.test.ts'];
/** Tests of what reaches the storage, which pass with either. */
const withS3 = ['api/files/{logged,stored}.test.ts', 'api/proof/proof.test.ts', ...onlyS3];

/** Left out with a cluster: tests whose requests cannot go through a proxy to a process of its own. */
const notWithCluster = [
  '{mcp,pages,release}/**',
  'api/{access,account-queries,connections,exceptions,worst-requests}/**',
  'contract/{compatibility,examples,foreign-generators}/**',
  'contract/deprecations.test.ts',
  'docs/!(samples).test.ts',
  'mock/!(prism).test.ts',
  'operate/{backup,cluster,database,fairness,jobs,telemetry}/**',
  'operate/{shutdown,upgrades}.test.ts',
  'sandbox/!(simulate).test.ts',
  // They call functions of the service, read its log or memory, or start and stop programs themselves.
  'api/files/{folder,images,logged}.test.ts',
  'api/rate-limits/redis.test.ts',
  'client/restart.test.ts',
  'operate/cli/!(commands|migrate).test.ts',
  'operate/outages/postgres.test.ts',
];
const exclude = [...configDefaults.exclude, ...(process.env.TEST_CLUSTER ? notWithCluster : [])];

export default defineConfig({
  test: {
    globalSetup: [...globalSetup, './fixtures/database/global-setup.ts'],
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
