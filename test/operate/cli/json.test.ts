import { expect, test } from 'vitest';
import { ownDatabase } from '../../fixtures/own-database.ts';
import { runHere } from './run.ts';

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
