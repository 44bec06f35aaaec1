import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { commandsWithVariable } from './process-tree.ts';

const waitOptions = { timeout: 60_000, interval: 50 };

/** A program that starts PostgreSQL and a server, and prints `ready` when both are ready. */
const program = (dataDir: string): string => `
  const { startPostgres } = await import(${JSON.stringify(import.meta.resolve('../postgres/postgres.ts'))});
  const { launch } = await import(${JSON.stringify(import.meta.resolve('../start/child.ts'))});
  const { server, waitForResponse, waybill } = await import(${JSON.stringify(import.meta.resolve('../start/programs.ts'))});
  const { freePort } = await import(${JSON.stringify(import.meta.resolve('./free-port.ts'))});
  const { url } = await startPostgres({ dataDir: ${JSON.stringify(dataDir)}, settings: { fsync: 'off' } });
  const port = String(await freePort());
  const env = { DATABASE_URL: url, LOG_LEVEL: 'silent', PORT: port, SIGNING_KEYS: 'k'.repeat(32) };
  const { signal } = new AbortController();
  await waybill({ env, signal }, 'migrate');
  launch(server(env), 'ignore');
  await waitForResponse('http://127.0.0.1:' + port + '/health/live', signal);
  console.log('ready');`;

async function start(): Promise<{ child: ChildProcess; marker: string; postmaster: string }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'waybill-exit-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const marker = `WAYBILL_TEST_EXIT=${crypto.randomUUID()}`;
  const [name = '', value = ''] = marker.split('=');
  const { PATH, HOME } = process.env; // vitest sets a BASE_URL
  const child = spawn(process.execPath, ['--input-type=module', '-e', program(dataDir)], {
    detached: true,
    env: { PATH, HOME, [name]: value },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = await Promise.race([once(child.stdout, 'data').then(String), text(child.stderr)]);
  expect(output).toBe('ready\n');
  return { child, marker, postmaster: join(dataDir, 'cluster/postmaster.pid') };
}

test.runIf(process.platform === 'linux').concurrent.each([
  ['SIGKILL', 'to the process alone', (pid: number) => pid],
  ['SIGINT', 'to its process group, like Ctrl-C', (pid: number) => -pid],
] as const)('PostgreSQL and the server end when their parent receives %s %s', async (signal, _, target) => {
  const { child, marker, postmaster } = await start();
  const running = (await commandsWithVariable(marker)).join('\n');
  expect(running).toContain('postgres');
  expect(running).toContain('serve');
  process.kill(target(Number(child.pid)), signal);
  await vi.waitFor(async () => expect(await commandsWithVariable(marker)).toEqual([]), waitOptions);
  expect(existsSync(postmaster), 'PostgreSQL was not shut down properly').toBe(false);
});
