import { createKey } from '@waybill/server/auth/administration';
import { makeProgram } from '@waybill/server/cli/run';
import { expect } from 'vitest';
import { ownDatabase } from '../../fixtures/own-database.ts';
import { newShipment } from '../../fixtures/shipments.ts';
import { newAccount, test } from '../../fixtures/test.ts';
import { commandsOf, disabledLongAgo, runHere } from './run.ts';

test('every command that prints a result prints it as one line of JSON with --json', async ({ service, account }) => {
  const [other, deleted] = [await newAccount(service), await newAccount(service)];
  await disabledLongAgo(service.db, deleted.id);
  const makeKey = async () =>
    (await createKey(service.db, account.id, { name: '', scopes: ['shipments:read'] })).key_id;
  const args: Record<string, string[]> = {
    migrate: [],
    check: [],
    'accounts create': [crypto.randomUUID()],
    'accounts list': [],
    'accounts rename': [other.id, crypto.randomUUID()],
    'accounts share': [other.id, '80'],
    'accounts disable': [other.id],
    'accounts enable': [other.id],
    'accounts delete': [deleted.id, '--yes'],
    'keys create': [account.id, '--scopes', 'shipments:read'],
    'keys list': [account.id],
    'keys rotate': [account.id, await makeKey(), '--overlap', 'PT0S'],
    'keys revoke': [account.id, await makeKey()],
    link: [account.id, (await newShipment(account)).id, '--kind', 'track'],
    board: [account.id],
    audit: ['--account', account.id],
    restored: ['--skip', '1'],
  };
  const all = commandsOf(makeProgram({ out() {}, err() {} }));
  // `serve` logs JSON, and `distribute` needs Citus.
  expect(Object.keys(args).sort()).toEqual(all.filter((name) => !['serve', 'distribute'].includes(name)).sort());
  for (const [name, given] of Object.entries(args)) {
    const { stdout, stderr } = await runHere([...name.split(' '), ...given, '--json'], {
      SIGNING_KEYS: 'k'.repeat(32),
      STORAGE_URL: service.files.url,
    });
    expect(stderr, name).toBe('');
    expect(stdout, name).toMatch(/^[{[].+[}\]]\n$/);
    expect(typeof JSON.parse(stdout), name).toBe('object');
  }
});

test.for([
  [['fly'], 2, { code: 'usage', message: "unknown command 'fly'" }],
  [['accounts', 'create'], 2, { code: 'usage', message: "missing required argument 'name'" }],
  [['keys', 'list', 'x'], 1, { code: 'refused', message: 'There is no account x.' }],
] as const)('the error of `waybill %s --json` is one line of JSON', async ([args, code, error]) => {
  const { stderr, ...ended } = await runHere([...args, '--json']);
  expect(ended).toEqual({ code, stdout: '' });
  expect(stderr).toMatch(/^{.+}\n$/);
  expect(JSON.parse(stderr)).toEqual({ error });
});

test('errors of settings and of the database have a code of their own with --json', async () => {
  const codeWith = async (DATABASE_URL: string) =>
    JSON.parse((await runHere(['accounts', 'list', '--json'], { DATABASE_URL })).stderr).error.code;
  await using empty = await ownDatabase();
  expect([
    await codeWith('file:/x'),
    await codeWith('postgres://waybill@127.0.0.1:1/waybill'),
    await codeWith(empty.url),
  ]).toEqual(['invalid_settings', 'database_unreachable', 'not_migrated']);
});
