import { createKey } from '@waybill/server/auth/administration';
import { makeProgram } from '@waybill/server/cli/run';
import { expect } from 'vitest';
import { newAccount, test } from '../fixtures/test.ts';
import { commandsOf, runHere } from './run.ts';

test('every command that prints a result prints it as one line of JSON with --json', async ({ service, account }) => {
  const other = await newAccount(service);
  const makeKey = async () =>
    (await createKey(service.db, account.id, { name: '', scopes: ['shipments:read'] })).key_id;
  const args: Record<string, string[]> = {
    migrate: [],
    check: [],
    'accounts create': ['Northwind'],
    'accounts list': [],
    'accounts disable': [other.id],
    'keys create': [account.id, '--scopes', 'shipments:read'],
    'keys list': [account.id],
    'keys rotate': [account.id, await makeKey(), '--overlap', 'PT0S'],
    'keys revoke': [account.id, await makeKey()],
    audit: ['--account', account.id],
    restored: ['--skip', '1'],
  };
  const all = commandsOf(makeProgram({ out() {}, err() {} }));
  // `serve` logs JSON, and `distribute` needs Citus.
  expect(Object.keys(args).sort()).toEqual(all.filter((name) => !['serve', 'distribute'].includes(name)).sort());
  for (const [name, given] of Object.entries(args)) {
    const { stdout, stderr } = await runHere([...name.split(' '), ...given, '--json'], {
      SIGNING_KEYS: 'k'.repeat(32),
    });
    expect(stderr, name).toBe('');
    expect(stdout, name).toMatch(/^[{[].+[}\]]\n$/);
    expect(typeof JSON.parse(stdout), name).toBe('object');
  }
});
