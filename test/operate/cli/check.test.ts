import { randomBytes } from 'node:crypto';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runStartChecks } from '@waybill/server/cli/serve';
import { readConfig } from '@waybill/server/config';
import type { Finding } from '@waybill/server/config/finding';
import type { Database } from '@waybill/server/database/database';
import { startPgBouncer } from '@waybill/tools/lab/cluster/pgbouncer';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { ownDatabase, ownMigratedDatabase } from '../../fixtures/database/own-database.ts';
import { test as base, perFile } from '../../fixtures/test.ts';
import { why } from '../cluster/programs.ts';
import { runHere } from './run-waybill.ts';

const strongKey = randomBytes(32).toString('hex');

const test = base.extend<{
  $file: { database: { url: string; db: Database } };
  $test: { settings: Record<string, string> };
}>({
  /** Its own, because webhook secrets of other tests have other keys. */
  database: perFile(ownMigratedDatabase),
  /** With these, everything is ready. */
  settings: async ({ database }, use) => {
    await using temporary = await mkdtempDisposable(join(tmpdir(), 'waybill-check-'));
    const folder = temporary.path;
    await writeFile(join(folder, 'index.html'), 'The docs.');
    await use({
      BASE_URL: 'https://api.example.com/v1',
      DATABASE_TIMEOUT_MS: '60000', // the machine may be busy
      DATABASE_URL: database.url,
      DOCS_DIR: folder,
      SIGNING_KEYS: strongKey,
      STORAGE_URL: `file:${folder}/files`,
    });
  },
});

/** The findings of `waybill check`, whose exit code says whether all are ok. */
async function check(settings: Record<string, string>) {
  const { code, stdout, stderr } = await runHere(['check', '--json'], settings);
  expect([stdout, stderr]).toEqual([expect.stringMatching(/^{.+}\n$/), '']);
  const { ok, findings } = JSON.parse(stdout) as { ok: boolean; findings: Finding[] };
  const failed = findings.filter((finding) => !finding.ok);
  expect([ok, code]).toEqual(failed.length === 0 ? [true, 0] : [false, 1]);
  return { findings, failed };
}

test('`waybill check` lists all findings and exits with 0 when everything is ready', async ({ settings }) => {
  expect((await check(settings)).findings.map(({ name }) => name)).toEqual([
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
    ...settings,
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
  const { failed } = await check(wrong);
  expect(failed.map(({ name, message }) => `${name} ${message}`)).toEqual([
    'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent',
    'BASE_URL is https://api.example.com/v2, without the major version',
    'CDN_URL is http://cdn.example.com: API keys and files are sent without encryption',
    'SIGNING_KEYS repeats a text',
    'DOCS_DIR /etc has no index.html',
    expect.stringMatching(/^STORAGE_URL is not writable \(ENOTDIR.+\)$/),
    expect.stringMatching(/^DATABASE_URL lacks migrations \(0001-baseline, /),
    expect.stringMatching(/^DATABASE_POOL_SIZE is 900, but PostgreSQL permits 29\d connections$/),
    expect.stringMatching(/^REDIS_URL cannot be used \(.*ECONNREFUSED.*\)$/),
  ]);
  for (const { fix } of failed) expect(fix).toMatch(/^[A-Z].+\.$|^Expected: /);
  const { stdout } = await runHere(['check'], wrong);
  expect(stdout).toMatch(/^✗ DATABASE_URL lacks .+\. Run `waybill migrate`\.$/m);
  expect(stdout).toMatch(/\n9 of \d+ checks failed\.\n$/);
});

test.for<[name: string, value: string, message: RegExp, others?: Record<string, string>, finding?: string]>([
  ['BASE_URL', 'http://api.example.com/v1', /without encryption/],
  ['HOST', '0.0.0.0', /clients on other machines cannot reach, but HOST is 0\.0\.0\.0/, { BASE_URL: '' }, 'BASE_URL'],
  ['SIGNING_KEYS', `${strongKey},change-me-change-you-change-us-all-please`, /words of an example in key 2 of 2/],
  ['SIGNING_KEYS', `${'a'.repeat(20)}${'b'.repeat(20)}c`, /too few different characters/],
  ['DATABASE_URL', 'postgres://waybill:hush@127.0.0.1:1/waybill', /ECONNREFUSED/],
])(
  '`waybill check` with %s=%s reports it',
  async ([name, value, message, others = {}, finding = name], { settings }) => {
    const { failed } = await check({ ...settings, ...others, [name]: value });
    expect(failed).toMatchObject([{ name: finding, message: expect.stringMatching(message) }]);
    expect(JSON.stringify(failed)).not.toMatch(/hush|change-me/);
  },
);

test.skipIf(why !== '')(
  `with an old PgBouncer, \`waybill check\` and \`waybill serve\` refuse DATABASE_PREPARED=true${why}`,
  async ({ settings }) => {
    await using database = await ownMigratedDatabase();
    await using pgBouncer = await startPgBouncer(database.url);
    const pooled = { ...settings, DATABASE_URL: pgBouncer.through(database.url) };
    const checkPrepared = async (DATABASE_PREPARED: string) => {
      const { stdout } = await runHere(['check'], { ...pooled, DATABASE_PREPARED });
      expect(stdout).toMatch(
        /✓ DATABASE_URL is PostgreSQL 1[\s\S]+✓ DATABASE_POOL_SIZE is 10, with a connection pooler/,
      );
      return /^(.) DATABASE_PREPARED .*$/m.exec(stdout)?.[0] ?? '';
    };
    expect(await checkPrepared('true')).toMatch(/^✗ .+ loses prepared statements.+DATABASE_PREPARED=false/);
    expect(await checkPrepared('false')).toMatch(/^✓ .+ timeouts for 60000 ms/);
    const start = (DATABASE_PREPARED: string) => runStartChecks(readConfig({ ...pooled, DATABASE_PREPARED }, []));
    await expect(start('true')).rejects.toThrow(/DATABASE_PREPARED is true, but .+ loses prepared statements/);
    await start('false');
  },
);

test('`waybill check` and `waybill serve` accept the schema of a later release', async ({ settings }) => {
  await using database = await ownMigratedDatabase();
  await sql`insert into migrations values ('9999-later', now())`.execute(database.db);
  const all = { ...settings, DATABASE_URL: database.url };
  const { findings, failed } = await check(all);
  expect(failed).toEqual([]);
  expect(findings.map(({ message }) => message).join()).toContain('later release (9999-later)');
  await runStartChecks(readConfig(all, []));
});
