import { sql } from 'kysely';
import pg from 'pg';
import { expect, vi } from 'vitest';
import { concurrently } from '../../fixtures/concurrently.ts';
import { holdKey, holdLock, holdShipment } from '../../fixtures/locks.ts';
import { notWithCitus } from '../../fixtures/needs-citus.ts';
import { notWithCluster } from '../../fixtures/not-with-cluster.ts';
import { testWithOwnService } from '../../fixtures/own-database.ts';
import { expectOneResponse, expectReplay, type Posted, post } from '../../fixtures/post.ts';
import { newPosition } from '../../fixtures/requests.ts';
import { type Service, startService } from '../../fixtures/service.ts';
import { shipmentIn, shipmentRequest } from '../../fixtures/shipments.ts';
import { stateOf } from '../../fixtures/state.ts';
import { newAccount, type TestAccount, test } from '../../fixtures/test.ts';
import { waitTimeout } from '../../fixtures/wait-timeout.ts';

const creation = (n: number, changes: object = {}) => {
  return { path: '/shipments', body: { ...shipmentRequest(), notes: `Number ${n}`, ...changes }, key: `key-${n}` };
};
const positionsOf = (tracking_number: string, n: number, lat = 47) => {
  return {
    path: `/tracking/${tracking_number}/positions`,
    // The second one is refused alone.
    body: {
      positions: [
        { ...newPosition(), lat },
        { ...newPosition(), lat: 0, lng: 0 },
      ],
    },
    key: `p-${n}`,
  };
};
const shipmentsOf = async ({ db }: Service, { id }: TestAccount): Promise<number> =>
  (await sql`select from shipments where account_id = ${id}`.execute(db)).rows.length;

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
  const delayed = [post(service, account, creation(0)), post(service, account, positionsOf(locked.tracking_number, 0))];
  const others = await concurrently(20, (n) =>
    n % 2 ? post(service, other, creation(n)) : post(service, other, positionsOf(free.tracking_number, n)),
  );
  expect(others.map(({ status }) => status)).toEqual(others.map((_, n) => (n % 2 ? 201 : 200)));
  await heldKey.release();
  await heldShipment.release();
  expect((await Promise.all(delayed)).map(({ status }) => status)).toEqual([201, 200]);
});

/** What writes store for an account, without what differs between two accounts that have sent the same requests. */
async function comparableState(service: Service, account: TestAccount) {
  const state = await stateOf(service, account);
  const rows = ['shipments', 'tracking_events', 'positions', 'current_positions', 'events'].flatMap(
    (table) => state[table] ?? expect.unreachable(),
  );
  const differing = [
    /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, // ids
    /ship_[0-9a-z]{26}/g,
    /FRT-\d{4}-\d+/g,
    /\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)/g, // times
    /(?<="number": )\d+/g,
  ];
  return rows.map((row) => differing.reduce((text, part) => text.replaceAll(part, '…'), row)).sort();
}

test.for(['createShipment', 'recordPositions'])('%s alone stores the same as in a group', async (id, { service }) => {
  const [inGroup, alone] = [await newAccount(service), await newAccount(service)];
  // A write whose key has an expired response is committed alone.
  await sql`insert into idempotency_keys
    values (${alone.id}, 'key', '', 201, '{}', '{}', now() - interval '25 hours')`.execute(service.db);
  for (const account of [inGroup, alone]) {
    const { tracking_number } = await shipmentIn(account, 'in_transit');
    const request = id === 'createShipment' ? creation(1) : positionsOf(tracking_number, 1);
    const send = () => post(service, account, { ...request, key: 'key' });
    const first = await send();
    expect(first.replayed).toBe(false);
    if (id === 'recordPositions')
      expect(first.body).toMatchObject({ accepted: 1, refused: [{ code: 'zero_coordinates' }] });
    expectReplay(await send(), first);
  }
  expect(await comparableState(service, alone)).toEqual(await comparableState(service, inGroup));
});

test('a group records at most 2,000 positions', async () => {
  notWithCluster('it reads the statements of this process');
  notWithCitus('writes are executed alone there');
  using query = vi.spyOn(pg.Client.prototype, 'query');
  await using service = await startService();
  const account = await newAccount(service);
  const shipments = await concurrently(60, () => shipmentIn(account, 'dispatched'));
  const start = Date.now() - 60_000;
  const positions = Array.from({ length: 100 }, (_, n) => {
    return { ...newPosition(), updated_at: new Date(start + n).toISOString() };
  });
  const recorded = shipments.map(({ tracking_number }) =>
    post(service, account, { path: `/tracking/${tracking_number}/positions`, body: { positions } }),
  );
  expect((await Promise.all(recorded)).map(({ status }) => status)).toEqual(recorded.map(() => 200));
  const sizes = query.mock.calls.flatMap(([first, given]) => {
    const { text = String(first), values = given } = first as { text?: string; values?: unknown };
    const arrays = (values as unknown[] | undefined)?.filter(Array.isArray) ?? [];
    return text.includes('insert into "positions"') ? [Math.max(...arrays.map(({ length }) => length))] : [];
  });
  expect(sizes.length).toBeGreaterThanOrEqual(3);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(2_000);
});

/** A service with a database of its own, whose tables the tests change. */
const own = testWithOwnService;

own('a write that PostgreSQL refuses fails alone', async ({ service, account }) => {
  const shipments = await concurrently(10, () => shipmentIn(account, 'in_transit'));
  await sql`alter table shipments add constraint poison check (notes <> 'Poison')`.execute(service.db);
  await sql`alter table positions add constraint poison check (lat <> 13)`.execute(service.db);
  const isPoisoned = (n: number): boolean => n % 5 === 0;
  const before = await shipmentsOf(service, account);
  const request = (n: number) => creation(n, isPoisoned(n) ? { notes: 'Poison' } : {});
  const created = await concurrently(40, (n) => post(service, account, request(n)));
  const recorded = await Promise.all(
    shipments.map(({ tracking_number }, n) =>
      post(service, account, positionsOf(tracking_number, n, isPoisoned(n) ? 13 : 47)),
    ),
  );
  const statuses = (responses: Posted[]) => responses.map(({ status }) => status);
  expect(statuses(created)).toEqual(created.map((_, n) => (isPoisoned(n) ? 500 : 201)));
  expect(statuses(recorded)).toEqual(recorded.map((_, n) => (isPoisoned(n) ? 500 : 200)));
  expect(await shipmentsOf(service, account)).toBe(before + 32);

  await sql`alter table shipments drop constraint poison`.execute(service.db);
  await sql`alter table positions drop constraint poison`.execute(service.db);
  expect(await post(service, account, request(0))).toMatchObject({ status: 201, replayed: false });
});

own('requests whose connection ends commit nothing, and repeats succeed', async ({ service, account }) => {
  notWithCitus('writes are executed alone there');
  await sql`
    create function wait_for_test() returns trigger language plpgsql set lock_timeout = 0 as
      $$ begin perform pg_advisory_xact_lock_shared(77); return new; end $$`.execute(service.db);
  await sql`create trigger wait before insert on shipments for each row execute function wait_for_test()`.execute(
    service.db,
  );
  await using held = await holdLock(service.db, 77);
  const failed: Posted[] = [];
  const lost = concurrently(32, async (n) => {
    const response = await post(service, account, creation(n));
    if (response.status !== 201) failed.push(response);
  });
  let terminated = 0;
  await vi.waitFor(async () => {
    const { rows } = await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event = 'advisory'`.execute(service.db);
    terminated += rows.length;
    expect(failed.length).toBeGreaterThan(terminated); // several requests were in one statement
  }, waitTimeout);
  await held.release();
  await lost;
  for (const { status, body } of failed)
    expect({ status, body }).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  expect(await shipmentsOf(service, account)).toBe(32 - failed.length);

  const repeated = await concurrently(32, (n) => post(service, account, creation(n)));
  expect(repeated.map(({ status }) => status)).toEqual(repeated.map(() => 201));
  expect(repeated.filter(({ replayed }) => !replayed)).toHaveLength(failed.length);
  expect(await shipmentsOf(service, account)).toBe(32);
});
