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

/**
 * Commands that change nothing. `serve` records what it does in its access log. test/operate/citus/distribute.test.ts has
 * the entry of `distribute`, and test/operate/cli/board.test.ts that of `board`, which is that of `keys create`.
 */
const others = ['board', 'serve', 'check', 'accounts list', 'keys list', 'audit', 'distribute'];

async function createShipmentWith(apiKey: string, url: string): Promise<{ id: string }> {
  await using service = await startService({ DATABASE_URL: url });
  return await createClient({ baseUrl: service.baseUrl, apiKey }).createShipment(shipmentRequest());
}

test('every command that changes something adds one entry to the audit log, without secrets', async ({ empty }) => {
  const { db, url, settings } = empty;
  const change = <T>(...args: string[]) => json<T>(args, settings);
  await migrate(db);
  const id = await createAccount('Northwind', settings);
  const scopesOfKey = ['--scopes', 'shipments:read,shipments:write'];
  type Key = { key_id: string; key: string };
  const first = await change<Key>('keys', 'create', id, ...scopesOfKey, '--name', 'ERP');
  const second = await change<Key>('keys', 'rotate', id, first.key_id, '--overlap', 'PT1H');
  const { id: shipment } = await createShipmentWith(first.key, url);
  type Link = { id: string; token: string; expires_at: string };
  const link = await change<Link>('link', id, shipment, '--kind', 'drive');
  await change('keys', 'revoke', id, second.key_id);
  await change('accounts', 'rename', id, 'Southwind');
  await change('accounts', 'share', id, '80');
  await change('accounts', 'disable', id);
  await change('accounts', 'enable', id);
  await change('restored', '--skip', '5000');
  await disabledLongAgo(db, id);
  await change('accounts', 'delete', id, '--yes');

  const all = await json<Entry[]>(['audit'], settings);
  const process_ = { os_user: execFileSync('id', ['-un']).toString().trim(), pid: process.pid };
  const host = execFileSync('hostname').toString().trim();
  for (const entry of all) expect(entry).toMatchObject({ ...process_, host, at: expect.stringMatching(/^20.*Z$/) });
  const changes = all.toReversed().map(({ action, account_id, details }) => [action, account_id, details]);
  const scopes = ['shipments:read', 'shipments:write'];
  expect(changes).toEqual([
    ...Object.keys(ownMigrations).map((migration) => ['migrate', null, { migration }]),
    ['accounts create', id, { name: 'Northwind' }],
    ['keys create', id, { key_id: first.key_id, name: 'ERP', scopes, expires_at: null }],
    ['keys rotate', id, { key_id: first.key_id, new_key_id: second.key_id, overlap_ms: 3_600_000 }],
    ['link', id, { access_id: link.id, shipment, kind: 'drive', expires_at: link.expires_at }],
    ['keys revoke', id, { key_id: second.key_id }],
    ['accounts rename', id, { name: 'Southwind', previous: 'Northwind' }],
    ['accounts share', id, { share: 80 }],
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
