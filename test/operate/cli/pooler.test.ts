import { randomBytes } from 'node:crypto';
import { openDatabase } from '@waybill/server/database/database';
import { migrate } from '@waybill/server/database/migrate';
import { createIndexConcurrently, type Migrations } from '@waybill/server/database/migration';
import { ownMigrations } from '@waybill/server/database/schema-level';
import { startPgBouncer } from '@waybill/tools/cluster/pgbouncer';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { databaseUrl } from '../../fixtures/database-url.ts';
import { ownDatabase, ownMigratedDatabase } from '../../fixtures/own-database.ts';
import { testWithCluster, why } from '../cluster/programs.ts';
import { json, runHere } from './run.ts';

/** What `waybill check` prints about prepared statements and session settings. */
async function checkPrepared(url: string, prepared: boolean): Promise<string> {
  const { stdout } = await runHere(['check'], {
    DATABASE_PREPARED: String(prepared),
    DATABASE_TIMEOUT_MS: '40000',
    DATABASE_URL: url,
    SIGNING_KEYS: randomBytes(32).toString('hex'),
  });
  expect(stdout).toContain('✓ DATABASE_URL is PostgreSQL 1');
  expect(stdout).toMatch(/✓ DATABASE_POOL_SIZE is 10, with a connection pooler/);
  return /^(.) DATABASE_PREPARED .*$/m.exec(stdout)?.[0] ?? '';
}

testWithCluster(`\`waybill check\` reports what PgBouncer in transaction mode does not support${why}`, async () => {
  await using database = await ownMigratedDatabase();
  await using strict = await startPgBouncer(database.url);
  await using lenient = await startPgBouncer(database.url, 20, 'ignore_startup_parameters = options');
  expect(await checkPrepared(strict.through(database.url), true)).toMatch(/^✗ .+ refuses it .+DATABASE_PREPARED=false/);
  expect(await checkPrepared(lenient.through(database.url), true)).toMatch(
    /^✗ .+(loses prepared statements|not in force)/,
  );

  const unprepared = await checkPrepared(strict.through(database.url), false);
  expect(unprepared).toMatch(/^✗ .+not in force: lock_timeout is 0, /);
  for (const [statement] of unprepared.matchAll(/ALTER ROLE .+?;/g)) await sql.raw(statement).execute(database.db);
  await using reconnected = await startPgBouncer(database.url);
  expect(await checkPrepared(reconnected.through(database.url), false)).toMatch(/^✓ /);
});

testWithCluster(
  `through PgBouncer in transaction mode two runs of \`waybill migrate\` apply each migration once${why}`,
  async () => {
    await using database = await ownDatabase();
    await using pooler = await startPgBouncer(databaseUrl());
    const settings = { DATABASE_URL: pooler.through(database.url) };
    const migrated = () => json<{ applied: string[] }>(['migrate'], settings);
    const [one, other] = await Promise.all([migrated(), migrated()]);
    await using db = openDatabase({ url: database.url, poolSize: 1, prepared: false });
    const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(db);
    expect([...one.applied, ...other.applied].sort()).toEqual(rows.map(({ name }) => name));

    await using pooled = openDatabase({ url: settings.DATABASE_URL, poolSize: 1, prepared: false });
    const migrations: Migrations = {
      ...ownMigrations,
      '9999-index': {
        outsideTransaction: true,
        up: (on) => createIndexConcurrently(on, 'n', sql`on shipments (notes)`),
      },
    };
    await expect(migrate(pooled, { migrations })).rejects.toThrow(
      /9999-index needs a session of its own.+PostgreSQL itself/,
    );
  },
);
