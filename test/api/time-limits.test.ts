import { createClient } from '@waybill/client';
import { sql } from 'kysely';
import { expect, onTestFinished, vi } from 'vitest';
import { clock } from '../fixtures/clock.ts';
import { startOwnService } from '../fixtures/database/own-database.ts';
import { png } from '../fixtures/images.ts';
import { get, problemOf } from '../fixtures/requests/send.ts';
import { newPosition, newUploadUrl, put, signatureUrl } from '../fixtures/requests/valid-requests.ts';
import { notWithCluster } from '../fixtures/service/not-with-cluster.ts';
import { type Service, startService } from '../fixtures/service/service.ts';
import { shipmentIn } from '../fixtures/shipments.ts';
import { newAccount, type TestAccount, test } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';

const seconds = 1000;
const minutes = 60 * seconds;

const statusOf = async (service: Service, account: TestAccount) => (await get(service, account, '/shipments')).status;

test('a request over the rate limit succeeds after Retry-After, 60 seconds after the first, and not before', async () => {
  await using service = await startService({ RATE_LIMIT: '1' });
  const account = await newAccount(service);
  const time = clock();
  expect(await statusOf(service, account)).toBe(200);
  time.forward(20.5 * seconds);
  const { status, headers } = await get(service, account, '/shipments');
  expect([status, headers.get('retry-after')]).toEqual([429, '40']);
  time.forward(39 * seconds);
  expect(await statusOf(service, account)).toBe(429);
  time.forward(1 * seconds);
  expect(await statusOf(service, account)).toBe(200);
});

test('an upload URL is valid for 15 minutes, a file URL for an hour and at most 5 more minutes', async ({
  account,
}) => {
  const { tracking_number } = await shipmentIn(account, 'delivered');
  const time = clock();
  const uploadUrl = await newUploadUrl(account, png());
  const url = signatureUrl(await account.client.getProofOfDelivery({ tracking_number }));
  time.forward(14 * minutes);
  expect((await put(uploadUrl, png())).status).toBe(204);
  time.forward(1 * minutes);
  expect((await put(uploadUrl, png())).status).toBe(410);
  time.forward(45 * minutes - 1 * seconds);
  expect((await fetch(url)).status).toBe(200);
  time.forward(5 * minutes + 1 * seconds);
  expect(await problemOf(await fetch(url))).toMatchObject({ status: 410, code: 'link_expired' });
});

test('an access voids what it has recorded until the shipment has ended, then for 10 minutes', async ({
  account: { client },
  service: { baseUrl },
}) => {
  const { id: shipment_id, tracking_number } = await shipmentIn({ client }, 'dispatched');
  const { token } = await client.createAccess({ shipment_id, kind: 'drive' });
  const driver = createClient({ accessToken: token, baseUrl });
  const time = clock();
  const record = async (status: 'picked_up' | 'delivered') => {
    const { timeline } = await driver.recordTrackingEvent({ tracking_number, status, timestamp: new Date() });
    return timeline.at(-1)?.id ?? '';
  };
  const statusWithout = async (event_id: string) =>
    (await driver.voidTrackingEvent({ tracking_number, event_id, reason: 'x' })).status;
  const tapped = await record('picked_up');
  time.forward(180 * minutes);
  expect(await statusWithout(tapped)).toBe('dispatched');
  const delivered = await record('delivered');
  time.forward(10 * minutes - 1 * seconds);
  expect(await statusWithout(delivered)).toBe('dispatched');
  const again = await record('delivered');
  time.forward(10 * minutes + 1 * seconds);
  await expect(statusWithout(again)).rejects.toMatchObject({ code: 'void_not_allowed' });
});

test('requests return 503 while the event loop is later than OVERLOAD_DELAY_MS, others and later ones succeed', async () => {
  notWithCluster('it blocks the event loop of this process');
  await using service = await startService({ OVERLOAD_DELAY_MS: '100' });
  await using patient = await startService({ OVERLOAD_DELAY_MS: '600000' });
  const account = await newAccount(service);
  const isServed = () => vi.waitFor(async () => expect(await statusOf(service, account)).toBe(200), waitTimeout);
  await isServed();
  const blocking = new AbortController();
  onTestFinished(() => blocking.abort());
  // The service runs in this thread.
  const block = (): void => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150);
    if (!blocking.signal.aborted) setTimeout(block);
  };
  block();
  await vi.waitFor(async () => {
    const response = await get(service, account, '/shipments');
    expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(await problemOf(response)).toMatchObject({ status: 503, code: 'unavailable' });
  }, waitTimeout);
  expect((await fetch(`${service.origin}/health/live`)).status).toBe(200);
  expect(await statusOf(patient, account)).toBe(200);
  blocking.abort();
  await isServed();
});

test('positions are removed every minute, after POSITION_DAYS', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  await using service = await startOwnService({ POSITION_DAYS: '5' });
  const { db } = service;
  const account = await newAccount(service);
  const { tracking_number } = await shipmentIn(account, 'dispatched');
  await account.client.recordPositions({ tracking_number, positions: [newPosition()] });
  await sql`insert into positions (account_id, shipment_id, updated_at, lat, lng)
    select account_id, id, now() - interval '10 days', 0, 0 from shipments`.execute(db);
  await vi.advanceTimersByTimeAsync(60 * seconds);
  await vi.waitFor(async () => {
    expect((await sql`select lat from positions`.execute(db)).rows).toEqual([{ lat: newPosition().lat }]);
  }, waitTimeout);
});
