import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { explainListenError } from '@waybill/server/cli/serve';
import { readConfig } from '@waybill/server/config';
import { expect, inject, test } from 'vitest';
import { ownDatabase } from '../fixtures/own-database.ts';
import { run } from '../fixtures/process.ts';
import { waybill } from './run.ts';

const settings = { LOG_LEVEL: 'silent', PORT: '0', SIGNING_KEYS: 'k'.repeat(32) };
const portOf = (server: Server): string => String((server.address() as { port: number }).port);

interface Failure {
  /** The setting that the message names. */
  name: string;
  value?: string;
  message: RegExp;
}

const failures: Failure[] = [
  { name: 'DOCS_DIR', value: '/etc/hosts', message: /is not a folder/ },
  { name: 'DOCS_DIR', value: '/nowhere/docs', message: /is not a folder/ },
  { name: 'STORAGE_URL', value: 'file:/etc/hosts/files', message: /not writable \(ENOTDIR/ },
  { name: 'HOST', value: '192.0.2.1', message: /is not an address of this machine \(EADDRNOTAVAIL/ },
  { name: 'HOST', value: 'nowhere.invalid', message: /cannot be resolved/ },
  { name: 'DATABASE_URL', value: 'postgres://waybill:hush@127.0.0.1:1/waybill', message: /ECONNREFUSED/ },
  { name: 'DATABASE_URL', value: 'postgres://waybill:hush@nowhere.invalid/waybill', message: /nowhere\.invalid/ },
];

async function expectRefused({ name, message }: Failure, values: Record<string, string>): Promise<void> {
  const { code, stdout, stderr } = await waybill(['serve'], { ...settings, ...values });
  expect({ code, stdout }, stderr).toEqual({ code: 1, stdout: '' });
  const lines = stderr.trimEnd().split('\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatch(new RegExp(`^  ${name} .+ For example: ${name}=`));
  expect(lines[1]).toMatch(message);
  expect(stderr).not.toContain('hush');
}

test.for(failures)('`waybill serve` with $name=$value prints one message and exits with 1', (failure) =>
  expectRefused(failure, { [failure.name]: failure.value ?? '' }),
);

test('`waybill serve` on a used port prints one message and exits with 1', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  await expectRefused({ name: 'PORT', message: /is used by another program/ }, { PORT: portOf(other) });
  other.close();
});

test('`waybill serve` on a database without the schema names `waybill migrate`', async () => {
  await using database = await ownDatabase();
  await expectRefused({ name: 'DATABASE_URL', message: /Run `waybill migrate`/ }, { DATABASE_URL: database.url });
});

test('`waybill serve` with a nonexistent database prints one message', async () => {
  const url = new URL(inject('databaseUrl'));
  url.pathname = '/missing';
  await expectRefused({ name: 'DATABASE_URL', message: /"missing" does not exist/ }, { DATABASE_URL: url.href });
});

test('`waybill serve` on a port below 1024 without permission names the port', () => {
  const config = readConfig({ PORT: '80' }, []);
  const denied = Object.assign(new Error('listen EACCES'), { code: 'EACCES' });
  expect(String(explainListenError(denied, config))).toMatch(/PORT 80 .+ For example: PORT=/);
});

test('the process exits when the app cannot be built', async () => {
  const { code, stdout } = await run(new URL('./failed-build.ts', import.meta.url), []);
  expect({ code, stdout }).toEqual({ code: 0, stdout: '"root" option must be a directory\n' });
});
