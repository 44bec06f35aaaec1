import { execFileSync } from 'node:child_process';
import { createClient } from '@waybill/client';
import { makeProgram } from '@waybill/server/cli/run';
import { type Database, openDatabase } from '@waybill/server/database/database';
import { migrate } from '@waybill/server/database/migrate';
import { ownMigrations } from '@waybill/server/database/schema-level';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { ownDatabase } from '../fixtures/own-database.ts';
import { startService } from '../fixtures/service.ts';
import { shipmentRequest } from '../fixtures/shipments.ts';
import { test as base } from '../fixtures/test.ts';
import { commandsOf, disabledLongAgo, json, runHere } from './run.ts';

interface Entry {
  at: string;
  action: string;
  account_id: string | null;
  details: Record<string, unknown>;
}

/**
 * Commands that change nothing. `serve` records what it does in its access log. test/citus/distribute.test.ts has the entry
 * of `distribute`, and test/cli/board.test.ts that of `board`, which is that of `keys create`.
 */
const others = ['board', 'serve', 'check', 'accounts list', 'keys list', 'audit', 'distribute'];

const test = base.extend<{ own: { url: string; db: Database } }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures a fixture needs from this pattern
  own: async ({}, use) => {
    await using database = await ownDatabase();
    const db = openDatabase({ url: database.url, poolSize: 2, prepared: false });
    await use({ url: database.url, db });
    await db.destroy();
  },
});

/** Runs every command that changes something. */
async function changeEverything({ url, db }: { url: string; db: Database }) {
  const settings = { DATABASE_URL: url, STORAGE_URL: 'file:/nowhere' };
  await migrate(db);
  const account = await json<{ account_id: string }>(['accounts', 'create', 'Northwind'], settings);
  const id = account.account_id;
  const scopes = ['--scopes', 'shipments:read,shipments:write'];
  const first = await json<{ key_id: string; key: string }>(
    ['keys', 'create', id, ...scopes, '--name', 'ERP'],
    settings,
  );
  const second = await json<{ key_id: string; key: string }>(
    ['keys', 'rotate', id, first.key_id, '--overlap', 'PT1H'],
    settings,
  );
  const { id: shipment } = await createShipmentWith(first.key, url);
  const link = await json<{ id: string; token: string; expires_at: string }>(
    ['link', id, shipment, '--kind', 'drive'],
    settings,
  );
  await json(['keys', 'revoke', id, second.key_id], settings);
  await json(['accounts', 'rename', id, 'Southwind'], settings);
  await json(['accounts', 'disable', id], settings);
  await json(['accounts', 'enable', id], settings);
  await json(['restored', '--skip', '5000'], settings);
  await disabledLongAgo(db, id);
  await json(['accounts', 'delete', id, '--yes'], settings);
  return { settings, id, first, second, shipment, link };
}

async function createShipmentWith(apiKey: string, url: string): Promise<{ id: string }> {
  await using service = await startService({ DATABASE_URL: url });
  return await createClient({ baseUrl: service.baseUrl, apiKey }).createShipment(shipmentRequest());
}

test('every command that changes something adds one entry to the audit log, without secrets', async ({ own }) => {
  const { settings, id, first, second, shipment, link } = await changeEverything(own);

  const all = await json<Entry[]>(['audit'], settings);
  const process_ = { os_user: execFileSync('id', ['-un']).toString().trim(), pid: process.pid };
  const host = execFileSync('hostname').toString().trim();
  for (const entry of all) expect(entry).toMatchObject({ ...process_, host, at: expect.stringMatching(/^20.*Z$/) });
  const changes = all.toReversed().map(({ action, account_id, details }) => [action, account_id, details]);
  const migrations = changes.filter(([action]) => action === 'migrate');
  expect(migrations[0]).toEqual(['migrate', null, { migration: '0008-audit-log' }]);
  const scopes = ['shipments:read', 'shipments:write'];
  expect(changes.slice(migrations.length)).toEqual([
    ['accounts create', id, { name: 'Northwind' }],
    ['keys create', id, { key_id: first.key_id, name: 'ERP', scopes, expires_at: null }],
    ['keys rotate', id, { key_id: first.key_id, new_key_id: second.key_id, overlap_ms: 3_600_000 }],
    ['link', id, { access_id: link.id, shipment, kind: 'drive', expires_at: link.expires_at }],
    ['keys revoke', id, { key_id: second.key_id }],
    ['accounts rename', id, { name: 'Southwind', previous: 'Northwind' }],
    ['accounts disable', id, {}],
    ['accounts enable', id, {}],
    ['restored', null, { skipped: 5000 }],
    ['accounts disable', id, {}],
    ['accounts delete', id, { name: 'Southwind' }],
  ]);
  for (const secret of [first.key, second.key, link.token])
    expect(JSON.stringify(all)).not.toContain(secret.split('_')[2]);

  const recorded = new Set(changes.map(([action]) => action));
  const commands = commandsOf(makeProgram({ out() {}, err() {} }));
  expect(commands.filter((name) => !recorded.has(name)).sort(), 'Record what the command changes.').toEqual(
    others.toSorted(),
  );
});

test('a command that changes nothing adds no entry', async ({ own: { url, db } }) => {
  await migrate(db);
  const settings = { DATABASE_URL: url, STORAGE_URL: 'file:/nowhere' };
  const { account_id: id } = await json<{ account_id: string }>(['accounts', 'create', 'Northwind'], settings);
  const { key_id } = await json<{ key_id: string }>(['keys', 'create', id, '--for', 'reader'], settings);
  await json(['keys', 'revoke', id, key_id], settings);
  await json(['accounts', 'disable', id], settings);
  const before = await json(['audit'], settings);
  await json(['keys', 'revoke', id, key_id], settings);
  await json(['accounts', 'disable', id], settings);
  await json(['accounts', 'rename', id, 'Northwind'], settings);
  await json(['migrate'], settings);
  expect(await json(['audit'], settings)).toEqual(before);
});

test('a command whose entry cannot be added changes nothing', async ({ own: { url, db } }) => {
  const settings = { DATABASE_URL: url, STORAGE_URL: 'file:/nowhere' };
  await migrate(db);
  const { account_id: id } = await json<{ account_id: string }>(['accounts', 'create', 'Northwind'], settings);
  const { key_id } = await json<{ key_id: string }>(['keys', 'create', id, '--scopes', 'shipments:read'], settings);
  const { account_id: disabled } = await json<{ account_id: string }>(['accounts', 'create', 'Disabled'], settings);
  await disabledLongAgo(db, disabled);
  await sql`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'the disk is full'; end $$;
    create trigger refuse before insert on audit_log for each row execute function refuse()`.execute(db);
  const state = async () => [
    await json(['accounts', 'list'], settings),
    await json(['keys', 'list', id], settings),
    (await sql`select name from kysely_migration`.execute(db)).rows,
    (await sql`select last_value from tracking_sequence`.execute(db)).rows,
  ];
  const before = await state();
  for (const command of [
    ['accounts', 'create', 'Southwind'],
    ['accounts', 'rename', id, 'Southwind'],
    ['accounts', 'disable', id],
    ['accounts', 'enable', disabled],
    ['accounts', 'delete', disabled, '--yes'],
    ['keys', 'create', id, '--scopes', 'shipments:read'],
    ['keys', 'rotate', id, key_id, '--overlap', 'PT0S'],
    ['keys', 'revoke', id, key_id],
    ['restored'],
  ]) {
    expect(await runHere(command, settings), command.join(' ')).toMatchObject({
      code: 1,
      stderr: 'PostgreSQL returned an error: the disk is full.\n',
    });
  }
  for (const outsideTransaction of [{}, { outsideTransaction: true }] as const) {
    const migrations = { ...ownMigrations, '9999-next': { up: async () => {}, ...outsideTransaction } };
    await expect(migrate(db, { migrations })).rejects.toThrow('the disk is full');
  }
  expect(await state()).toEqual(before);
});

test.for(['update audit_log set pid = 1', 'delete from audit_log', 'truncate audit_log'])(
  'PostgreSQL refuses to %s',
  async (statement, { service }) => {
    await expect(sql.raw(statement).execute(service.db)).rejects.toThrow('the audit log is append-only');
  },
);

test('`waybill audit` lists the newest entries first, of one account, since a time, up to a limit', async ({ own }) => {
  await migrate(own.db);
  const settings = { DATABASE_URL: own.url };
  const create = async (name: string) =>
    (await json<{ account_id: string }>(['accounts', 'create', name], settings)).account_id;
  const [first, second] = [await create('First'), await create('Second')];
  await json(['accounts', 'disable', first], settings);
  const list = async (...options: string[]) =>
    (await json<Entry[]>(['audit', ...options], settings))
      .filter(({ action }) => action !== 'migrate')
      .map(({ action, account_id }) => `${action} ${account_id}`);
  const [created, createdSecond, disabled] = [
    `accounts create ${first}`,
    `accounts create ${second}`,
    `accounts disable ${first}`,
  ];
  expect(await list()).toEqual([disabled, createdSecond, created]);
  expect(await list('--account', first)).toEqual([disabled, created]);
  expect(await list('--limit', '2')).toEqual([disabled, createdSecond]);
  const [{ at = '' } = {}] = await json<Entry[]>(['audit', '--account', second], settings);
  expect(await list('--since', at)).toEqual([disabled, createdSecond]);
  expect(await list('--since', at, '--account', second, '--limit', '1')).toEqual([createdSecond]);

  const { stdout } = await runHere(['audit', '--account', second], settings);
  expect(stdout).toMatch(
    /^at +action +account_id +details +os_user +host +pid\n20\S+Z +accounts create +\S+ +{"name":"Second"} /,
  );
  const unknown = '00000000-0000-7000-8000-000000000000';
  expect(await runHere(['audit', '--account', unknown], settings)).toMatchObject({
    code: 1,
    stderr: `There is no account ${unknown}.\n`,
  });
  for (const limit of ['0', '10001', '1.5', 'all']) {
    expect(await runHere(['audit', '--limit', limit], settings)).toMatchObject({ code: 2 });
  }
});
