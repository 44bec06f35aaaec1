import { connect } from '@waybill/server/database/connect';
import { uuidFromPublicId } from '@waybill/server/database/identifiers';
import { freePort } from '@waybill/tools/free-port';
import { sql } from 'kysely';
import { expect, inject, test, vi } from 'vitest';
import { ownDatabase } from '../fixtures/own-database.ts';
import type { Program } from '../fixtures/process.ts';
import { applyTransition, newShipment } from '../fixtures/shipments.ts';
import { newAccount } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { runHere, startWaybill, waybill } from './run.ts';

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
])('`waybill %s` prints the usage and exits with 2', async (args) => {
  const { code, stdout, stderr } = await runHere(args);
  expect(code).toBe(2);
  expect(stderr).toContain('Usage: waybill');
  expect(stdout).toBe('');
});

test('the process of `waybill fly` exits with 2', async () => {
  expect(await waybill(['fly'])).toEqual(await runHere(['fly']));
});

test.for([['--help'], ['serve', '--help'], ['keys', 'create', '--help']])(
  '`waybill %s` prints the help',
  async (args) => {
    const { code, stdout } = await runHere(args);
    expect(code).toBe(0);
    expect(stdout).toContain('Usage: waybill');
  },
);

test('`waybill serve` names every invalid variable, with its error and an example', async () => {
  const { code, stderr } = await waybill(['serve'], {
    DATABASE_URL: '',
    PORT: 'http',
    LOG_LEVEL: 'loud',
    SIGNING_KEYS: 'short',
  });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^ {2}DATABASE_URL is not set: .* For example: DATABASE_URL=postgres:/m);
  expect(stderr).toMatch(/^ {2}PORT must be integer: .* For example: PORT=3000$/m);
  expect(stderr).toMatch(/^ {2}LOG_LEVEL must be one of fatal, .* For example: LOG_LEVEL=info$/m);
  expect(stderr).toMatch(/^ {2}SIGNING_KEYS must be secrets of .* For example: SIGNING_KEYS=/m);
  expect(stderr).not.toContain('    at ');
});

test('`waybill migrate` run twice, also concurrently, succeeds, and `waybill check` names it before', async () => {
  await withDatabase(async (DATABASE_URL) => {
    const env = { DATABASE_URL, SIGNING_KEYS: 'for-the-tests-only-for-the-tests-only' };
    const before = await waybill(['check'], env);
    expect(before).toMatchObject({ code: 1 });
    expect(before.stdout).toContain('Run `waybill migrate`');
    const both = await Promise.all([waybill(['migrate', '--json'], env), waybill(['migrate', '--json'], env)]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    const applied = both.map(({ stdout }) => JSON.parse(stdout).applied.length as number);
    expect(Math.min(...applied)).toBe(0);
    expect((await waybill(['check', '--json'], env)).stdout).toBe('{"pending":[]}\n');
  });
});

/** Its lines in the log are few, so the port must be known. */
function serve(port: number): Program & { url: string } {
  const env = { SIGNING_KEYS: 'for-the-tests-only-for-the-tests-only', PORT: String(port), LOG_LEVEL: 'silent' };
  return { ...startWaybill(['serve'], env), url: `http://127.0.0.1:${port}` };
}

test('`waybill serve` on SIGTERM finishes its request and exits with 0, and its port was in use until then', async () => {
  await using serving = serve(await freePort());
  await vi.waitFor(async () => expect((await fetch(`${serving.url}/health/ready`)).status).toBe(200), waitTimeout);
  await using second = serve(Number(new URL(serving.url).port));
  const output = await second.ended;
  expect(output.code).toBe(1);
  expect(output.stderr).toMatch(/^ {2}PORT \d+ is used by another program .* For example: PORT=3000$/m);

  const db = connect({ url: inject('databaseUrl'), poolSize: 2, prepared: false });
  const account = await newAccount({ db, baseUrl: `${serving.url}/v1` });
  const { id, tracking_number } = await newShipment(account);
  const lock = await db.startTransaction().execute();
  await sql`select from shipments where id = ${uuidFromPublicId('ship', id)} for update`.execute(lock);
  const transition = applyTransition(
    account,
    { id, tracking_number },
    { operation: 'recordTrackingEvent', to: 'dispatched' },
  );
  await vi.waitFor(async () => {
    const { rows } = await sql`select from pg_stat_activity where wait_event_type = 'Lock'
      and query like '%tracking_events%' and datname = current_database()`.execute(db);
    expect(rows.length).toBeGreaterThan(0);
  }, waitTimeout);
  serving.signal('SIGTERM');
  await vi.waitFor(() => expect(fetch(serving.url)).rejects.toThrow(), waitTimeout);
  await lock.commit().execute();
  expect(await transition).toMatchObject({ status: 201, data: { status: 'dispatched' } });
  expect((await serving.ended).code).toBe(0);
  await db.destroy();
});
