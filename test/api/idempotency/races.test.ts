import { openDatabase } from '@waybill/server/database/database';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { concurrently } from '../../fixtures/concurrently.ts';
import { databaseUrl } from '../../fixtures/database-url.ts';
import { get } from '../../fixtures/http.ts';
import { holdFeed, holdKey, holdShipment } from '../../fixtures/locks.ts';
import { notWithCitus } from '../../fixtures/needs-citus.ts';
import { notWithCluster } from '../../fixtures/not-with-cluster.ts';
import { expectOneResponse, expectReplay, type Posted, post } from '../../fixtures/post.ts';
import { newPosition } from '../../fixtures/requests.ts';
import { type Service, startService } from '../../fixtures/service.ts';
import { newShipment, proofFor, shipmentIn, shipmentRequest } from '../../fixtures/shipments.ts';
import { stateOf } from '../../fixtures/state.ts';
import { newAccount, test } from '../../fixtures/test.ts';

const create = { path: '/shipments', body: shipmentRequest(), key: 'k' };
const positionsOf = (trackingNumber: string) => {
  return { path: `/tracking/${trackingNumber}/positions`, body: { positions: [newPosition()] }, key: 'k' };
};

test('the second of two instances waits for the first one and replays its response', async ({ service, account }) => {
  notWithCluster('the proxy chooses the instance of each request');
  await using second = await startService();
  await using held = await holdFeed(service.db, account);
  const first = post(service, account, create);
  await held.waiting(1);
  const repeat = post(second, account, create);
  await held.waiting(2);
  await held.release();
  const responses = await Promise.all([first, repeat]);
  expect((await stateOf(service, account)).shipments).toHaveLength(1);
  // PostgreSQL decides which of the two instances is first.
  expect(responses[0].status).toBe(201);
  expectOneResponse(responses);
  const other = { ...create, body: { ...create.body, notes: 'Other' } };
  expect(await post(second, account, other)).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
});

test('concurrent repeats of a refused request all return the refusal', async ({ service, account }) => {
  const { tracking_number } = await newShipment(account);
  const request = positionsOf(tracking_number);
  const responses = await concurrently(10, () => post(service, account, request));
  expect(responses[0]).toMatchObject({ status: 409, body: { code: 'positions_not_accepted' } });
  expectOneResponse(responses);
});

test('concurrent requests with a used key do not replay their refusals', async ({ service, account }) => {
  await post(service, account, create);
  const other = { ...create, body: { ...create.body, notes: 'Other' } };
  for (const response of await concurrently(10, () => post(service, account, other)))
    expect(response).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' }, replayed: false });
});

test('a corrected request does not get the 400 of a running one with its key', async ({ service, account }) => {
  const { tracking_number } = await shipmentIn(account, 'in_transit');
  const path = `/tracking/${tracking_number}/pod`;
  const body = await proofFor(account, tracking_number);
  const unknown = { ...body, signature: 'upl_01kjwjfxt6fsytr0x9a1xe4sfc' };
  await using held = await holdShipment(service.db, account, tracking_number);
  const wrong = post(service, account, { path, body: unknown, key: 'k' });
  await held.waiting(1);
  const corrected = post(service, account, { path, body, key: 'k' });
  await account.client.listShipments(); // the corrected request has arrived and waits in the process
  await held.release();
  expect(await wrong).toMatchObject({ status: 400, body: { code: 'unknown_upload' } });
  expect(await corrected).toMatchObject({ status: 201, replayed: false });
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
  const [account, other] = [await newAccount(service), await newAccount(service)];
  await using held = await holdFeed(service.db, account);
  let finished = 0;
  const burst = concurrently(100, async () => {
    const response = await post(service, account, create);
    finished++;
    return response;
  });
  await held.waiting(1);
  expect((await account.client.listShipments()).data).toEqual([]);
  expect(await post(service, other, create)).toMatchObject({ status: 201, replayed: false });
  const created = await concurrently(50, () => newShipment(other));
  for (const field of ['id', 'tracking_number'] as const) {
    expect(new Set(created.map((shipment) => shipment[field])).size).toBe(50);
  }
  await concurrently(50, () => other.client.listShipments({ limit: 1 }));
  expect(finished).toBe(0);
  await held.waiting(1);
  await held.release();
  expectOneResponse(await burst);
});

const settings = {
  /** Neither locks nor repeats end before the test. */
  patient: { DATABASE_TIMEOUT_MS: '60000', IDEMPOTENCY_WAIT_MS: '60000' },
  /** Locks last much longer than repeats wait. */
  longLocks: { DATABASE_TIMEOUT_MS: '60000', IDEMPOTENCY_WAIT_MS: '500' },
  /** Locks end first. */
  shortLocks: { DATABASE_TIMEOUT_MS: '4000', IDEMPOTENCY_WAIT_MS: '60000' },
  /** Repeats wait until the lock of the first request has ended. */
  longWaits: { DATABASE_TIMEOUT_MS: '6000', IDEMPOTENCY_WAIT_MS: '5000' },
};
const seconds = /^[1-9]\d*$/;

function expectInProgress({ status, headers, replayed, body }: Posted): void {
  expect({ status, replayed, body }).toMatchObject({ status: 409, body: { code: 'idempotency_in_progress' } });
  expect(replayed).toBe(false);
  expect(headers.get('retry-after')).toMatch(seconds);
}

describe.concurrent('a POST that waits for a lock', () => {
  /** For the locks, each of which holds a connection. */
  const db = openDatabase({ url: databaseUrl(), poolSize: 12, prepared: false });
  const services = {} as Record<keyof typeof settings, Service>;
  // One after the other, before the tests: a start blocks the event loop, and the locks' timeouts are short.
  beforeAll(async () => {
    for (const [name, of] of Object.entries(settings)) services[name as keyof typeof settings] = await startService(of);
  });
  afterAll(async () => {
    for (const service of Object.values(services)) await service[Symbol.asyncDispose]();
    await db.destroy();
  });

  /** Cancels the statements that wait for a lock. */
  const cancelWaiting = async ({ trx }: Pick<Awaited<ReturnType<typeof holdKey>>, 'trx'>) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
    await sql`select pg_cancel_backend(pid) from pg_stat_activity where ${rows[0]?.pid} = any(pg_blocking_pids(pid))`.execute(
      db,
    );
  };

  test('repeats of a POST that waits for a lock return 409 after IDEMPOTENCY_WAIT_MS, and later the stored response', async () => {
    notWithCluster('a repeat at the other instance waits for the key itself');
    const { longLocks: service, patient } = services;
    const [account, other] = [await newAccount(service), await newAccount(service)];
    await using held = await holdFeed(db, account);
    await using heldOther = await holdFeed(db, other);
    // They are sent first: a timeout that is the same for both services would end the repeat first.
    const slow = post(patient, other, create);
    await heldOther.waiting(1);
    const waiting = post(patient, other, create);
    await get(patient, other, '/shipments'); // the repeat has arrived and waits in the process
    const first = post(service, account, create);
    await held.waiting(1);
    for (const response of await concurrently(3, () => post(service, account, create))) expectInProgress(response);
    await heldOther.release();
    expectReplay(await waiting, await slow);
    await held.release();
    expect(await first).toMatchObject({ status: 201, replayed: false });
    expectReplay(await post(service, account, create), await first);
    expect((await stateOf(service, account)).shipments).toHaveLength(1);
  });

  test('a POST returns 409 while another process holds its Idempotency-Key, and 201 once the key is free', async () => {
    const service = services.longWaits;
    const account = await newAccount(service);
    await using held = await holdKey(db, account, 'k');
    const first = post(service, account, create);
    await held.waiting(1);
    // A repeat that arrives later has some of its time left when the first one's has ended.
    const repeat = post(service, account, create);
    for (const refused of await Promise.all([first, repeat])) expectInProgress(refused);
    await held.release();
    // By its own effect, or by that of the repeat, which goes on after its response.
    expect(await post(service, account, create)).toMatchObject({ status: 201 });
    expect((await stateOf(service, account)).shipments).toHaveLength(1);
  });

  test('a rejected POST returns 409 while another process holds its Idempotency-Key', async () => {
    const service = services.longWaits;
    const account = await newAccount(service);
    const { tracking_number } = await newShipment(account);
    await using _held = await holdKey(db, account, 'k');
    expectInProgress(await post(service, account, positionsOf(tracking_number)));
  });

  test('concurrent repeats of a POST return 503 when the lock of the shipment times out', async () => {
    const service = services.shortLocks;
    const account = await newAccount(service);
    const { tracking_number } = await newShipment(account);
    const body = { status: 'dispatched', timestamp: new Date().toISOString() };
    const request = { path: `/tracking/${tracking_number}/events`, body, key: 'k' };
    await using held = await holdShipment(db, account, tracking_number);
    for (const response of await concurrently(3, () => post(service, account, request))) {
      expect(response).toMatchObject({ status: 503, replayed: false, body: { code: 'unavailable' } });
      expect(response.headers.get('retry-after')).toMatch(seconds);
    }
    await held.release();
    expect(await post(service, account, request)).toMatchObject({ status: 201, replayed: false });
  });

  test('a POST whose wait for a lock is canceled, as Citus does, replays the response that an equal one has stored', async () => {
    notWithCitus('the connection that waits is on a worker');
    const service = services.patient;
    const account = await newAccount(service);
    const { tracking_number } = await shipmentIn(account, 'in_transit');
    const body = { code: 'damaged', occurred_at: new Date().toISOString() };
    const request = { path: `/tracking/${tracking_number}/exceptions`, body, key: 'k' };
    const first = await post(service, account, request);
    const moveKey = (from: string, to: string) =>
      sql`update idempotency_keys set key = ${to} where account_id = ${account.id} and key = ${from}`.execute(db);
    await moveKey('k', 'away');
    await using held = await holdShipment(db, account, tracking_number);
    const repeat = post(service, account, request);
    await held.waiting(1);
    await moveKey('away', 'k'); // as if the equal request had stored its response meanwhile
    await cancelWaiting(held);
    expectReplay(await repeat, first);
  });

  test('a POST whose statement is canceled while it stores its response returns 503', async () => {
    notWithCitus('there it may have waited for a lock');
    const service = services.patient;
    const account = await newAccount(service);
    const { id } = await newShipment(account);
    await using held = await holdKey(db, account, 'k');
    const canceled = post(service, account, {
      path: `/shipments/${id}/cancel`,
      body: { reason: 'Withdrawn.' },
      key: 'k',
    });
    await held.waiting(1);
    await cancelWaiting(held);
    expect(await canceled).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  });

  test('a POST that waits for its Idempotency-Key replays the response that another process stores', async () => {
    const { longLocks: first, shortLocks: second } = services;
    const account = await newAccount(first);
    const { tracking_number } = await newShipment(account);
    const request = positionsOf(tracking_number);
    await using held = await holdKey(db, account, 'k');
    const repeat = post(second, account, request);
    await held.waiting(1);
    await held.waiting(0); // its lock timed out, and it polls
    const slow = post(first, account, request);
    await held.waiting(1);
    await held.release();
    expect(await slow).toMatchObject({ status: 409, replayed: false });
    expectReplay(await repeat, await slow);
  });
});
