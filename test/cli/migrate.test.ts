import { connect, type Database } from '@waybill/server/database/connect';
import { MigrationError, migrate } from '@waybill/server/database/migrate';
import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import { holdLock } from '../fixtures/locks.ts';
import { ownDatabase } from '../fixtures/own-database.ts';
import { test as base } from '../fixtures/test.ts';
import { json, runHere } from './run.ts';

const test = base.extend<{ own: { url: string; db: Database } }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures a fixture needs from this pattern
  own: async ({}, use) => {
    await using database = await ownDatabase();
    const db = connect({ url: database.url, poolSize: 3, prepared: false });
    await use({ url: database.url, db });
    await db.destroy();
  },
});

/** Makes every table of the first migration run a statement first. */
async function beforeTables(db: Database, statement: string): Promise<void> {
  await sql
    .raw(`
    create function first() returns event_trigger language plpgsql as $$ begin
      if current_query() like '%tracking_sequence%' then ${statement}; end if;
    end $$;
    create event trigger first on ddl_command_start when tag in ('CREATE TABLE') execute function first()`)
    .execute(db);
}

test('`waybill migrate` run twice concurrently succeeds, and `waybill check` names it before', async ({
  own: { url },
}) => {
  const settings = { DATABASE_URL: url, SIGNING_KEYS: 'k'.repeat(32) };
  const before = await runHere(['check'], settings);
  expect(before).toMatchObject({ code: 1, stdout: expect.stringContaining('Run `waybill migrate`') });
  const migrated = () => json<{ applied: string[] }>(['migrate'], settings);
  const applied = (await Promise.all([migrated(), migrated()])).map((result) => result.applied.length);
  expect(Math.min(...applied)).toBe(0);
  expect(await json(['check'], settings)).toEqual({ pending: [] });
});

test('`waybill migrate` applies a migration that takes longer than DATABASE_TIMEOUT_MS', async ({
  own: { url, db },
}) => {
  await sql.raw(`alter database "${new URL(url).pathname.slice(1)}" set statement_timeout = '300ms'`).execute(db);
  await beforeTables(db, 'perform pg_sleep(0.1)');
  const { code, stdout, stderr } = await runHere(['migrate'], { DATABASE_URL: url, DATABASE_TIMEOUT_MS: '300' });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^Applied 0001-first, /);
});

test('`waybill migrate` names the migration that failed and the reason, and applies none', async ({
  own: { url, db },
}) => {
  await sql`create table positions ()`.execute(db);
  const { code, stderr } = await runHere(['migrate'], { DATABASE_URL: url });
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'The migration 0002-complete failed, and nothing was changed: relation "positions" already exists.\n',
  });
  const { rows } = await sql`select to_regclass('shipments') as shipments`.execute(db);
  expect(rows).toEqual([{ shipments: null }]);
});

test('a migration that waits for a lock lets other statements pass, tries again and at last reports its name', async ({
  own: { db },
}) => {
  await beforeTables(db, 'perform pg_advisory_xact_lock(1)');
  await using held = await holdLock(db, 1);
  const limits = { lockTimeout: 50, pause: 1 };
  await expect(migrate(db, { ...limits, attempts: 2 })).rejects.toThrow(MigrationError);
  await expect(migrate(db, { ...limits, attempts: 1 })).rejects.toThrow(/0001-first .*lock timeout/);
  const onRetry = vi.fn();
  const migrated = migrate(db, { ...limits, attempts: 10_000, onRetry });
  await vi.waitFor(() => expect(onRetry.mock.calls.length).toBeGreaterThan(1), { timeout: 30_000 });
  await held.release();
  expect((await migrated).length).toBeGreaterThan(1);
});
