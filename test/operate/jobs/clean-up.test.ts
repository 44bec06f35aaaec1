import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '@waybill/server/database/database';
import { uuidFromPublicId } from '@waybill/server/database/identifiers';
import { cleanUp } from '@waybill/server/jobs/clean-up';
import { sql } from 'kysely';
import { expect, onTestFinished, vi } from 'vitest';
import { at, newRoute } from '../../api/positions/route.ts';
import { concurrently } from '../../fixtures/concurrently.ts';
import { get, problemOf } from '../../fixtures/http.ts';
import { holdStoredBytes } from '../../fixtures/locks.ts';
import { notWithCluster } from '../../fixtures/not-with-cluster.ts';
import { ownMigratedDatabase, testWithoutCleanUp } from '../../fixtures/own-database.ts';
import { post } from '../../fixtures/post.ts';
import { refusesConnections } from '../../fixtures/refuses-connections.ts';
import type { Service } from '../../fixtures/service.ts';
import { startService } from '../../fixtures/service.ts';
import { inTransit, newShipment, shipmentRequest, upload } from '../../fixtures/shipments.ts';
import { newAccount, type TestAccount } from '../../fixtures/test.ts';

/** Clean-up is for all accounts, so this file has its own database. */
const test = testWithoutCleanUp;

const clean = ({ db, storage }: Service, positionDays = 7) => cleanUp({ db, storage, retention: { positionDays } });

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

/** The partitions of single days. */
async function partitions({ db }: Service): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = 'positions'::regclass
      and inhrelid <> 'positions_default'::regclass`.execute(db);
  return rows.map(({ name }) => name);
}

const create = async (service: Service, account: TestAccount, key: string): Promise<string> => {
  const { body } = await post(service, account, { path: '/shipments', body: shipmentRequest(), key });
  return (body as { id: string }).id;
};

test('clean-up removes idempotency keys after 24 hours, and not before', async ({ service, account }) => {
  const [old, young] = [await create(service, account, 'old'), await create(service, account, 'young')];
  const age = (key: string, time: string) =>
    sql`update idempotency_keys set created_at = now() - ${time}::interval where key = ${key}`.execute(service.db);
  await age('old', '24 h');
  await age('young', '23 h 50 min');
  expect((await clean(service)).idempotencyKeys).toBe(1);
  expect(await create(service, account, 'young')).toBe(young);
  expect(await create(service, account, 'old')).not.toBe(old);
});

test('clean-up removes accesses a day after their expiry, and not before', async ({ service, account }) => {
  const { id: shipment_id } = await newShipment(account);
  const create = async () => await account.client.createAccess({ shipment_id, scopes: ['shipments:read'] });
  const [old, young] = [await create(), await create()];
  const expire = ({ id }: { id: string }, time: string) =>
    sql`update accesses set expires_at = now() - ${time}::interval where id = ${uuidFromPublicId('acc', id)}`.execute(
      service.db,
    );
  await expire(old, '24 h');
  await expire(young, '23 h 50 min');
  expect((await clean(service)).accesses).toBe(1);
  const read = async ({ token }: { token: string }) =>
    (await problemOf(await get(service, { key: token }, `/shipments/${shipment_id}`))).detail;
  expect([await read(old), await read(young)]).toEqual([
    'The access token is unknown or revoked.',
    'The access token has expired.',
  ]);
});

test('clean-up removes positions after POSITION_DAYS but not the current location', async ({ service, account }) => {
  const { tracking_number } = await inTransit(account);
  const path = { tracking_number };
  const positions = [1, 8, 9].map((days) => ({ lat: days, lng: 0, updated_at: daysAgo(days) }));
  await account.client.recordPositions({ ...path, positions });
  expect(await clean(service, 12)).toMatchObject({ positionDays: 0, positions: 0 });
  expect((await clean(service)).positionDays).toBe(5);
  const { data } = await account.client.listPositions(path);
  expect(data.map(({ lat }) => lat)).toEqual([1]);
  expect((await account.client.getTracking(path))?.current_location?.lat).toBe(1);
});

test('clean-up removes partly received files after an hour, and not before', async ({ service }) => {
  const incoming = join(service.storageFolder, 'incoming');
  await mkdir(incoming, { recursive: true });
  for (const [name, minutes] of [
    ['dead', 60],
    ['alive', 50],
  ] as const) {
    await writeFile(join(incoming, name), 'x');
    const changedAt = new Date(Date.now() - minutes * 60_000);
    await utimes(join(incoming, name), changedAt, changedAt);
  }
  expect((await clean(service)).unfinishedFiles).toBe(1);
  expect(await readdir(incoming)).toEqual(['alive']);
});

test('concurrent clean-ups remove 12,000 keys and every old partition', async ({ service, account }) => {
  await sql`insert into idempotency_keys
    select ${account.id}::uuid, 'k' || n, '\\x00', 200, '{}', '{}', now() - interval '2 days'
    from generate_series(1, 12000) n`.execute(service.db);
  const runs = await concurrently(2, () => clean(service, 20));
  expect(runs.reduce((sum, { idempotencyKeys = 0 }) => sum + idempotencyKeys, 0)).toBe(12_000);
  const again = await concurrently(2, () => clean(service, 10));
  await clean(service, 10);
  expect(again.reduce((sum, { positionDays = 0 }) => sum + positionDays, 0)).toBeLessThanOrEqual(10);
  expect(await partitions(service)).toHaveLength(10 + 1 + 7);
});

test('a position of a day without a partition is stored, moved later, and expires', async ({ service, account }) => {
  const route = await newRoute(account);
  const days = [0, 1, 29.99, 30, 89].map((days) => at(days, { updated_at: daysAgo(days) }));
  for (const name of await partitions(service)) await sql`drop table ${sql.id(name)}`.execute(service.db);
  await route.record(days);
  const stored = await route.stored();
  expect(stored.map(({ lat }) => lat)).toEqual([0.089, 0.03, 0.02999, 0.001, 0]);
  const elsewhere = async () => (await sql`select from positions_default`.execute(service.db)).rows.length;
  expect(await elsewhere()).toBe(5);
  expect(await clean(service, 30)).toMatchObject({ positionDays: 0, positions: 2 });
  expect(await elsewhere()).toBe(0);
  expect(await partitions(service)).toHaveLength(30 + 1 + 7); // until a week ahead
  expect(await route.stored()).toEqual(stored.slice(2));
  await route.record(days.slice(0, 1));
  expect(await route.stored()).toEqual(stored.slice(2));
});

test('a partition in use is dropped later, and writers do not wait for it', async ({ service, account }) => {
  const route = await newRoute(account);
  await clean(service, 9);
  const reader = await service.db.startTransaction().execute();
  await sql`select count(*) from positions`.execute(reader);
  const [removed] = await Promise.all([
    clean(service, 8),
    ...Array.from({ length: 20 }, (_, second) => route.record([at(second)])),
  ]);
  expect(removed.positionDays).toBe(0);
  await reader.rollback().execute();
  expect((await clean(service, 8)).positionDays).toBe(1);
  expect(await route.stored()).toHaveLength(20);
});

test('a service that stops lets its clean-up end', async () => {
  notWithCluster('it starts the clean-up by the clock of this process');
  await using database = await ownMigratedDatabase();
  const log: Record<string, unknown>[] = [];
  vi.useFakeTimers({ toFake: ['setInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const service = await startService({ DATABASE_URL: database.url, LOG_LEVEL: 'warn' }, log);
  const account = await newAccount(service);
  await upload(account, (await newShipment(account)).tracking_number, 'photo');
  await sql`update proof_uploads set created_at = now() - interval '26 hours'`.execute(database.db);
  await using db = openDatabase({ url: database.url, poolSize: 2, prepared: false });
  await using held = await holdStoredBytes(db, account);
  vi.advanceTimersByTime(60_000);
  await held.waiting(1);
  const stopped = service[Symbol.asyncDispose]();
  await refusesConnections(service.origin);
  await held.release();
  await stopped;
  expect(log).toEqual([]);
});
