import { type Database, openDatabase } from '@waybill/server/database/database';
import { MigrationError, migrate } from '@waybill/server/database/schema/migrate';
import { createIndexConcurrently, type Migrations } from '@waybill/server/database/schema/migration';
import { ownMigrations } from '@waybill/server/database/schema/schema-level';
import { startPgBouncer } from '@waybill/tools/lab/cluster/pgbouncer';
import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import { databaseUrl } from '../../fixtures/database/database-url.ts';
import { holdLock } from '../../fixtures/database/locks.ts';
import { ownDatabase } from '../../fixtures/database/own-database.ts';
import { notWithCluster } from '../../fixtures/service/not-with-cluster.ts';
import { testWithCluster, why } from '../cluster/programs.ts';
import { json, runHere, testWithDatabase as test } from './run-waybill.ts';

const all = Object.keys(ownMigrations);

/** Makes the tables of shipments run a statement first. */
const beforeTables = (db: Database, statement: string) =>
  sql
    .raw(`
    create function first() returns event_trigger language plpgsql as $$ begin
      if current_query() like '%tracking_sequence%' then ${statement}; end if;
    end $$;
    create event trigger first on ddl_command_start when tag in ('CREATE TABLE') execute function first()`)
    .execute(db);

/** All migrations, and one that builds an index outside a transaction. */
const withIndex: Migrations = {
  ...ownMigrations,
  '9999-index': {
    outsideTransaction: true,
    up: (db) => createIndexConcurrently(db, 'one_n', sql`on one (n)`, { unique: true }),
  },
};

/** Runs `waybill migrate` twice at once, and expects that each migration is applied once. */
async function migrateTwice(settings: { DATABASE_URL: string }): Promise<void> {
  const migrated = () => json<{ applied: string[] }>(['migrate'], settings);
  const [one, other] = await Promise.all([migrated(), migrated()]);
  expect([...one.applied, ...other.applied].sort()).toEqual(all); // they may take turns
}

test('two concurrent runs of `waybill migrate` apply each migration once', ({ empty: { settings } }) =>
  migrateTwice(settings));

testWithCluster(`the same through PgBouncer, behind which no index can be built concurrently${why}`, async () => {
  notWithCluster('its database is behind PgBouncer already');
  await using database = await ownDatabase();
  await using pooler = await startPgBouncer(databaseUrl());
  const url = pooler.through(database.url);
  await migrateTwice({ DATABASE_URL: url });
  await using db = openDatabase({ url, poolSize: 1, prepared: false });
  const refused = /9999-index needs a session of its own.+PostgreSQL itself/;
  await expect(migrate(db, { migrations: withIndex })).rejects.toThrow(refused);
});

test('`waybill migrate` takes longer than DATABASE_TIMEOUT_MS if needed', async ({ empty: { url, db, settings } }) => {
  await sql.raw(`alter database "${new URL(url).pathname.slice(1)}" set statement_timeout = '300ms'`).execute(db);
  await beforeTables(db, 'perform pg_sleep(0.2)');
  const { stdout, ...ended } = await runHere(['migrate'], { ...settings, DATABASE_TIMEOUT_MS: '300' });
  expect(ended).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^Applied 0001-baseline\b/);
});

test('`waybill migrate` names the migration that failed, and repeats it', async ({ empty: { db, settings } }) => {
  await sql`create table positions ()`.execute(db);
  const stderr = 'The migration 0001-baseline failed and was rolled back: relation "positions" already exists.\n';
  expect(await runHere(['migrate'], settings)).toEqual({ code: 1, stdout: '', stderr });
  const { rows } = await sql`select tablename as name from pg_tables where schemaname = 'public'`.execute(db);
  expect(rows).toEqual([{ name: 'positions' }]);
  await sql`drop table positions`.execute(db);
  expect(await json(['migrate'], settings)).toEqual({ applied: all, later: [] });
});

test('a migration that waits for a lock tries again, and at last reports its name', async ({ empty: { db } }) => {
  await beforeTables(db, 'perform pg_advisory_xact_lock(1)');
  await using held = await holdLock(db, 1);
  const limits = { lockTimeout: 50, pause: 1 };
  const timedOut = expect.objectContaining({ message: expect.stringMatching(/0001-baseline .*lock timeout/) });
  const failed = await migrate(db, { ...limits, attempts: 2 }).catch((error: unknown) => error);
  expect([failed, failed instanceof MigrationError]).toEqual([timedOut, true]);
  const onRetry = vi.fn();
  const migrated = migrate(db, { ...limits, attempts: 10_000, onRetry });
  await vi.waitFor(() => expect(onRetry.mock.calls.length).toBeGreaterThan(1), { timeout: 30_000 });
  await held.release();
  expect(await migrated).toEqual(all);
});

test('an index that could not be built concurrently is built by the next run', async ({ migrated: { db } }) => {
  notWithCluster('such a migration needs a session of PostgreSQL itself');
  await sql`create table one as select 1 as n from generate_series(1, 2)`.execute(db);
  const run = () => migrate(db, { migrations: withIndex });
  const valid = async () =>
    (await sql`select indisvalid as valid from pg_index where indexrelid = to_regclass('one_n')`.execute(db)).rows;
  const failed = /9999-index failed and may be partly applied; `waybill migrate` repeats it: could not create unique/;
  await expect(run()).rejects.toThrow(failed);
  expect(await valid()).toEqual([{ valid: false }]);
  await sql`delete from one where ctid = '(0,1)'`.execute(db);
  expect(await run()).toEqual(['9999-index']);
  expect(await valid()).toEqual([{ valid: true }]);
  const { rows } = await sql`
    select name from pg_settings where name like '%_timeout' and source = 'session'
    union all select locktype from pg_locks where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())`.execute(db);
  expect(rows).toEqual([]);
});

test('`waybill migrate` leaves the schema of a later release, and refuses a branch', async ({
  migrated: { db, settings },
}) => {
  await sql`insert into migrations values ('9999-later', now())`.execute(db);
  expect(await json(['migrate'], settings)).toEqual({ applied: [], later: ['9999-later'] });
  const stdout = 'The schema is of a later release, which added 9999-later.\n';
  expect(await runHere(['migrate'], settings)).toEqual({ code: 0, stdout, stderr: '' });
  const other = migrate(db, { migrations: { '0001-other': { up: async () => {} } } });
  await expect(other).rejects.toThrow(/^This release cannot apply 0001-other, because the database has .*9999-later/);
});
