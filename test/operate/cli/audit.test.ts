import { execFileSync } from 'node:child_process';
import { createClient } from '@waybill/client';
import { makeProgram } from '@waybill/server/cli/run';
import { migrate } from '@waybill/server/database/migrate';
import { ownMigrations } from '@waybill/server/database/schema-level';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { startService } from '../../fixtures/service.ts';
import { shipmentRequest } from '../../fixtures/shipments.ts';
import { commandsOf, createAccount, disabledLongAgo, json, runHere, testWithDatabase as test } from './run.ts';

interface Entry {
  at: string;
  action: string;
  account_id: string | null;
  details: Record<string, unknown>;
}

/** `serve` prints its log. check.test.ts runs `check`, and test/operate/citus/distribute.test.ts `distribute`. */
const notHere = ['serve', 'check', 'distribute'];
/** Commands that change nothing. The entry of `board` is that of `keys create`. */
const others = [...notHere, 'accounts list', 'keys list', 'audit', 'board'];

async function createShipmentWith(apiKey: string, url: string): Promise<{ id: string }> {
  await using service = await startService({ DATABASE_URL: url });
  return await createClient({ baseUrl: service.baseUrl, apiKey }).createShipment(shipmentRequest());
}

test('every command prints one line of JSON with --json, and adds one audit entry without secrets if it changes something', async ({
  empty: { db, url, settings },
}) => {
  const ran: string[] = [];
  const run = async <T>(name: string, ...args: string[]): Promise<T> => {
    const { code, stdout, stderr } = await runHere([...name.split(' '), ...args, '--json'], settings);
    expect([name, code, stderr]).toEqual([name, 0, '']);
    expect(stdout, name).toMatch(/^[{[].+[}\]]\n$/);
    ran.push(name);
    return JSON.parse(stdout);
  };
  await run('migrate');
  const { account_id: id } = await run<{ account_id: string }>('accounts create', 'Northwind');
  const scopesOfKey = ['--scopes', 'shipments:read,shipments:write'];
  type Key = { key_id: string; key: string };
  const first = await run<Key>('keys create', id, ...scopesOfKey, '--name', 'ERP');
  const second = await run<Key>('keys rotate', id, first.key_id, '--overlap', 'PT1H');
  const { id: shipment } = await createShipmentWith(first.key, url);
  type Link = { id: string; token: string; expires_at: string };
  const link = await run<Link>('link', id, shipment, '--kind', 'drive');
  await run('keys revoke', id, second.key_id);
  await run('keys list', id);
  const board = await run<{ key_id: string; expires_at: string; url: string }>('board', id);
  await run('accounts rename', id, 'Southwind');
  await run('accounts share', id, '80');
  await run('accounts disable', id);
  await run('accounts enable', id);
  await run('accounts list');
  await run('restored', '--skip', '5000');
  await disabledLongAgo(db, id);
  await run('accounts delete', id, '--yes');

  const all = await run<Entry[]>('audit');
  const process_ = { os_user: execFileSync('id', ['-un']).toString().trim(), pid: process.pid };
  const host = execFileSync('hostname').toString().trim();
  for (const entry of all) expect(entry).toMatchObject({ ...process_, host, at: expect.stringMatching(/^20.*Z$/) });
  const changes = all.toReversed().map(({ action, account_id, details }) => [action, account_id, details]);
  const scopes = ['shipments:read', 'shipments:write'];
  const boardScopes = ['shipments:read', 'tracking:read', 'events:read'];
  expect(changes).toEqual([
    ...Object.keys(ownMigrations).map((migration) => ['migrate', null, { migration }]),
    ['accounts create', id, { name: 'Northwind' }],
    ['keys create', id, { key_id: first.key_id, name: 'ERP', scopes, expires_at: null }],
    ['keys rotate', id, { key_id: first.key_id, new_key_id: second.key_id, overlap_ms: 3_600_000 }],
    ['link', id, { access_id: link.id, shipment, kind: 'drive', expires_at: link.expires_at }],
    ['keys revoke', id, { key_id: second.key_id }],
    ['keys create', id, { key_id: board.key_id, name: 'board', scopes: boardScopes, expires_at: board.expires_at }],
    ['accounts rename', id, { name: 'Southwind', previous: 'Northwind' }],
    ['accounts share', id, { share: 80 }],
    ['accounts disable', id, {}],
    ['accounts enable', id, {}],
    ['restored', null, { skipped: 5000 }],
    ['accounts disable', id, {}],
    ['accounts delete', id, { name: 'Southwind' }],
  ]);
  for (const secret of [first.key, second.key, link.token, board.url])
    expect(JSON.stringify(all)).not.toContain(secret.split('_')[2]);

  const recorded = new Set(changes.map(([action]) => action));
  const commands = commandsOf(makeProgram({ out() {}, err() {} }));
  expect(ran.sort(), 'Run the command above.').toEqual(commands.filter((name) => !notHere.includes(name)).sort());
  expect(commands.filter((name) => !recorded.has(name)).sort(), 'Record what the command changes.').toEqual(
    others.toSorted(),
  );
});

test('a command that changes nothing adds no entry', async ({ migrated: { settings } }) => {
  const id = await createAccount('Northwind', settings);
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

test('a command whose entry cannot be added changes nothing', async ({ migrated: { db, settings } }) => {
  const id = await createAccount('Northwind', settings);
  const { key_id } = await json<{ key_id: string }>(['keys', 'create', id, '--scopes', 'shipments:read'], settings);
  const disabled = await createAccount('Disabled', settings);
  await disabledLongAgo(db, disabled);
  await sql`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'the disk is full'; end $$;
    create trigger refuse before insert on audit_log for each row execute function refuse()`.execute(db);
  const state = async () => [
    await json(['accounts', 'list'], settings),
    await json(['keys', 'list', id], settings),
    (await sql`select name from migrations`.execute(db)).rows,
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

test('`waybill audit` lists the newest entries first, of one account, since a time, up to a limit', async ({
  migrated: { settings },
}) => {
  const [first, second] = [await createAccount('First', settings), await createAccount('Second', settings)];
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
});
