import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { query } from '@waybill/sandbox/postgres/client';
import { type PostgresOptions, startPostgres } from '@waybill/sandbox/postgres/postgres';
import { exitWithParent } from '@waybill/sandbox/processes/exit-with-parent';
import { processAndChildren } from '@waybill/sandbox/processes/process-tree';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { waitTimeout } from '../fixtures/wait-timeout.ts';

let dataDir: string;
beforeAll(async () => {
  dataDir = await realpath(await mkdtemp(join(tmpdir(), 'waybill postgres-')));
});
afterAll(() => rm(dataDir, { recursive: true }));

const start = (options: Partial<PostgresOptions> = {}) =>
  startPostgres({ dataDir, settings: { fsync: 'off' }, ...options });

/** The first column of the first row. */
const read = async (url: string, sql: string): Promise<unknown> => Object.values((await query(url, sql))[0] ?? {})[0];

async function expectToStart(options?: Partial<PostgresOptions>): Promise<void> {
  await using postgres = await start(options);
  expect(await read(postgres.url, 'select 1')).toBe(1);
}

/** Runs code in another process. */
function spawnModule(code: string) {
  const child = spawn(process.execPath, ['--conditions=waybill-source', '--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  exitWithParent(child);
  return {
    pid: Number(child.pid),
    firstOutput: once(child.stdout, 'data').then(String),
    async kill() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

/** Another process that starts PostgreSQL on the folder, prints its URL and process id, and runs on. */
const spawnOwner = () =>
  spawnModule(`
    const { startPostgres } = await import('@waybill/sandbox/postgres/postgres');
    const { url, pid } = await startPostgres(${JSON.stringify({ dataDir, settings: { fsync: 'off' } })});
    process.stdout.write(JSON.stringify({ url, pid }));`);

test('startPostgres creates a cluster after an interrupted creation, and in place of an old one if fresh', async () => {
  const owner = spawnOwner();
  const drafts = async () => (await readdir(dataDir)).filter((name) => name.startsWith('unfinished.'));
  await vi.waitFor(async () => expect(await drafts()).toHaveLength(1), waitTimeout);
  await owner.kill();
  await mkdir(join(dataDir, 'cluster'));
  await writeFile(join(dataDir, 'cluster/old'), '');
  await expectToStart({ fresh: true });
  expect(await drafts()).toEqual([]);
  expect(await readdir(join(dataDir, 'cluster'))).not.toContain('old');
});

test('the cluster has a database and a password, which survive a restart on a given port, and stop ends it', async () => {
  const first = await start();
  expect(await read(first.url, 'show fsync')).toBe('off');
  expect(await read(first.url, 'show server_encoding')).toBe('UTF8');
  expect(await read(first.url, 'show unix_socket_directories')).toBe('');
  expect((await stat(join(dataDir, 'password'))).mode & 0o777).toBe(0o600);
  const wrong = new URL(first.url);
  wrong.password = 'wrong';
  await expect(query(wrong.href, 'select')).rejects.toThrow('password authentication failed');
  await query(first.url, 'create table stored as select 7 as number');
  const client = new Client(first.url);
  const dropped = new Promise<void>((resolve) => client.on('error', () => resolve()));
  await client.connect();
  await Promise.all([first.stop(), first.stop(), first.exited, dropped]);
  await first.stop();
  await expect(query(first.url, 'select')).rejects.toThrow('ECONNREFUSED');
  await using second = await start({ port: Number(wrong.port) });
  expect([second.url, await read(second.url, 'select number from stored')]).toEqual([first.url, 7]);
});

// `start` names a process that uses the folder: start.test.ts
test('startPostgres replaces a server that a killed process and watchdog left running', async () => {
  const owner = spawnOwner();
  const { url, pid: orphan } = JSON.parse(await owner.firstOutput);
  const [, ...children] = await processAndChildren(owner.pid);
  for (const pid of children) if (pid !== orphan) process.kill(pid, 'SIGKILL'); // the watchdog
  await owner.kill();
  expect(await read(url, 'select 1')).toBe(1);

  await using postgres = await start();
  expect(await read(postgres.url, 'select 1')).toBe(1);
  expect(postgres.pid).not.toBe(orphan);
  await expect(query(url, 'select 1')).rejects.toThrow();
});

test('startPostgres reports the log when it does not start, then unlocks the folder and ignores a foreign pid', async () => {
  const settings = { work_mem: 'much' };
  await expect(start({ settings })).rejects.toThrow('invalid value for parameter "work_mem": "much"');
  const other = spawnModule('setInterval(() => {}, 1000)');
  const lines = [other.pid, join(dataDir, 'cluster'), 1, 5432, '', '127.0.0.1', '1 1', 'ready'];
  await writeFile(join(dataDir, 'cluster/postmaster.pid'), lines.join('\n'));
  await expectToStart();
  expect(process.kill(other.pid, 0), 'it runs').toBe(true);
  await other.kill();
});

test.runIf(process.getuid?.() === 0)(
  'startPostgres as root runs as nobody when user namespaces are forbidden',
  async () => {
    await writeFile(join(dataDir, 'unshare'), '#!/bin/sh\nexit 1', { mode: 0o755 });
    vi.stubEnv('PATH', `${dataDir}:${process.env.PATH}`);
    await expectToStart();
    expect((await stat(join(dataDir, 'cluster'))).uid).toBe(65534);
  },
);
