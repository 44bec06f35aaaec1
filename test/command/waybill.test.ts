import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { connect } from '@waybill/server/database/connect';
import { uuidOf } from '@waybill/server/identifiers';
import { freePort } from '@waybill/tools/free-port';
import { sql } from 'kysely';
import { expect, inject, test, vi } from 'vitest';
import { newShipment, take } from '../harness/journeys.ts';
import { ownDatabase } from '../harness/own-database.ts';
import { newAccount } from '../harness/test.ts';

const main = fileURLToPath(import.meta.resolve('@waybill/server/command/main'));

interface Said {
  code: number;
  out: string;
  err: string;
}

/** Runs `waybill` to its end, with nothing in its environment but what is given. */
const waybill = (
  args: string[],
  env: Record<string, string> = { DATABASE_URL: inject('databaseUrl') },
): Promise<Said> =>
  new Promise((resolve) => {
    execFile(process.execPath, [main, ...args], { env }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
  });

async function withDatabase(use: (url: string) => Promise<void>): Promise<void> {
  await using database = await ownDatabase();
  await use(database.url);
}

test.for([
  [],
  ['fly'],
  ['serve', '--fast'],
  ['accounts'],
  ['accounts', 'create'],
  ['keys', 'create', 'an-account'],
  ['keys', 'create', 'an-account', '--scopes', 'shipments:burn'],
  ['keys', 'create', 'an-account', '--scopes', 'shipments:read', '--expires', 'yesterday'],
  ['keys', 'rotate', 'an-account', 'a-key', '--overlap', 'soon'],
])('`waybill %s` is a mistake: usage, and exit code 2', async (args) => {
  const { code, out, err } = await waybill(args);
  expect(code).toBe(2);
  expect(err).toContain('Usage: waybill');
  expect(out).toBe('');
});

test.for([['--help'], ['serve', '--help'], ['keys', 'create', '--help']])('`waybill %s` is help', async (args) => {
  const { code, out } = await waybill(args);
  expect(code).toBe(0);
  expect(out).toContain('Usage: waybill');
});

test('every variable at fault is named at once, with what is wrong and an example', async () => {
  const { code, err } = await waybill(['serve'], { PORT: 'http', LOG_LEVEL: 'loud', SIGNING_KEYS: 'short' });
  expect(code).toBe(1);
  expect(err).toMatch(/^ {2}DATABASE_URL is not set: .* For example: DATABASE_URL=postgres:/m);
  expect(err).toMatch(/^ {2}PORT must be integer: .* For example: PORT=3000$/m);
  expect(err).toMatch(/^ {2}LOG_LEVEL must be one of fatal, .* For example: LOG_LEVEL=info$/m);
  expect(err).toMatch(/^ {2}SIGNING_KEYS must be secrets of .* For example: SIGNING_KEYS=/m);
  expect(err).not.toContain('    at ');
});

test('a database that cannot be reached is one sentence', async () => {
  const { code, err } = await waybill(['migrate'], { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' });
  expect(code).toBe(1);
  expect(err).toMatch(/^The database cannot be reached: .*Check DATABASE_URL\.\n$/);
});

test('migrating twice, or twice at once, is harmless, and `check` says what to do before', async () => {
  await withDatabase(async (DATABASE_URL) => {
    const env = { DATABASE_URL, SIGNING_KEYS: 'for-the-tests-only-for-the-tests-only' };
    const before = await waybill(['check'], env);
    expect(before).toMatchObject({ code: 1 });
    expect(before.out).toContain('Run `waybill migrate`');
    const both = await Promise.all([waybill(['migrate', '--json'], env), waybill(['migrate', '--json'], env)]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    const applied = both.map(({ out }) => JSON.parse(out).applied.length as number);
    expect(Math.min(...applied)).toBe(0);
    expect((await waybill(['check', '--json'], env)).out).toBe('{"pending":[]}\n');
  });
});

test('an account and its keys, from made to revoked; the secret is shown once and stored nowhere', async () => {
  const json = async (...args: string[]) => JSON.parse((await waybill([...args, '--json'])).out);
  const { account_id } = await json('accounts', 'create', 'Northwind');
  expect((await json('accounts', 'list')).map((row: { account_id: string }) => row.account_id)).toContain(account_id);
  const { key, key_id } = await json('keys', 'create', account_id, '--scopes', 'shipments:read', '--name', 'web');
  const secret = key.split('_')[2];
  await waybill(['keys', 'revoke', account_id, key_id]);
  const listed = await waybill(['keys', 'list', account_id, '--json']);
  expect(JSON.parse(listed.out)).toMatchObject([{ key_id, name: 'web', scopes: ['shipments:read'] }]);
  expect(JSON.parse(listed.out)[0].revoked_at).toMatch(/Z$/);
  expect(listed.out).not.toContain(secret);
  const db = connect({ url: inject('databaseUrl'), poolSize: 1, prepared: false });
  const { rows } = await sql<{ row: string }>`select k::text as row from api_keys k where key_id = ${key_id}`.execute(
    db,
  );
  await db.destroy();
  expect(rows).toHaveLength(1);
  expect(rows[0]?.row).not.toContain(secret);
  expect(rows[0]?.row).not.toContain(Buffer.from(secret).toString('hex'));
  const unknown = await waybill(['keys', 'revoke', account_id, 'nothing']);
  expect(unknown).toMatchObject({ code: 1, err: 'The account has no key nothing.\n' });
});

const ready = { timeout: 15_000, interval: 50 };

interface Serving extends AsyncDisposable {
  child: ChildProcess;
  url: string;
}

async function serve(port: number): Promise<Serving> {
  const env = {
    DATABASE_URL: inject('databaseUrl'),
    SIGNING_KEYS: 'for-the-tests-only-for-the-tests-only',
    PORT: String(port),
    LOG_LEVEL: 'silent',
  };
  const child = spawn(process.execPath, [main, 'serve'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  return {
    child,
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    },
  };
}

test('on SIGTERM `waybill serve` finishes the request under way and exits with 0; its port was taken meanwhile', async () => {
  await using serving = await serve(await freePort());
  await vi.waitFor(async () => expect((await fetch(`${serving.url}/health/ready`)).status).toBe(200), ready);
  await using second = await serve(Number(new URL(serving.url).port));
  let said = '';
  second.child.stderr?.on('data', (text) => {
    said += text;
  });
  expect((await once(second.child, 'exit'))[0]).toBe(1);
  expect(said).toMatch(/^ {2}PORT \d+ is used by another program .* For example: PORT=3000$/m);

  const db = connect({ url: inject('databaseUrl'), poolSize: 2, prepared: false });
  const account = await newAccount({ db, baseUrl: `${serving.url}/v1` });
  const { id, tracking_number } = await newShipment(account);
  const lock = await db.startTransaction().execute();
  await sql`select from shipments where id = ${uuidOf('ship', id)} for update`.execute(lock);
  const answer = take(account, { id, tracking_number }, { operation: 'recordTrackingEvent', to: 'dispatched' });
  await vi.waitFor(async () => {
    const { rows } = await sql`select from pg_stat_activity where wait_event_type = 'Lock'
      and query like '%tracking_events%' and datname = current_database()`.execute(db);
    expect(rows.length).toBeGreaterThan(0);
  }, ready);
  serving.child.kill('SIGTERM');
  await vi.waitFor(() => expect(fetch(serving.url)).rejects.toThrow(), ready);
  await lock.commit().execute();
  expect(await answer).toMatchObject({ status: 201, data: { status: 'dispatched' } });
  expect((await once(serving.child, 'exit'))[0]).toBe(0);
  await db.destroy();
});
