import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { query } from '@waybill/sandbox/postgres/client';
import { type PostgresOptions, startPostgres } from '@waybill/sandbox/postgres/postgres';
import { processAndChildren } from '@waybill/sandbox/processes/process-tree';
import { waitUntil } from '@waybill/sandbox/processes/wait-until';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

let dataDir: string;
beforeAll(async () => {
  dataDir = await realpath(await mkdtemp(join(tmpdir(), 'waybill postgres-')));
});
afterAll(() => rm(dataDir, { recursive: true }));

const start = (options: Partial<PostgresOptions> = {}) =>
  startPostgres({ dataDir, settings: { fsync: 'off' }, ...options });

test('startPostgres creates a cluster after an interrupted creation, and in place of an old one if fresh', async () => {
  const owner = spawnOwner();
  const draft = async () => (await readdir(dataDir)).some((name) => name.startsWith('unfinished.'));
  expect(await waitUntil(draft, 60_000)).toBe(true);
  await kill(owner);
  await mkdir(join(dataDir, 'cluster'));
  await writeFile(join(dataDir, 'cluster/old'), '');
  await expectToStart({ fresh: true });
  expect(await readdir(dataDir)).not.toContainEqual(expect.stringContaining('unfinished.'));
  expect(await readdir(join(dataDir, 'cluster'))).not.toContain('old');
});

test('the cluster has a database and a password, which survive a restart on a given port', async () => {
  const first = await start();
  expect(await read(first.url, 'show fsync')).toBe('off');
  expect(await read(first.url, 'show server_encoding')).toBe('UTF8');
  expect(await read(first.url, 'show unix_socket_directories')).toBe('');
  expect((await stat(join(dataDir, 'password'))).mode & 0o777).toBe(0o600);
  const wrong = new URL(first.url);
  wrong.password = 'wrong';
  await expect(query(wrong.href, 'select')).rejects.toThrow('password authentication failed');
  await query(first.url, 'create table stored as select 7 as number');
  await first.stop();
  await using second = await start({ port: Number(wrong.port) });
  expect(second.url).toBe(first.url);
  expect(await read(second.url, 'select number from stored')).toBe(7);
});

test('stop ends PostgreSQL while clients are connected, and further calls do nothing', async () => {
  const postgres = await start();
  const client = new Client(postgres.url);
  const dropped = new Promise<void>((resolve) => client.on('error', () => resolve()));
  await client.connect();
  await Promise.all([postgres.stop(), postgres.stop(), postgres.exited, dropped]);
  await postgres.stop();
  await expect(query(postgres.url, 'select')).rejects.toThrow('ECONNREFUSED');
});

test('startPostgres replaces a server that a killed process and watchdog left running', async () => {
  const owner = spawnOwner();
  const { url, pid: orphan } = JSON.parse(`${await once(owner.stdout, 'data')}`);
  const [, ...children] = await processAndChildren(Number(owner.pid));
  for (const pid of children) if (pid !== orphan) process.kill(pid, 'SIGKILL'); // the watchdog
  await kill(owner);
  expect(await read(url, 'select 1')).toBe(1);

  await using postgres = await start();
  expect(await read(postgres.url, 'select 1')).toBe(1);
  expect(postgres.pid).not.toBe(orphan);
  await expect(query(url, 'select 1')).rejects.toThrow();
});

test('startPostgres ignores a postmaster.pid with the pid of another program', async () => {
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  try {
    const lines = [other.pid, join(dataDir, 'cluster'), 1, 5432, '', '127.0.0.1', '1 1', 'ready'];
    await writeFile(join(dataDir, 'cluster/postmaster.pid'), lines.join('\n'));
    await expectToStart();
    expect(other.signalCode).toBeNull();
  } finally {
    await kill(other);
  }
});

test('startPostgres fails when another process uses the folder, and names that process', async () => {
  const owner = spawnOwner();
  const { url } = JSON.parse(`${await once(owner.stdout, 'data')}`);
  try {
    await expect(start({ fresh: true })).rejects.toThrow(
      `Another Waybill is running from ${dataDir}. Stop it: press Ctrl-C in its terminal, or run \`kill ${owner.pid}\`.`,
    );
    expect(await read(url, 'select 1')).toBe(1);
  } finally {
    owner.kill(); // on exit it ends PostgreSQL too
    await once(owner, 'exit');
  }
});

test('startPostgres reports the log of PostgreSQL when it does not start, and unlocks the folder', async () => {
  await expect(start({ settings: { work_mem: 'much' } })).rejects.toThrow(
    'invalid value for parameter "work_mem": "much"',
  );
  await expectToStart();
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

async function expectToStart(options?: Partial<PostgresOptions>): Promise<void> {
  await using postgres = await start(options);
  expect(await read(postgres.url, 'select 1')).toBe(1);
}

/** The first column of the first row. */
const read = async (url: string, sql: string): Promise<unknown> => Object.values((await query(url, sql))[0] ?? {})[0];

/** Another process that starts PostgreSQL on the folder, prints its URL and process id, and runs on. */
function spawnOwner() {
  const script = `
    const { startPostgres } = await import(${JSON.stringify(import.meta.resolve('@waybill/sandbox/postgres/postgres'))});
    process.on('SIGTERM', () => process.exit());
    const { url, pid } = await startPostgres(${JSON.stringify({ dataDir, settings: { fsync: 'off' } })});
    process.stdout.write(JSON.stringify({ url, pid }))`;
  return spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}
