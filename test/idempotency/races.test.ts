import { afterAll, beforeAll, describe, expect, vi } from 'vitest';
import { type Service, startService } from '../fixtures/service.ts';
import { newShipment, proofFor, shipmentIn, shipmentRequest } from '../fixtures/shipments.ts';
import { newAccount, test } from '../fixtures/test.ts';
import { effects } from './effects.ts';
import { holdAccount, holdKey, holdShipment } from './locks.ts';
import { comparable, type Posted, post } from './post.ts';

const create = { path: '/shipments', body: shipmentRequest(), key: 'k' };
const times = <T>(count: number, make: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, make));
const distinct = (responses: Posted[]): number =>
  new Set(responses.map((response) => JSON.stringify(comparable(response)))).size;

test('100 concurrent creates with different keys make 100 shipments with different ids and tracking numbers', async ({
  service,
  account,
}) => {
  const responses = await times(100, () => post(service, account, { ...create, key: crypto.randomUUID() }));
  expect(responses.filter(({ status, replayed }) => status === 201 && !replayed)).toHaveLength(100);
  const created = responses.map(({ body }) => body as { id: string; tracking_number: string });
  for (const field of ['id', 'tracking_number'] as const) {
    expect(new Set(created.map((shipment) => shipment[field])).size).toBe(100);
  }
});

test('concurrent requests with one key at two instances have one effect', async ({ service, account }) => {
  await using second = await startService();
  const responses = await Promise.all([
    times(20, () => post(service, account, create)),
    times(20, () => post(second, account, create)),
  ]);
  expect(distinct(responses.flat())).toBe(1);
  expect(responses.flat().filter(({ replayed }) => !replayed)).toHaveLength(1);
  expect((await effects(service.db, account)).shipments).toHaveLength(1);
});

test('an instance that gets the key second waits for the first instance and replays its response', async ({
  service,
  account,
}) => {
  await using second = await startService();
  await using held = await holdAccount(service.db, account);
  const first = post(service, account, create);
  await held.waiting(1);
  const repeat = post(second, account, create);
  await held.waiting(2);
  await held.release();
  const responses = await Promise.all([first, repeat]);
  expect((await effects(service.db, account)).shipments).toHaveLength(1);
  // PostgreSQL decides which of the two instances is first.
  expect(responses.map(({ status }) => status)).toEqual([201, 201]);
  expect(responses.filter(({ replayed }) => replayed)).toHaveLength(1);
  expect(distinct(responses)).toBe(1);
  const other = { ...create, body: { ...create.body, notes: 'Other' } };
  expect(await post(second, account, other)).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
});

test('concurrent repeats of a refused request all return the refusal', async ({ service, account }) => {
  const { tracking_number } = await newShipment(account);
  const positions = [{ lat: 1, lng: 2, updated_at: new Date().toISOString() }];
  const request = { path: `/tracking/${tracking_number}/positions`, body: { positions }, key: 'k' };
  const responses = await times(20, () => post(service, account, request));
  expect(distinct(responses)).toBe(1);
  expect(responses[0]).toMatchObject({ status: 409, body: { code: 'positions_not_accepted' } });
  expect(responses.filter(({ replayed }) => !replayed)).toHaveLength(1);
});

test('another request with the key of a request that is being refused as invalid is validated by itself', async ({
  service,
  account,
}) => {
  const { tracking_number } = await shipmentIn(account, 'in_transit');
  const path = `/tracking/${tracking_number}/pod`;
  const body = await proofFor(account, tracking_number);
  const unknown = { ...body, signature: 'upl_01kjwjfxt6fsytr0x9a1xe4sfc' };
  await using held = await holdShipment(service.db, tracking_number);
  const wrong = post(service, account, { path, body: unknown, key: 'k' });
  await held.waiting(1);
  const corrected = post(service, account, { path, body, key: 'k' });
  await account.client.listShipments(); // the corrected request has arrived and waits in the process
  await held.release();
  expect(await wrong).toMatchObject({ status: 400, body: { code: 'unknown_upload' } });
  expect(await corrected).toMatchObject({ status: 201, replayed: false });
});

test("another account's request with the key of a running request does not wait", async ({ service, account }) => {
  const other = await newAccount(service);
  await using held = await holdAccount(service.db, account);
  const slow = post(service, account, create);
  await held.waiting(1);
  const theirs = await post(service, other, create);
  expect(theirs).toMatchObject({ status: 201, replayed: false });
  await held.release();
  expect(await slow).toMatchObject({ status: 201, replayed: false });
  expect(comparable(await slow)).not.toEqual(comparable(theirs));
});

test('a response that was lost is replayed', async ({ service, account }) => {
  await using held = await holdAccount(service.db, account);
  const hangUp = new AbortController();
  const lost = post(service, account, { ...create, signal: hangUp.signal });
  await held.waiting(1);
  hangUp.abort();
  await expect(lost).rejects.toThrow();
  await held.release();
  const response = await post(service, account, create);
  expect(response).toMatchObject({ status: 201, replayed: true });
  expect((await account.client.listShipments()).data.data).toEqual([response.body]);
});

test('100 repeats of one running request hold one connection of five and delay no other request', async () => {
  await using service = await startService({ DATABASE_POOL_SIZE: '5' });
  const [account, other] = [await newAccount(service), await newAccount(service)];
  await using held = await holdAccount(service.db, account);
  let finished = 0;
  const burst = times(100, async () => {
    const response = await post(service, account, create);
    finished++;
    return response;
  });
  await held.waiting(1);
  const statuses = await times(50, async () => {
    const { data, status } = await other.client.createShipment({ body: shipmentRequest() });
    const read = await other.client.getTracking({ path: { tracking_number: data.tracking_number } });
    const list = await other.client.listShipments({ query: { limit: 1 } });
    return [status, read.status, list.status];
  });
  expect(statuses).toEqual(Array.from({ length: 50 }, () => [201, 200, 200]));
  expect(finished).toBe(0);
  await held.waiting(1);
  await held.release();
  expect(distinct(await burst)).toBe(1);
});

const settings = {
  /** Locks last much longer than repeats wait. */
  longLocks: { DATABASE_TIMEOUT_MS: '60000', IDEMPOTENCY_WAIT_MS: '500' },
  /** Locks end first. */
  shortLocks: { DATABASE_TIMEOUT_MS: '2000', IDEMPOTENCY_WAIT_MS: '60000' },
  /** Repeats wait until the lock of the first request has ended. */
  longWaits: { DATABASE_TIMEOUT_MS: '2000', IDEMPOTENCY_WAIT_MS: '2500' },
  shortWaits: { DATABASE_TIMEOUT_MS: '2000', IDEMPOTENCY_WAIT_MS: '1000' },
};
const inProgress = { status: 409, replayed: false, body: { code: 'idempotency_in_progress' } };
const seconds = /^[1-9]\d*$/;

describe.concurrent('a POST that waits for a lock', () => {
  const services = {} as Record<keyof typeof settings, Service>;
  // One after the other, before the tests: a start blocks the event loop, and the locks' timeouts are short.
  beforeAll(async () => {
    for (const [name, of] of Object.entries(settings)) services[name as keyof typeof settings] = await startService(of);
  });
  afterAll(async () => {
    for (const service of Object.values(services)) await service[Symbol.asyncDispose]();
  });

  test('repeats of a POST that waits for a lock return 409 with Retry-After, and the stored response after it has finished', async () => {
    const service = services.longLocks;
    const account = await newAccount(service);
    await using held = await holdAccount(service.db, account);
    const first = post(service, account, create);
    await held.waiting(1);
    const responses = await times(3, () => post(service, account, create));
    for (const response of responses) {
      expect(response).toMatchObject(inProgress);
      expect(response.headers.get('retry-after')).toMatch(seconds);
    }
    await held.release();
    const done = await first;
    expect(done).toMatchObject({ status: 201, replayed: false });
    const repeat = await post(service, account, create);
    expect(repeat.replayed).toBe(true);
    expect(comparable(repeat)).toEqual(comparable(done));
    expect((await effects(service.db, account)).shipments).toHaveLength(1);
  });

  test('a POST returns 409 while another process holds its Idempotency-Key, and 201 once the key is free', async () => {
    const service = services.longWaits;
    const account = await newAccount(service);
    await using held = await holdKey(service.db, account, create.key);
    const first = post(service, account, create);
    await held.waiting(1);
    // A repeat that arrives later has some of its time left when the first one's has ended.
    for (const refused of await Promise.all([first, post(service, account, create)])) {
      expect(refused).toMatchObject(inProgress);
      expect(refused.headers.get('retry-after')).toMatch(seconds);
    }
    await held.release();
    expect(await post(service, account, create)).toMatchObject({ status: 201, replayed: false });
    expect((await effects(service.db, account)).shipments).toHaveLength(1);
  });

  test('a rejected POST returns 409 idempotency_in_progress while another process holds its Idempotency-Key', async () => {
    const service = services.shortWaits;
    const account = await newAccount(service);
    const { tracking_number } = await newShipment(account);
    const positions = [{ lat: 1, lng: 2, updated_at: new Date().toISOString() }];
    await using _held = await holdKey(service.db, account, 'k');
    const request = { path: `/tracking/${tracking_number}/positions`, body: { positions }, key: 'k' };
    expect(await post(service, account, request)).toMatchObject(inProgress);
  });

  test('concurrent repeats of a POST return 503 with Retry-After when the lock of the shipment times out', async () => {
    const service = services.shortLocks;
    const account = await newAccount(service);
    const { tracking_number } = await newShipment(account);
    const path = `/tracking/${tracking_number}/events`;
    const body = { status: 'dispatched', timestamp: new Date().toISOString() };
    await using held = await holdShipment(service.db, tracking_number);
    const responses = await times(3, () => post(service, account, { path, body, key: 'k' }));
    for (const response of responses) {
      expect(response).toMatchObject({ status: 503, replayed: false, body: { code: 'unavailable' } });
      expect(response.headers.get('retry-after')).toMatch(seconds);
    }
    await held.release();
    expect(await post(service, account, { path, body, key: 'k' })).toMatchObject({ status: 201, replayed: false });
  });

  test('a POST that waits for its Idempotency-Key replays the response that another process stores', async ({
    service,
  }) => {
    const first = services.longLocks;
    const second = services.shortLocks;
    const account = await newAccount(first);
    const { tracking_number } = await newShipment(account);
    const path = `/tracking/${tracking_number}/positions`;
    const body = { positions: [{ lat: 1, lng: 2, updated_at: new Date().toISOString() }] };
    await using held = await holdKey(service.db, account, 'k');
    const repeat = post(second, account, { path, body, key: 'k' });
    await held.waiting(1);
    await vi.waitFor(() => held.waiting(0), { timeout: 30_000 }); // its lock timed out, and it polls
    const slow = post(first, account, { path, body, key: 'k' });
    await held.waiting(1);
    await held.release();
    expect(await slow).toMatchObject({ status: 409, replayed: false });
    expect(comparable(await repeat)).toEqual(comparable(await slow));
    expect((await repeat).replayed).toBe(true);
  });
});
