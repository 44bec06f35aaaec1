import { createClient } from '@waybill/client';
import { openDatabase } from '@waybill/server/database/database';
import { undistributedTables } from '@waybill/server/database/schema/distribute';
import { migrate } from '@waybill/server/database/schema/migrate';
import type { Tables } from '@waybill/server/database/tables';
import { tables } from '@waybill/server/features';
import { cleanUp } from '@waybill/server/jobs/clean-up';
import { sql } from 'kysely';
import { expect, inject } from 'vitest';
import { at, newRoute } from '../../api/positions/route.ts';
import { operationIds, operationOf } from '../../fixtures/contract/contract.ts';
import { ownDatabase, testWithoutCleanUp } from '../../fixtures/database/own-database.ts';
import { receive, send } from '../../fixtures/requests/send.ts';
import { ready } from '../../fixtures/requests/valid-requests.ts';
import type { Service } from '../../fixtures/service/service.ts';
import { newShipment, upload } from '../../fixtures/shipments.ts';
import { test as everywhere, newAccount } from '../../fixtures/test.ts';
import { json, runHere } from '../cli/run-waybill.ts';
import { accountsOnTwoWorkers, setPort } from './workers.ts';

/** Without Citus no service is started for them: npx -y pnpm@12 test:citus */
const test = testWithoutCleanUp.skipIf(!inject('citus'));

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();
const clean = ({ db, storage }: Service) => cleanUp({ db, storage, retention: { positionDays: 30 } });

test('clean-up removes expired keys, uploads and positions of every shard', async ({ service }) => {
  const { db } = service;
  await clean(service);
  for (let count = 0; count < 3; count++) {
    const account = await newAccount(service);
    await upload(account, (await newShipment(account)).tracking_number, 'photo');
    const route = await newRoute(account);
    await route.record([at(0, { updated_at: daysAgo(60) }), at(1, { updated_at: daysAgo(20) })]);
  }
  await sql`update proof_uploads set created_at = now() - interval '26 hours' where bound_at is null`.execute(db);
  await sql`update idempotency_keys set created_at = now() - interval '25 hours'`.execute(db);
  const { rows } = await sql`select from idempotency_keys`.execute(db);
  expect(await clean(service)).toMatchObject({ idempotencyKeys: rows.length, uploads: 3, positions: 3 });
});

test('`waybill distribute` places each table once, and records it in the audit log', async () => {
  await using database = await ownDatabase();
  await using db = openDatabase({ url: database.url, poolSize: 1, prepared: false });
  const settings = { DATABASE_URL: database.url };
  const distribute = (...args: string[]) => runHere(['distribute', ...args], settings);
  /** What `waybill check` finds about the distribution. */
  const check = async () => {
    const { stdout } = await runHere(['check', '--json'], settings);
    const { findings } = JSON.parse(stdout) as { findings: { ok: boolean; message: string }[] };
    return findings.flatMap(({ ok, message }) => (message.includes('distributed') ? [[ok, message]] : []));
  };
  const missing = expect.stringMatching(/^Migrations are missing: 0001-baseline, .*\. Run `waybill migrate`/);
  expect(await distribute()).toMatchObject({ code: 1, stderr: missing });
  expect(await check()).toEqual([]); // the missing migrations come first
  await migrate(db);
  const local = ['accesses', 'api_keys', 'audit_log', 'enabled_webhook_endpoints', 'instances', 'webhook_leases'];
  const stored = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace
      and relname <> 'migrations'`.execute(db);
  const all = await undistributedTables(db, tables);
  expect([...all, ...local].toSorted()).toEqual(stored.rows.map(({ name }) => name).toSorted());
  expect(await check()).toEqual([[false, `has Citus, but ${all.join(', ')} are not distributed`]]);
  expect(await distribute()).toEqual({ code: 0, stdout: `Distributed ${all.join(', ')}.\n`, stderr: '' });
  expect(await distribute()).toEqual({ code: 0, stdout: 'All tables are distributed.\n', stderr: '' });
  expect(await check()).toEqual([[true, 'is distributed by Citus']]);
  const { rows } = await sql<{ name: string; place: string; column: string }>`
    select table_name::text as name, citus_table_type as place, distribution_column as column
    from citus_tables`.execute(db);
  const distributed = rows.filter(({ place }) => place === 'distributed');
  expect(rows.filter(({ place }) => place === 'reference').map(({ name }) => name)).toEqual(['accounts']);
  expect(new Set(distributed.map(({ column }) => column))).toEqual(new Set(['account_id']));
  expect(distributed.map(({ name }) => name)).toEqual(expect.arrayContaining(all.slice(1)));

  // as after a migration that creates a table
  await sql`create table created_later (like removed_events including all)`.execute(db);
  await sql`drop table removed_events`.execute(db);
  await sql`alter table created_later rename to removed_events`.execute(db);
  expect(await distribute('--json')).toEqual({ code: 0, stdout: '{"distributed":["removed_events"]}\n', stderr: '' });
  const entries = await json<{ action: string; details: unknown }[]>(['audit'], settings);
  const recorded = entries.flatMap(({ action, details }) => (action === 'distribute' ? [details] : []));
  expect(recorded).toEqual([{ tables: ['removed_events'] }, { tables: all }]);
});

test('while a worker of Citus is stopped, every operation succeeds for the accounts on others', async ({ service }) => {
  const { lost, healthy, worker } = await accountsOnTwoWorkers(service);
  const port = await setPort(service.db, worker, 1);
  await expect(lost.client.listShipments({}, { maxRetries: 0 })).rejects.toMatchObject({ status: 503 });
  const client = createClient({ baseUrl: service.baseUrl, apiKey: healthy.key, maxRetries: 0 });
  const failed: Record<string, string | number> = {};
  for (const id of operationIds) {
    // A request that prepares the state may fail, too.
    const prepared = await ready(id, { client }).catch((error: unknown) => String(error));
    if (typeof prepared === 'string') failed[id] = prepared;
    else {
      const { status } = await receive(await send(service.baseUrl, operationOf(id), { key: healthy.key, ...prepared }));
      if (status >= 300) failed[id] = status;
    }
  }
  await setPort(service.db, worker, port);
  expect(failed).toEqual({});
  expect((await lost.client.listShipments()).data).toEqual([]);
});

everywhere('every primary key begins with account_id, and every foreign key contains it', async ({ service }) => {
  const { rows } = await sql<{ first: string }>`
    select c.conrelid::regclass::text as table, c.contype as kind, a.attname as first
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype in ('p', 'f') and c.connamespace = 'public'::regnamespace
      -- The instances share all endpoints, and some entries of the audit log concern no account.
      and c.conrelid::regclass::text !~ '^(migrations|instances|webhook_leases|audit_log)$'`.execute(service.db);
  expect(rows.length).toBeGreaterThanOrEqual(Object.keys(tables).length);
  const hint = 'Change the migration in packages/server/src/database/migrations/.';
  for (const row of rows) expect(row, hint).toMatchObject({ first: 'account_id' });
});

everywhere('Citus gets each table after those that it references, and distributed like them', async ({ service }) => {
  const { rows } = await sql<{ table: keyof Tables; referenced: keyof Tables }>`
    select distinct conrelid::regclass::text as table, confrelid::regclass::text as referenced from pg_constraint
    where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0`.execute(service.db);
  expect(rows.length).toBeGreaterThan(0);
  const order = Object.keys(tables);
  for (const { table, referenced } of rows) {
    const hint = `Move ${table} behind ${referenced} in packages/server/src/features.ts: it references it.`;
    expect(order.indexOf(table), hint).toBeGreaterThan(order.indexOf(referenced));
    if (tables[referenced].citus === 'distributed') expect(tables[table].citus, hint).toBe('distributed');
  }
});
