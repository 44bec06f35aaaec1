import { variables } from '@waybill/server/config';
import { expect, inject, test } from 'vitest';
import { ownDatabase } from '../fixtures/own-database.ts';
import type { Ended } from '../fixtures/process.ts';
import { runHere, waybill } from './run.ts';

/** The error message: one sentence without a secret. */
function sentenceOf({ code, stdout, stderr }: Ended): string {
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^[^\n]+\.\n$/);
  expect(stderr).not.toContain('hush');
  return stderr;
}

test.for([
  ['check', '127.0.0.1:1', /ECONNREFUSED/],
  ['migrate', 'localhost:1', /ECONNREFUSED/],
  ['accounts list', 'nowhere.invalid', /nowhere\.invalid/],
] as const)(
  '`waybill %s` with the database at %s reports that the database is unreachable',
  async ([args, host, reason]) => {
    const DATABASE_URL = `postgres://waybill:hush@${host}/waybill`;
    const output = await waybill(args.split(' '), { DATABASE_URL, SIGNING_KEYS: 'k'.repeat(32) });
    expect(sentenceOf(output)).toMatch(/^The database cannot be reached: .+ Check DATABASE_URL\.\n$/);
    expect(output.stderr).toMatch(reason);
  },
);

test.for([
  ['a wrong password', 'password', 'hush', /password authentication failed/],
  ['an unknown database', 'pathname', '/nowhere', /"nowhere" does not exist/],
] as const)('%s is reported as an unreachable database', async ([, part, value, reason]) => {
  const url = new URL(inject('databaseUrl'));
  url[part] = value;
  expect(sentenceOf(await runHere(['accounts', 'list'], { DATABASE_URL: url.href }))).toMatch(reason);
});

test('commands on an empty database name `waybill migrate`', async () => {
  await using database = await ownDatabase();
  const output = await runHere(['accounts', 'create', 'Northwind'], { DATABASE_URL: database.url });
  expect(sentenceOf(output)).toContain('`waybill migrate`');
});

test('`waybill check --help` lists every setting', async () => {
  const { code, stdout } = await runHere(['check', '--help']);
  expect(code).toBe(0);
  for (const name of Object.keys(variables)) expect(stdout).toMatch(new RegExp(`^ +${name} .+\\(.+\\)$`, 'm'));
});
