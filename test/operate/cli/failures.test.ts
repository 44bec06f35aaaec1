import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { explainListenError } from '@waybill/server/cli/serve';
import { readConfig } from '@waybill/server/config';
import { expect, test } from 'vitest';
import { databaseUrl } from '../../fixtures/database-url.ts';
import { ownDatabase } from '../../fixtures/own-database.ts';
import { run } from '../../fixtures/process.ts';
import { runHere, waybill } from './run.ts';

const SIGNING_KEYS = 'k'.repeat(32);
const unreachable = 'postgres://waybill:hush@127.0.0.1:1/waybill';
const unknownHost = 'postgres://waybill:hush@nowhere.invalid/waybill';
/** The URL of the run's database with another part. */
function otherDatabase(part: 'password' | 'pathname', value: string): string {
  const url = new URL(databaseUrl());
  url[part] = value;
  return url.href;
}

/** Runs a command that fails, and returns its error message. */
async function messageOf(command: string, settings: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await runHere(command.split(' '), { SIGNING_KEYS, ...settings });
  expect({ code, stdout }, stderr).toEqual({ code: 1, stdout: '' });
  expect(stderr).not.toContain('hush');
  return stderr;
}

/** Expects that `waybill serve` prints a line for the setting. */
async function expectRefused(name: string, value: string, reason: RegExp): Promise<void> {
  const [, line, ...more] = (await messageOf('serve', { LOG_LEVEL: 'silent', PORT: '0', [name]: value })).split('\n');
  expect(line).toMatch(new RegExp(`^  ${name} .+ For example: ${name}=`));
  expect(line).toMatch(reason);
  expect(more).toEqual(['']);
}

test.for([
  ['DOCS_DIR', '/etc/hosts', /is not a folder/],
  ['DOCS_DIR', '/nowhere/docs', /is not a folder/],
  ['STORAGE_URL', 'file:/etc/hosts/files', /not writable \(ENOTDIR/],
  ['HOST', '192.0.2.1', /is not an address of this machine \(EADDRNOTAVAIL/],
  ['HOST', 'nowhere.invalid', /cannot be resolved/],
  ['DATABASE_URL', unreachable, /ECONNREFUSED/],
  ['DATABASE_URL', unknownHost, /nowhere\.invalid/],
] as const)('`waybill serve` with %s=%s prints one message and exits with 1', ([name, value, reason]) =>
  expectRefused(name, value, reason),
);

test('`waybill serve` on a nonexistent database prints one message and exits with 1', () =>
  expectRefused('DATABASE_URL', otherDatabase('pathname', '/missing'), /"missing" does not exist/));

test.for(['PORT', 'METRICS_PORT'])('`waybill serve` on a used %s prints one message and exits with 1', async (name) => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  await expectRefused(name, String(port), /is used by another program on 127\.0\.0\.1: /);
  other.close();
});

test('`waybill serve` on a port below 1024 without permission names the port', () => {
  const config = readConfig({ PORT: '80' }, []);
  const denied = Object.assign(new Error('listen EACCES'), { code: 'EACCES' });
  expect(String(explainListenError(denied, config))).toMatch(/PORT 80 .+ For example: PORT=/);
});

test('`waybill serve` names every invalid variable, with its error and an example', async () => {
  const settings = { DATABASE_URL: '', PORT: 'http', LOG_LEVEL: 'loud', SIGNING_KEYS: 'short' };
  const { code, stderr } = await waybill(['serve'], settings);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^ {2}DATABASE_URL is not set: .* For example: DATABASE_URL=postgres:/m);
  expect(stderr).toMatch(/^ {2}PORT must be integer: .* For example: PORT=3000$/m);
  expect(stderr).toMatch(/^ {2}LOG_LEVEL must be one of fatal, .* For example: LOG_LEVEL=info$/m);
  expect(stderr).toMatch(/^ {2}SIGNING_KEYS must be secrets of .* For example: SIGNING_KEYS=/m);
  expect(stderr).not.toContain('    at ');
});

test('the process exits when the app cannot be built', async () => {
  const { code, stdout } = await run(new URL('./failed-build.ts', import.meta.url), []);
  expect({ code, stdout }).toEqual({ code: 0, stdout: '"root" option must be a directory\n' });
});

test.for([
  ['migrate', unreachable.replace('127.0.0.1', 'localhost'), /ECONNREFUSED/],
  ['accounts list', unknownHost, /nowhere\.invalid/],
  ['accounts list', 'a wrong password', /password authentication failed/],
  ['accounts list', 'an unknown database', /"nowhere" does not exist/],
] as const)('`waybill %s` with %s reports that the database is unreachable', async ([command, database, reason]) => {
  const urls: Record<string, string> = {
    'a wrong password': otherDatabase('password', 'hush'),
    'an unknown database': otherDatabase('pathname', '/nowhere'),
  };
  const message = await messageOf(command, { DATABASE_URL: urls[database] ?? database });
  expect(message).toMatch(/^The database cannot be reached: .+ Check DATABASE_URL\.\n$/);
  expect(message).toMatch(reason);
});

test('commands on an empty database name `waybill migrate`', async () => {
  await using database = await ownDatabase();
  await expectRefused('DATABASE_URL', database.url, /Run `waybill migrate`/);
  const message = await messageOf('accounts create Northwind', { DATABASE_URL: database.url });
  expect(message).toMatch(/^[^\n]+`waybill migrate`[^\n]+\.\n$/);
});
