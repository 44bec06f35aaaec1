import { openDatabase } from '@waybill/server/database/database';
import { undistributedTables } from '@waybill/server/database/distribute';
import { migrate } from '@waybill/server/database/migrate';
import { tables as allTables } from '@waybill/server/features';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { needsCitus } from '../../fixtures/needs-citus.ts';
import { ownDatabase } from '../../fixtures/own-database.ts';
import { json, runHere } from '../cli/run.ts';

test('`waybill distribute` places each table once, and records it in the audit log', async () => {
  needsCitus();
  await using database = await ownDatabase();
  await using db = openDatabase({ url: database.url, poolSize: 1, prepared: false });
  const settings = { DATABASE_URL: database.url };
  const distribute = (...args: string[]) => runHere(['distribute', ...args], settings);
  /** What `waybill check` finds about the distribution. */
  const check = async () => {
    const { stdout } = await runHere(['check', '--json'], settings);
    return (JSON.parse(stdout) as { findings: { ok: boolean; message: string }[] }).findings
      .filter(({ message }) => message.includes('distributed'))
      .map(({ ok, message }) => [ok, message]);
  };
  expect(await distribute()).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Migrations are missing: 0001-baseline\. Run `waybill migrate`/),
  });
  expect(await check()).toEqual([]); // the missing migrations come first
  await migrate(db);
  const local = ['accesses', 'api_keys', 'audit_log', 'enabled_webhook_endpoints', 'instances', 'webhook_leases'];
  const tables = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace
      and relname <> 'migrations'`.execute(db);
  const all = await undistributedTables(db, allTables);
  expect([...all, ...local].toSorted()).toEqual(tables.rows.map(({ name }) => name).toSorted());
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
  expect(entries.filter(({ action }) => action === 'distribute').map(({ details }) => details)).toEqual([
    { tables: ['removed_events'] },
    { tables: all },
  ]);
});
