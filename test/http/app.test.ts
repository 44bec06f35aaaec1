import { buildApp } from '@waybill/server/app';
import { readConfig } from '@waybill/server/config';
import { handlers } from '@waybill/server/handlers';
import { afterEach, expect, test } from 'vitest';

const config = readConfig(
  {
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing',
    SIGNING_KEYS: 'for-the-tests-only-for-the-tests-only',
    LOG_LEVEL: 'silent',
  },
  [],
);
const { getTracking } = handlers;
afterEach(() => {
  handlers.getTracking = getTracking;
});

test('buildApp rejects when an operation of the contract has no handler', async () => {
  // @ts-expect-error a table without it does not compile either
  delete handlers.getTracking;
  await expect(buildApp(config)).rejects.toThrow('getTracking has no handler');
});

test('buildApp succeeds without a database', async () => {
  const app = await buildApp(config);
  await app.ready();
  expect((await app.inject('/health/live')).statusCode).toBe(200);
  expect((await app.inject('/health/ready')).json()).toMatchObject({ code: 'unavailable', status: 503 });
  await app.close();
});
