import { sql } from 'kysely';
import { expect, onTestFinished, vi } from 'vitest';
import { clock } from '../fixtures/clock.ts';
import { operationOf } from '../fixtures/contract.ts';
import { get, problemOf, send } from '../fixtures/http.ts';
import { png } from '../fixtures/images.ts';
import { holdShipment } from '../fixtures/locks.ts';
import { notWithCluster } from '../fixtures/not-with-cluster.ts';
import { startOwnService } from '../fixtures/own-database.ts';
import { declarationOf, newPosition, newUploadUrl, put, signatureUrl } from '../fixtures/requests.ts';
import { type Service, startService } from '../fixtures/service.ts';
import { inTransit, newShipment, proofFor, shipmentIn } from '../fixtures/shipments.ts';
import { newAccount, type TestAccount, test } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';

const seconds = 1000;
const minutes = 60 * seconds;
const hours = 60 * minutes;

const statusOf = async (service: Service, account: TestAccount) => (await get(service, account, '/shipments')).status;

/** Sends a request that returns 429, and again a second before the end of `Retry-After` and at its end. */
async function retried(time: ReturnType<typeof clock>, request: () => Promise<Response>) {
  const refused = await request();
  const wait = Number(refused.headers.get('retry-after'));
  time.forward((wait - 1) * seconds);
  const early = await request();
  time.forward(1 * seconds);
  return { wait, statuses: [refused.status, early.status, (await request()).status] };
}

test('a request over the rate limit succeeds after Retry-After, 60 seconds after the first, and not before', async () => {
  await using service = await startService({ RATE_LIMIT: '1' });
  const account = await newAccount(service);
  const time = clock();
  expect(await statusOf(service, account)).toBe(200);
  time.forward(20.5 * seconds);
  const { wait, statuses } = await retried(time, () => get(service, account, '/shipments'));
  expect({ wait, statuses }).toEqual({ wait: 40, statuses: [429, 429, 200] });
});

test('createProofUpload over its limit succeeds after Retry-After, when the oldest upload expires, and not before', async ({
  service,
  account,
}) => {
  const time = clock();
  const path = { tracking_number: (await newShipment(account)).tracking_number };
  const declare = () =>
    send(service.baseUrl, operationOf('createProofUpload'), { key: account.key, path, body: declarationOf(png()) });
  expect((await declare()).status).toBe(201);
  time.forward(0.25 * hours);
  for (let count = 1; count < 20; count++) expect((await declare()).status).toBe(201);
  const { wait, statuses } = await retried(time, declare);
  expect({ wait, statuses }).toEqual({ wait: (0.75 * hours) / seconds, statuses: [429, 429, 201] });
});

test.for([
  ['works', 14 * minutes, 204],
  ['returns 410', 15 * minutes, 410],
] as const)('an upload URL %s %i ms after it was made', async ([, age, status], { account }) => {
  const time = clock();
  const url = await newUploadUrl(account, png());
  time.forward(age);
  expect((await put(url, png())).status).toBe(status);
});

test('the URL of a file is valid for an hour and at most 5 more minutes', async ({ account }) => {
  const { tracking_number } = await shipmentIn(account, 'delivered');
  const time = clock();
  const url = signatureUrl(await account.client.getProofOfDelivery({ tracking_number }));
  time.forward(60 * minutes - 1 * seconds);
  expect((await fetch(url)).status).toBe(200);
  time.forward(5 * minutes + 1 * seconds);
  expect(await problemOf(await fetch(url))).toMatchObject({ status: 410, code: 'link_expired' });
});

test.for([
  ['is', 24 * hours - 1 * minutes, 201],
  ['is not', 24 * hours, 400],
] as const)('an upload %s part of a proof %i ms after it was declared', async ([, age, status], { account }) => {
  const time = clock();
  const { tracking_number } = await inTransit(account);
  const body = await proofFor(account, tracking_number);
  time.forward(age);
  const proof = { ...body, delivered_at: new Date().toISOString() };
  const submitting = account.client.submitProofOfDelivery({ tracking_number, ...proof });
  const result = await submitting.withResponse().catch((error) => error);
  expect(result.status).toBe(status);
});

test('requests return 503 while the event loop is later than OVERLOAD_DELAY_MS, others and later ones succeed', async () => {
  notWithCluster('it blocks the event loop of this process');
  await using service = await startService({ OVERLOAD_DELAY_MS: '100' });
  await using patient = await startService({ OVERLOAD_DELAY_MS: '600000' });
  const account = await newAccount(service);
  const isServed = () => vi.waitFor(async () => expect(await statusOf(service, account)).toBe(200), waitTimeout);
  await isServed();
  let isBlocking = true;
  // The service runs in this thread.
  const block = (): void => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150);
    if (isBlocking) setTimeout(block);
  };
  block();
  try {
    await vi.waitFor(async () => {
      const response = await get(service, account, '/shipments');
      expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      expect(await problemOf(response)).toMatchObject({ status: 503, code: 'unavailable' });
    }, waitTimeout);
    expect((await fetch(`${service.origin}/health/live`)).status).toBe(200);
    expect(await statusOf(patient, account)).toBe(200);
  } finally {
    isBlocking = false;
  }
  await isServed();
});

test('a write waits for a lock until DATABASE_TIMEOUT_MS is over, and not longer', async () => {
  await using patient = await startService({ DATABASE_TIMEOUT_MS: '60000' });
  await using impatient = await startService({ DATABASE_TIMEOUT_MS: '200' });
  const account = await newAccount(patient);
  const { id: shipment_id, tracking_number } = await newShipment(account);
  const cancel = ({ baseUrl }: Service) =>
    send(baseUrl, operationOf('cancelShipment'), { key: account.key, path: { shipment_id } });
  await using held = await holdShipment(patient.db, account, tracking_number);
  // It is sent first: a timeout that is the same for both would end it first.
  const waiting = cancel(patient);
  await held.waiting(1);
  expect(await problemOf(await cancel(impatient))).toMatchObject({ status: 503, code: 'unavailable' });
  await held.waiting(1); // PostgreSQL has ended the statement, too
  await held.release();
  expect((await waiting).status).toBe(200);
});

test('expired rows are removed every minute', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  await using service = await startOwnService({ POSITION_DAYS: '5' });
  const { db } = service;
  const account = await newAccount(service);
  const { tracking_number } = await shipmentIn(account, 'dispatched');
  const path = { tracking_number };
  await account.client.recordPositions({ ...path, positions: [newPosition()] });
  await sql`insert into positions (account_id, shipment_id, updated_at, lat, lng)
    select account_id, id, now() - interval '10 days', 0, 0 from shipments`.execute(db);
  await sql`update idempotency_keys set created_at = now() - interval '25 hours'`.execute(db);
  await vi.advanceTimersByTimeAsync(60 * seconds);
  await vi.waitFor(async () => {
    expect((await sql`select from idempotency_keys`.execute(db)).rows).toEqual([]);
    expect((await sql`select lat from positions`.execute(db)).rows).toEqual([{ lat: newPosition().lat }]);
    // Partitions of 5 days, today and a week ahead, and the default one.
    const partitions = await sql`select from pg_inherits where inhparent = 'positions'::regclass`.execute(db);
    expect(partitions.rows).toHaveLength(5 + 1 + 7 + 1);
  }, waitTimeout);
});
