import { buildApp } from '@waybill/server/app';
import { readConfig } from '@waybill/server/config';
import type { Handlers } from '@waybill/server/contract/handler-types';
import * as tracking from '@waybill/server/tracking/handlers';
import { expect, test, vi } from 'vitest';

const config = readConfig(
  {
    DATABASE_URL: 'postgres://user@127.0.0.1:1/nothing',
    SIGNING_KEYS: 'for-the-tests-only-for-the-tests-only',
    LOG_LEVEL: 'silent',
  },
  [],
);
test('buildApp rejects when an operation of the contract has no handler', async () => {
  const { getTracking, ...incomplete } = tracking;
  // @ts-expect-error it does not compile either
  incomplete satisfies Pick<Handlers, 'getTracking'>;
  vi.resetModules();
  vi.doMock('@waybill/server/tracking/handlers', () => ({ ...incomplete }));
  const { buildApp } = await import('@waybill/server/app');
  vi.doUnmock('@waybill/server/tracking/handlers');
  await expect(buildApp(config)).rejects.toThrow('getTracking has no handler');
});

test('buildApp succeeds without a database', async () => {
  const app = await buildApp(config);
  await app.ready();
  expect((await app.inject('/health/live')).statusCode).toBe(200);
  expect((await app.inject('/health/ready')).json()).toMatchObject({ code: 'unavailable', status: 503 });
  await app.close();
});
