import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import { holdKey, holdLock, holdShipment } from '../../fixtures/database/locks.ts';
import { notWithCitus } from '../../fixtures/database/needs-citus.ts';
import { testWithOwnService } from '../../fixtures/database/own-database.ts';
import { concurrently } from '../../fixtures/requests/concurrently.ts';
import { expectOneResponse, type Posted, post } from '../../fixtures/requests/post.ts';
import { newPosition } from '../../fixtures/requests/valid-requests.ts';
import { type Service, startService } from '../../fixtures/service/service.ts';
import { shipmentIn, shipmentRequest } from '../../fixtures/shipments.ts';
import { newAccount, type TestAccount, test } from '../../fixtures/test.ts';
import { waitTimeout } from '../../fixtures/wait-timeout.ts';

const creation = (n: number, notes = `Number ${n}`) => {
  return { path: '/shipments', body: { ...shipmentRequest(), notes }, key: `key-${n}` };
};
/** The second position is refused alone. */
const positionsOf = (tracking_number: string, n: number, lat = 47) => {
  const positions = [
    { ...newPosition(), lat },
    { ...newPosition(), lat: 0, lng: 0 },
  ];
  return { path: `/tracking/${tracking_number}/positions`, body: { positions }, key: `p-${n}` };
};
const shipmentsOf = async ({ db }: Service, { id }: TestAccount): Promise<number> =>
  (await sql`select from shipments where account_id = ${id}`.execute(db)).rows.length;
const statusesOf = (responses: Posted[]) => responses.map(({ status }) => status);

test('64 clients with overlapping keys on two instances have one effect for each key', async ({ service, account }) => {
  await using second = await startService();
  const shipments = await concurrently(8, () => shipmentIn(account, 'in_transit'));
  const creations = Array.from({ length: 16 }, (_, n) => creation(n));
  const positions = creations.map((_, n) => positionsOf(shipments[n % 8]?.tracking_number ?? '', n));
  // Each key is sent to both instances.
  const keyOf = (n: number): number => Math.floor(n / 2) % 16;
  for (const requests of [creations, positions]) {
    const responses = await concurrently(64, (n) =>
      post(n % 2 ? service : second, account, requests[keyOf(n)] ?? expect.unreachable()),
    );
    for (const key of requests.keys()) expectOneResponse(responses.filter((_, n) => keyOf(n) === key));
  }
  expect(await shipmentsOf(service, account)).toBe(8 + 16);
});

test('a key of another process and a locked shipment delay no other request', async ({ service, account }) => {
  const other = await newAccount(service);
  const [locked, free] = [await shipmentIn(account, 'in_transit'), await shipmentIn(other, 'in_transit')];
  await using heldKey = await holdKey(service.db, account, 'key-0');
  await using heldShipment = await holdShipment(service.db, account, locked.tracking_number);
  const delayed = [creation(0), positionsOf(locked.tracking_number, 0)].map((one) => post(service, account, one));
  const others = await concurrently(20, (n) =>
    post(service, other, n % 2 ? creation(n) : positionsOf(free.tracking_number, n)),
  );
  expect(statusesOf(others)).toEqual(others.map((_, n) => (n % 2 ? 201 : 200)));
  await heldKey.release();
  await heldShipment.release();
  expect(statusesOf(await Promise.all(delayed))).toEqual([201, 200]);
});

testWithOwnService('a write that PostgreSQL refuses fails alone', async ({ service, account }) => {
  const shipments = await concurrently(10, () => shipmentIn(account, 'in_transit'));
  await sql`alter table shipments add constraint poison check (notes <> 'Poison')`.execute(service.db);
  await sql`alter table positions add constraint poison check (lat <> 13)`.execute(service.db);
  const isPoisoned = (n: number): boolean => n % 5 === 0;
  const before = await shipmentsOf(service, account);
  const created = await concurrently(40, (n) =>
    post(service, account, creation(n, isPoisoned(n) ? 'Poison' : undefined)),
  );
  const recorded = await Promise.all(
    shipments.map(({ tracking_number }, n) =>
      post(service, account, positionsOf(tracking_number, n, isPoisoned(n) ? 13 : 47)),
    ),
  );
  expect(statusesOf(created)).toEqual(created.map((_, n) => (isPoisoned(n) ? 500 : 201)));
  expect(statusesOf(recorded)).toEqual(recorded.map((_, n) => (isPoisoned(n) ? 500 : 200)));
  expect(await shipmentsOf(service, account)).toBe(before + 32);

  await sql`alter table shipments drop constraint poison`.execute(service.db);
  await sql`alter table positions drop constraint poison`.execute(service.db);
  expect(await post(service, account, creation(0, 'Poison'))).toMatchObject({ status: 201, replayed: false });
});

testWithOwnService(
  'requests whose connection ends commit nothing, and repeats succeed',
  async ({ service, account }) => {
    notWithCitus('writes are executed alone there');
    const { db } = service;
    await sql`
    create function wait_for_test() returns trigger language plpgsql set lock_timeout = 0 as
      $$ begin perform pg_advisory_xact_lock_shared(77); return new; end $$`.execute(db);
    await sql`create trigger wait before insert on shipments for each row execute function wait_for_test()`.execute(db);
    await using held = await holdLock(db, 77);
    const failed: Posted[] = [];
    const lost = concurrently(32, async (n) => {
      const response = await post(service, account, creation(n));
      if (response.status !== 201) failed.push(response);
    });
    let terminated = 0;
    await vi.waitFor(async () => {
      const { rows } = await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event = 'advisory'`.execute(db);
      terminated += rows.length;
      expect(failed.length).toBeGreaterThan(terminated); // several requests were in one statement
    }, waitTimeout);
    await held.release();
    await lost;
    for (const response of failed) expect(response).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect(await shipmentsOf(service, account)).toBe(32 - failed.length);

    const repeated = await concurrently(32, (n) => post(service, account, creation(n)));
    expect(statusesOf(repeated)).toEqual(repeated.map(() => 201));
    expect(repeated.filter(({ replayed }) => !replayed)).toHaveLength(failed.length);
    expect(await shipmentsOf(service, account)).toBe(32);
  },
);
