import type { Database } from '@waybill/server/database/database';
import { MigrationError, migrate } from '@waybill/server/database/migrate';
import { createIndexConcurrently, type Migrations } from '@waybill/server/database/migration';
import { ownMigrations } from '@waybill/server/database/schema-level';
import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import { holdLock } from '../../fixtures/locks.ts';
import { notWithCluster } from '../../fixtures/not-with-cluster.ts';
import { json, runHere, testWithDatabase as test } from './run.ts';

/** Makes the tables of shipments run a statement first. */
async function beforeTables(db: Database, statement: string): Promise<void> {
  await sql
    .raw(`
    create function first() returns event_trigger language plpgsql as $$ begin
      if current_query() like '%tracking_sequence%' then ${statement}; end if;
    end $$;
    create event trigger first on ddl_command_start when tag in ('CREATE TABLE') execute function first()`)
    .execute(db);
}

test('two concurrent runs of `waybill migrate` apply each migration once', async ({ empty: { db, settings } }) => {
  const migrated = () => json<{ applied: string[] }>(['migrate'], settings);
  const [one, other] = await Promise.all([migrated(), migrated()]);
  const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(db);
  expect([...one.applied, ...other.applied].sort()).toEqual(rows.map(({ name }) => name));
});

test('`waybill migrate` names the process that migrates the database when it has waited for --wait', async ({
  empty: { db, settings },
}) => {
  const entered = Promise.withResolvers<void>();
  const leave = Promise.withResolvers<void>();
  const slow = migrate(db, {
    migrations: {
      '0001-baseline': {
        async up(on) {
          await ownMigrations['0001-baseline']?.up(on);
          entered.resolve();
          await leave.promise;
        },
      },
    },
  });
  await entered.promise;
  const waiting = await runHere(['migrate', '--wait', 'PT0S'], settings);
  leave.resolve();
  expect(waiting).toMatchObject({ code: 1, stdout: '' });
  expect(waiting.stderr).toMatch(
    /^Another process migrates this database: .+ waybill migrate, process \d+ on \S+ \(PostgreSQL process \d+, .*since 2\S+Z\)/,
  );
  await slow;
});

test('`waybill migrate` applies a migration that takes longer than DATABASE_TIMEOUT_MS', async ({
  empty: { url, db, settings },
}) => {
  await sql.raw(`alter database "${new URL(url).pathname.slice(1)}" set statement_timeout = '300ms'`).execute(db);
  await beforeTables(db, 'perform pg_sleep(0.2)');
  const { code, stdout, stderr } = await runHere(['migrate'], { ...settings, DATABASE_TIMEOUT_MS: '300' });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^Applied 0001-baseline\b/);
});

test('`waybill migrate` names the migration that failed and the reason, and continues with it the next time', async ({
  empty: { db, settings },
}) => {
  await sql`create table positions ()`.execute(db);
  const { code, stderr } = await runHere(['migrate'], settings);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'The migration 0001-baseline failed and was rolled back: relation "positions" already exists.\n',
  });
  const tables = await sql<{
    name: string;
  }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(db);
  expect(tables.rows).toEqual([{ name: 'positions' }]);
  await sql`drop table positions`.execute(db);
  const { applied } = await json<{ applied: string[] }>(['migrate'], settings);
  expect(applied).toEqual(Object.keys(ownMigrations));
});

test('a migration that waits for a lock lets other statements pass, tries again and at last reports its name', async ({
  empty: { db },
}) => {
  await beforeTables(db, 'perform pg_advisory_xact_lock(1)');
  await using held = await holdLock(db, 1);
  const limits = { lockTimeout: 50, pause: 1 };
  await expect(migrate(db, { ...limits, attempts: 2 })).rejects.toThrow(MigrationError);
  await expect(migrate(db, { ...limits, attempts: 1 })).rejects.toThrow(/0001-baseline .*lock timeout/);
  const onRetry = vi.fn();
  const migrated = migrate(db, { ...limits, attempts: 10_000, onRetry });
  await vi.waitFor(() => expect(onRetry.mock.calls.length).toBeGreaterThan(1), { timeout: 30_000 });
  await held.release();
  expect(await migrated).toEqual(Object.keys(ownMigrations));
});

/** A migration that builds an index outside a transaction. */
const concurrentIndex: Migrations = {
  ...ownMigrations,
  '9999-index': {
    outsideTransaction: true,
    up: (db) => createIndexConcurrently(db, 'one_n', sql`on one (n)`, { unique: true }),
  },
};

test('an index that could not be built concurrently is dropped and built by the next run', async ({
  migrated: { db },
}) => {
  notWithCluster('such a migration needs a session of PostgreSQL itself');
  await sql`create table one as select 1 as n from generate_series(1, 2)`.execute(db);
  const valid = async () =>
    (await sql`select indisvalid as valid from pg_index where indexrelid = to_regclass('one_n')`.execute(db)).rows;
  await expect(migrate(db, { migrations: concurrentIndex })).rejects.toThrow(
    /9999-index failed and may be partly applied; `waybill migrate` repeats it: could not create unique index/,
  );
  expect(await valid()).toEqual([{ valid: false }]);
  await sql`delete from one where ctid = '(0,1)'`.execute(db);
  expect(await migrate(db, { migrations: concurrentIndex })).toEqual(['9999-index']);
  expect(await valid()).toEqual([{ valid: true }]);
  const { rows } = await sql`
    select name from pg_settings where name like '%_timeout' and source = 'session'
    union all select locktype from pg_locks where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())`.execute(db);
  expect(rows).toEqual([]);
});

test('`waybill migrate` does nothing to the schema of a later release, and refuses that of another branch', async ({
  migrated: { db, settings },
}) => {
  await sql`insert into migrations values ('9999-later', now())`.execute(db);
  expect(await json(['migrate'], settings)).toEqual({ applied: [], later: ['9999-later'] });
  const { stdout } = await runHere(['migrate'], settings);
  expect(stdout).toBe('The schema is of a later release, which added 9999-later.\n');
  const other = migrate(db, { migrations: { '0001-other': { up: async () => {} } } });
  await expect(other).rejects.toThrow(/^This release cannot apply 0001-other, because the database has .*9999-later/);
});

test('`waybill migrate` refuses a database of an unreleased version and changes nothing', async ({
  empty: { db, settings },
}) => {
  await sql`create table kysely_migration (name text)`.execute(db);
  const { code, stderr } = await runHere(['migrate'], settings);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr:
      'An unreleased version of Waybill made the tables of this database, which no release can migrate. ' +
      'Export what you need from it, and run `waybill migrate` with a new database.\n',
  });
  const { rows } = await sql`select tablename from pg_tables where schemaname = 'public'`.execute(db);
  expect(rows).toEqual([{ tablename: 'kysely_migration' }]);
});
