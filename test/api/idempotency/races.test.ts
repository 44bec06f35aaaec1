import { openDatabase } from '@waybill/server/database/database';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { databaseUrl } from '../../fixtures/database/database-url.ts';
import { holdFeed, holdKey, holdShipment } from '../../fixtures/database/locks.ts';
import { stateOf } from '../../fixtures/database/state-of-account.ts';
import { concurrently } from '../../fixtures/requests/concurrently.ts';
import { expectOneResponse, expectReplay, post } from '../../fixtures/requests/post.ts';
import { get } from '../../fixtures/requests/send.ts';
import { notWithCluster } from '../../fixtures/service/not-with-cluster.ts';
import { type Service, startService } from '../../fixtures/service/service.ts';
import { newShipment, shipmentRequest } from '../../fixtures/shipments.ts';
import { newAccount, type TestAccount, test } from '../../fixtures/test.ts';

const create = { path: '/shipments', body: shipmentRequest(), key: 'k' };
const other = { ...create, body: { ...create.body, notes: 'Other' } };
const refused = (status: number, code: string) => ({ status, replayed: false, body: { code } });
const [inProgress, unavailable] = [refused(409, 'idempotency_in_progress'), refused(503, 'unavailable')];
const done = { status: 201, replayed: false };
const countShipments = async (service: Service, account: TestAccount): Promise<number | undefined> =>
  (await stateOf(service, account)).shipments?.length;

test('the second of two instances waits for the first one and replays its response', async ({ service, account }) => {
  notWithCluster('the proxy chooses the instance of each request');
  await using second = await startService();
  await using held = await holdFeed(service.db, account);
  const first = post(service, account, create);
  await held.waiting(1);
  const repeat = post(second, account, create);
  await held.waiting(2);
  await held.release();
  // PostgreSQL decides which of the two instances is first.
  expectOneResponse(await Promise.all([first, repeat]));
  expect((await first).status).toBe(201);
  expect(await countShipments(service, account)).toBe(1);
  for (const response of await concurrently(10, (n) => post(n % 2 ? second : service, account, other)))
    expect(response).toMatchObject(refused(422, 'idempotency_key_reused'));
});

test('a response that was lost is replayed', async ({ service, account }) => {
  await using held = await holdFeed(service.db, account);
  const hangUp = new AbortController();
  const lost = post(service, account, { ...create, signal: hangUp.signal });
  await held.waiting(1);
  hangUp.abort();
  await expect(lost).rejects.toThrow();
  await held.release();
  const response = await post(service, account, create);
  expect(response).toMatchObject({ status: 201, replayed: true });
  expect((await account.client.listShipments()).data).toEqual([response.body]);
});

test('repeats of a running request hold one connection of five and delay no other request', async () => {
  notWithCluster('it counts the connections of one process');
  await using service = await startService({ DATABASE_POOL_SIZE: '5' });
  const [account, another] = [await newAccount(service), await newAccount(service)];
  await using held = await holdFeed(service.db, account);
  let finished = 0;
  const burst = concurrently(100, async () => {
    const response = await post(service, account, create);
    finished++;
    return response;
  });
  await held.waiting(1);
  expect((await account.client.listShipments()).data).toEqual([]);
  expect(await post(service, another, create)).toMatchObject(done);
  const created = await concurrently(50, () => newShipment(another));
  expect(new Set(created.map(({ id }) => id)).size).toBe(50);
  expect(new Set(created.map(({ tracking_number }) => tracking_number)).size).toBe(50);
  await concurrently(50, () => another.client.listShipments({ limit: 1 }));
  expect(finished).toBe(0);
  await held.waiting(1);
  await held.release();
  expectOneResponse(await burst);
});

/** DATABASE_TIMEOUT_MS and IDEMPOTENCY_WAIT_MS. */
const settings = {
  /** Neither locks nor repeats end before the test. */
  patient: [60_000, 60_000],
  /** Locks last much longer than repeats wait. */
  longLocks: [60_000, 500],
  /** Locks end first. */
  shortLocks: [4_000, 60_000],
  /** Repeats wait until the lock of the first request has ended. */
  longWaits: [6_000, 5_000],
};
const seconds = /^[1-9]\d*$/;

describe.concurrent('a POST that waits for a lock', () => {
  /** For the locks, each of which holds a connection. */
  const db = openDatabase({ url: databaseUrl(), poolSize: 12, prepared: false });
  const services = {} as Record<string, Service>;
  const start = async (name: keyof typeof settings) => {
    const service = services[name] ?? expect.unreachable();
    const account = await newAccount(service);
    return { service, account, send: (request: Parameters<typeof post>[2]) => post(service, account, request) };
  };
  // One after the other, before the tests: a start blocks the event loop, and the locks' timeouts are short.
  beforeAll(async () => {
    for (const [name, [timeout, wait]] of Object.entries(settings))
      services[name] = await startService({ DATABASE_TIMEOUT_MS: `${timeout}`, IDEMPOTENCY_WAIT_MS: `${wait}` });
  });
  afterAll(async () => {
    for (const service of Object.values(services)) await service[Symbol.asyncDispose]();
    await db.destroy();
  });

  test('repeats return 409 after IDEMPOTENCY_WAIT_MS, and later the stored response', async () => {
    notWithCluster('a repeat at the other instance waits for the key itself');
    const [{ service, account, send }, slower] = [await start('longLocks'), await start('patient')];
    await using held = await holdFeed(db, account);
    await using heldOther = await holdFeed(db, slower.account);
    // They are sent first: a timeout that is the same for both services would end the repeat first.
    const slow = slower.send(create);
    await heldOther.waiting(1);
    const waiting = slower.send(create);
    await get(slower.service, slower.account, '/shipments'); // the repeat has arrived and waits in the process
    const first = send(create);
    await held.waiting(1);
    for (const response of await concurrently(3, () => send(create))) {
      expect(response).toMatchObject(inProgress);
      expect(response.headers.get('retry-after')).toMatch(seconds);
    }
    await heldOther.release();
    expectReplay(await waiting, await slow);
    await held.release();
    expect(await first).toMatchObject(done);
    expectReplay(await send(create), await first);
    expect(await countShipments(service, account)).toBe(1);
  });

  test('while another process holds the key, a POST and its repeat return 409, then 201', async () => {
    const { service, account, send } = await start('longWaits');
    await using held = await holdKey(db, account, 'k');
    const first = send(create);
    await held.waiting(1);
    // A repeat that arrives later has some of its time left when the first one's has ended.
    const repeat = send(create);
    expect(await Promise.all([first, repeat])).toMatchObject([inProgress, inProgress]);
    await held.release();
    // By its own effect, or by that of the repeat, which goes on after its response.
    expect(await send(create)).toMatchObject({ status: 201 });
    expect(await countShipments(service, account)).toBe(1);
  });

  test('concurrent repeats return 503 when the lock of the shipment times out', async () => {
    const { account, send } = await start('shortLocks');
    const { tracking_number } = await newShipment(account);
    const body = { status: 'dispatched', timestamp: new Date().toISOString() };
    const request = { path: `/tracking/${tracking_number}/events`, body, key: 'k' };
    await using held = await holdShipment(db, account, tracking_number);
    for (const response of await concurrently(3, () => send(request))) {
      expect(response).toMatchObject(unavailable);
      expect(response.headers.get('retry-after')).toMatch(seconds);
    }
    await held.release();
    expect(await send(request)).toMatchObject(done);
  });
});
