import { startReceiver } from '@waybill/tools/lab/network/receiver';
import { beforeAll, expect, test } from 'vitest';
import { databaseUrl } from '../../fixtures/database/database-url.ts';
import { ownDatabase } from '../../fixtures/database/own-database.ts';
import { runHere, waybill } from './run-waybill.ts';

const unreachable = 'postgres://waybill:hush@localhost:1/waybill';

/** What the names in the tables stand for. */
const values: Record<string, string> = {
  'of a missing database': Object.assign(new URL(databaseUrl()), { pathname: '/missing' }).href,
  'with a wrong password': Object.assign(new URL(databaseUrl()), { password: 'hush' }).href,
};

beforeAll(async () => {
  const empty = await ownDatabase();
  const program = await startReceiver(() => {});
  values['of an empty database'] = empty.url;
  values['used by another program'] = new URL(program.url).port;
  return async () => {
    await program[Symbol.asyncDispose]();
    await empty[Symbol.asyncDispose]();
  };
});

test.for([
  ['DOCS_DIR', '/etc/hosts', /is not a folder/],
  ['STORAGE_URL', 'file:/etc/hosts/files', /not writable \(ENOTDIR/],
  ['HOST', '192.0.2.1', /is not an address of this machine \(EADDRNOTAVAIL/],
  ['DATABASE_URL', unreachable, /ECONNREFUSED/],
  ['DATABASE_URL', 'of an empty database', /Run `waybill migrate`/],
  ['PORT', 'used by another program', /is used by another program on 127\.0\.0\.1: /],
] as const)('`waybill serve` with %s=%s prints one message and exits with 1', async ([name, value, reason]) => {
  const settings = { LOG_LEVEL: 'silent', PORT: '0', SIGNING_KEYS: 'k'.repeat(32), [name]: values[value] ?? value };
  const { stderr, ...ended } = await runHere(['serve'], settings);
  expect(ended, stderr).toEqual({ code: 1, stdout: '' });
  const [, line, ...more] = stderr.split('\n');
  expect([line, more]).toEqual([expect.stringMatching(reason), ['']]);
  expect(line).toMatch(new RegExp(`^  ${name} .+ For example: ${name}=`));
  expect(line).not.toContain('hush');
});

test('the process of `waybill serve` names every invalid variable, with its error and an example', async () => {
  const settings = { DATABASE_URL: '', PORT: 'http', LOG_LEVEL: 'loud', SIGNING_KEYS: 'short' };
  const { code, stderr } = await waybill(['serve'], settings);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^ {2}DATABASE_URL is not set: .* For example: DATABASE_URL=postgres:/m);
  expect(stderr).toMatch(/^ {2}PORT must be integer: .* For example: PORT=3000$/m);
  expect(stderr).toMatch(/^ {2}LOG_LEVEL must be one of fatal, .* For example: LOG_LEVEL=info$/m);
  expect(stderr).toMatch(/^ {2}SIGNING_KEYS must be secrets of .* For example: SIGNING_KEYS=/m);
  expect(stderr).not.toContain('    at ');
});

const cannotBeReached = /^The database cannot be reached: .+ Check DATABASE_URL\.$/;

test.for([
  ['database_unreachable', 'migrate', unreachable, cannotBeReached, /ECONNREFUSED/],
  ['database_unreachable', 'accounts list', 'with a wrong password', cannotBeReached, /password authentication failed/],
  ['database_unreachable', 'accounts list', 'of a missing database', cannotBeReached, /"missing" does not exist/],
  ['not_migrated', 'accounts create Northwind', 'of an empty database', /`waybill migrate`/, /\.$/],
  ['invalid_settings', 'accounts list', 'file:/x', /DATABASE_URL/, /For example/],
] as const)(
  'the error %s of `waybill %s` with DATABASE_URL %s is a message, and one line of JSON',
  async ([code, command, value, ...patterns]) => {
    const settings = { DATABASE_URL: values[value] ?? value };
    const { stderr, ...ended } = await runHere(command.split(' '), settings);
    expect(ended, stderr).toEqual({ code: 1, stdout: '' });
    for (const pattern of patterns) expect(stderr.trimEnd()).toMatch(pattern);
    expect(stderr).not.toContain('hush');
    const printed = await runHere([...command.split(' '), '--json'], settings);
    expect(printed.stderr).toMatch(/^{.+}\n$/);
    expect(JSON.parse(printed.stderr)).toEqual({ error: { code, message: stderr.trimEnd() } });
  },
);
