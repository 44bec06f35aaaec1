import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { type Start, start } from './run.ts';

const responds = async ({ origin }: Start): Promise<boolean> => (await fetch(`${origin}/health/ready`)).ok;
const isReady = (run: Start) => vi.waitFor(async () => expect(await responds(run)).toBe(true), waitTimeout);
const isGone = (run: Start) => vi.waitFor(async () => expect(await run.processes()).toEqual([]), waitTimeout);

/** Open to other users of the machine, because they hold nothing secret. */
const open = ['postgres', 'postgres/lock', 'postgres/lock-journal', 'postgres/lock.pid'];

/** The files that other users can read and the folders that they can list, but for those that may be. */
async function exposed(folder: string, root = folder): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const isPrivate = ((await stat(path)).mode & 0o077) === 0;
    if (isPrivate) continue; // and so is everything below it
    if (!open.includes(relative(root, path))) found.push(relative(root, path));
    if (entry.isDirectory()) found.push(...(await exposed(path, root)));
  }
  return found;
}

test('start serves the tutorial, leaves no process after any kind of exit, and starts again', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'waybill-start-'));
  const demo = async () => JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8'));
  let keys: unknown;
  {
    await using first = await start(dataDir);
    await isReady(first);
    await vi.waitFor(() => expect(first.output()).toContain('tutorial.sh'), waitTimeout);
    const { mock_url, api_key, carrier_api_key } = await demo();
    keys = { api_key, carrier_api_key };
    expect((await fetch(`${mock_url}/shipments`, { headers: { authorization: `Bearer ${api_key}` } })).status).toBe(
      200,
    );

    const { stdout } = await promisify(execFile)('bash', [join(dataDir, 'demo/tutorial.sh')]);
    const saved = [...stdout.matchAll(/^Saved (.*)$/gm)].map(([, file = '']) => file);
    expect(saved).toHaveLength(2);
    for (const file of saved) expect((await stat(file)).size).toBeGreaterThan(1000);

    expect(await exposed(dataDir)).toEqual([]);
    for (const file of ['demo.json', 'signing-keys', 'demo/tutorial.sh', 'postgres/password']) {
      expect([file, (await stat(join(dataDir, file))).mode & 0o777]).toEqual([file, 0o600]);
    }
    const running = (await first.processes()).join('\n').replaceAll('\0', ' ');
    for (const name of [/postgres/, /main\.ts serve/, /mock\/src\/main\.ts/]) expect(running).toMatch(name);

    // Ctrl-C reaches the whole process group.
    process.kill(-Number(first.child.pid), 'SIGINT');
    expect((await once(first.child, 'exit'))[0]).toBe(0);
    await isGone(first);
  }
  {
    await using second = await start(dataDir);
    await isReady(second);
    process.kill(-Number(second.child.pid), 'SIGKILL');
    await isGone(second);
    // PostgreSQL was shut down, not killed.
    expect(await readdir(join(dataDir, 'postgres/cluster'))).not.toContain('postmaster.pid');
  }
  {
    await using third = await start(dataDir, { byShell: true });
    await isReady(third);
    expect(await demo()).toMatchObject(keys as object);
    const { base_url, api_key } = await demo();
    const list = await fetch(`${base_url}/shipments`, { headers: { authorization: `Bearer ${api_key}` } });
    expect(((await list.json()) as { data: unknown[] }).data).toHaveLength(1);
    third.child.kill('SIGKILL'); // the shell alone
    await isGone(third);
  }
  await using fourth = await start(dataDir);
  await vi.waitFor(async () => expect((await fourth.processes()).join()).toContain('postgres'), waitTimeout);
  fourth.child.kill('SIGTERM'); // while it starts
  expect((await once(fourth.child, 'exit'))[0]).toBe(0);
  await isGone(fourth);
  await rm(dataDir, { recursive: true });
});

test('start on a used port prints one sentence and exits with 1', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'waybill-start-'));
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const address = taken.address();
  const PORT = String(typeof address === 'object' && address ? address.port : 0);
  await using attempt = await start(dataDir, { settings: { PORT } });
  expect((await once(attempt.child, 'exit'))[0]).toBe(1);
  expect(attempt.output()).toContain(PORT);
  await isGone(attempt);
  taken.close();
  await rm(dataDir, { recursive: true });
});
