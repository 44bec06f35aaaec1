import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runStartChecks } from '@waybill/server/cli/serve';
import { readConfig } from '@waybill/server/config';
import { checkClock } from '@waybill/server/config/database-checks';
import type { Database } from '@waybill/server/database/database';
import { startProxy } from '@waybill/tools/network';
import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import { databaseUrl } from '../../fixtures/database-url.ts';
import { ownDatabase, ownMigratedDatabase } from '../../fixtures/own-database.ts';
import { test as base, perFile } from '../../fixtures/test.ts';
import { runHere } from './run.ts';

interface Finding {
  name: string;
  ok: boolean;
  message: string;
  fix?: string;
}

const strongKey = randomBytes(32).toString('hex');

const test = base.extend<{
  $file: { database: { url: string; db: Database } };
  $test: { settings: Record<string, string> };
}>({
  /** Its own, because webhook secrets of other tests have other keys. */
  database: perFile(ownMigratedDatabase),
  /** With these, everything is ready. */
  settings: async ({ database }, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'waybill-check-'));
    await writeFile(join(folder, 'index.html'), 'The docs.');
    await use({
      BASE_URL: 'https://api.example.com/v1',
      DATABASE_TIMEOUT_MS: '60000', // the machine may be busy
      DATABASE_URL: database.url,
      DOCS_DIR: folder,
      SIGNING_KEYS: strongKey,
      STORAGE_URL: `file:${folder}/files`,
    });
    await rm(folder, { recursive: true });
  },
});

/** The findings of `waybill check`, and its exit code. */
async function check(settings: Record<string, string>) {
  const { code, stdout, stderr } = await runHere(['check', '--json'], settings);
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^{.+}\n$/);
  const { ok, findings } = JSON.parse(stdout) as { ok: boolean; findings: Finding[] };
  expect({ ok, code }).toEqual(
    findings.every((finding) => finding.ok) ? { ok: true, code: 0 } : { ok: false, code: 1 },
  );
  return { findings, failed: findings.filter((finding) => !finding.ok) };
}

test('`waybill check` names an invalid PORT although METRICS_PORT is the default of PORT', async ({ settings }) => {
  const { failed } = await check({ ...settings, PORT: 'http', METRICS_PORT: '3000' });
  expect(failed.map(({ name }) => name)).toEqual(['PORT']);
});

test('`waybill check` lists all findings and exits with 0 when everything is ready', async ({ settings }) => {
  const { findings } = await check(settings);
  expect(findings.map(({ name, ok }) => (ok ? name : `${name} is not ok`))).toEqual([
    ...['BASE_URL', 'SIGNING_KEYS', 'DOCS_DIR', 'STORAGE_URL', 'DATABASE_URL', 'DATABASE_URL', 'DATABASE_POOL_SIZE'],
    ...['clock', 'SIGNING_KEYS', 'DATABASE_PREPARED', 'REDIS_URL'],
  ]);
  const { stdout } = await runHere(['check'], settings);
  expect(stdout).toMatch(/^✓ BASE_URL is https:\/\/api\.example\.com\/v1\.\n(✓ .+\.\n){10}\nEverything is ready\.\n$/);
  expect(stdout).not.toContain(strongKey);
});

test('`waybill check` lists everything that is wrong, with what to do, and exits with 1', async ({ settings }) => {
  await using database = await ownDatabase();
  const wrong = {
    BASE_URL: 'https://api.example.com/v2',
    CDN_URL: 'http://cdn.example.com',
    DATABASE_POOL_SIZE: '900',
    DATABASE_URL: database.url,
    DOCS_DIR: '/etc',
    LOG_LEVEL: 'loud',
    REDIS_URL: 'redis://127.0.0.1:1',
    SIGNING_KEYS: 'k'.repeat(32),
    STORAGE_URL: 'file:/etc/hosts/files',
  };
  const { failed } = await check({ ...settings, ...wrong });
  expect(failed.map(({ name, message }) => `${name} ${message}`)).toEqual([
    'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent',
    'BASE_URL is https://api.example.com/v2, without the major version',
    'CDN_URL is http://cdn.example.com: API keys and files are sent without encryption',
    'SIGNING_KEYS repeats a text',
    'DOCS_DIR /etc has no index.html',
    expect.stringMatching(/^STORAGE_URL is not writable \(ENOTDIR.+\)$/),
    expect.stringMatching(/^DATABASE_URL lacks migrations \(0001-baseline\)/),
    expect.stringMatching(/^DATABASE_POOL_SIZE is 900, but PostgreSQL permits 29\d connections$/),
    expect.stringMatching(/^REDIS_URL cannot be used \(.*ECONNREFUSED.*\)$/),
  ]);
  expect(failed.map(({ fix }) => fix)).toContain('Run `waybill migrate`.');
  for (const { fix } of failed) expect(fix).toMatch(/^[A-Z].+\.$|^Expected: /);
  const { stdout } = await runHere(['check'], { ...settings, ...wrong });
  expect(stdout).toMatch(/^✗ DATABASE_URL lacks .+\. Run `waybill migrate`\.$/m);
  expect(stdout).toMatch(/\n9 of \d+ checks failed\.\n$/);
});

test.for([
  ['BASE_URL', 'http://api.example.com/v1', /without encryption/],
  ['HOST', '0.0.0.0', /which clients on other machines cannot reach, but HOST is 0\.0\.0\.0/],
  ['SIGNING_KEYS', `${strongKey},${strongKey}`, /same key twice/],
  ['SIGNING_KEYS', `${strongKey},change-me-change-you-change-us-all-please`, /words of an example in key 2 of 2/],
  ['SIGNING_KEYS', `${'a'.repeat(20)}${'b'.repeat(20)}c`, /too few different characters/],
  ['DATABASE_URL', 'postgres://waybill:hush@127.0.0.1:1/waybill', /ECONNREFUSED/],
] as const)('`waybill check` with %s=%s reports it', async ([name, value, message], { settings }) => {
  const others: Record<string, string> = name === 'HOST' ? { BASE_URL: '' } : {};
  const { failed } = await check({ ...settings, ...others, [name]: value });
  expect(failed).toEqual([
    {
      name: name === 'HOST' ? 'BASE_URL' : name,
      ok: false,
      message: expect.stringMatching(message),
      fix: expect.any(String),
    },
  ]);
  expect(JSON.stringify(failed)).not.toMatch(/hush|change-me/);
});

test('`waybill check` reports a clock that differs by an hour from that of the database', async ({ settings }) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 });
  try {
    const { failed } = await check(settings);
    expect(failed).toMatchObject([{ name: 'clock', message: expect.stringMatching(/^differs by 3[56]\d\d\.\d s /) }]);
  } finally {
    vi.useRealTimers();
  }
});

test.for([
  ['5 s behind', [-5_000, -5_000], true],
  ['more than 5 s behind', [-5_001, -5_001], false],
  ['5 s ahead', [5_000, 5_000], true],
  ['more than 5 s ahead', [5_001, 5_001], false],
  ['read a minute before and after that of the database', [-60_000, 60_000], true],
] as const)('checkClock: a clock %s is ok: %o → %s', async ([, [sent, received], ok], { database }) => {
  const there = Date.UTC(2026, 2, 2, 9, 0, 0);
  const db = database.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async () => ({ rows: [{ result: new Date(there) }] }),
  });
  using _ = vi
    .spyOn(Date, 'now')
    .mockReturnValueOnce(there + sent)
    .mockReturnValueOnce(there + received);
  expect((await checkClock(db)).ok).toBe(ok);
});

test('DATABASE_POOL_SIZE with two more connections must not exceed what PostgreSQL permits', async ({ settings }) => {
  await using database = await ownMigratedDatabase();
  const name = sql.id(new URL(database.url).pathname.slice(1));
  await sql`alter database ${name} connection limit 12`.execute(database.db);
  const all = { ...settings, DATABASE_URL: database.url };
  const { findings } = await check({ ...all, DATABASE_POOL_SIZE: '10' });
  expect(findings).toContainEqual(
    expect.objectContaining({ ok: true, message: 'is 10: PostgreSQL permits 12 connections, for 1 instances' }),
  );
  expect((await check({ ...all, DATABASE_POOL_SIZE: '11' })).failed).toMatchObject([
    { name: 'DATABASE_POOL_SIZE', fix: expect.stringMatching(/^Set it to 10 or less/) },
  ]);
});

test('without prepared statements, the timeouts must be set on the role, by the printed statements', async ({
  settings,
}) => {
  await using database = await ownMigratedDatabase();
  const unprepared = {
    ...settings,
    DATABASE_URL: database.url,
    DATABASE_PREPARED: 'false',
    DATABASE_TIMEOUT_MS: '40000',
  };
  const { failed } = await check(unprepared);
  expect(failed).toMatchObject([
    { name: 'DATABASE_PREPARED', message: expect.stringContaining('statement_timeout is 0') },
  ]);
  const statements = failed[0]?.fix?.match(/ALTER ROLE .+?;/g) ?? [];
  expect(statements).toContain(
    `ALTER ROLE waybill IN DATABASE ${new URL(database.url).pathname.slice(1)} SET statement_timeout = '35000ms';`,
  );
  for (const statement of statements) await sql.raw(statement).execute(database.db);
  expect((await check(unprepared)).failed).toEqual([]);
  // Longer than the service waits.
  const tooLong = { ...unprepared, DATABASE_TIMEOUT_MS: '39000' };
  expect((await check(tooLong)).failed).toMatchObject([{ name: 'DATABASE_PREPARED' }]);
});

test('`waybill check` and `waybill serve` accept the schema of a later release', async ({ settings }) => {
  await using database = await ownMigratedDatabase();
  await sql`insert into migrations values ('9999-later', now())`.execute(database.db);
  const all = { ...settings, DATABASE_URL: database.url };
  const { findings, failed } = await check(all);
  expect(failed).toEqual([]);
  expect(findings.map(({ message }) => message)).toContainEqual(expect.stringContaining('later release (9999-later)'));
  await runStartChecks(readConfig(all, []));
});

test('`waybill check` ends when the database and Redis do not respond', async ({ settings }) => {
  const port = Number(new URL(databaseUrl()).port);
  await using proxy = await startProxy(port);
  await proxy.set({ kind: 'black hole' });
  const silent = {
    DATABASE_TIMEOUT_MS: '300',
    DATABASE_URL: proxy.through(databaseUrl()),
    REDIS_URL: proxy.through('redis://127.0.0.1'),
  };
  const { failed } = await check({ ...settings, ...silent });
  expect(failed).toMatchObject([{ name: 'DATABASE_URL' }, { name: 'REDIS_URL' }]);
});
