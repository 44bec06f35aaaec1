import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, stat } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { databaseUrl } from '../fixtures/database/database-url.ts';
import { isLong } from '../fixtures/long-form.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { runWaybill, type Start, start } from './run-start.ts';

const responds = async ({ origin }: Start): Promise<boolean> =>
  (await fetch(`${origin}/health/ready`).catch(() => undefined))?.ok === true;
const isReady = (run: Start) =>
  vi.waitFor(async () => expect(await responds(run), run.output()).toBe(true), waitTimeout);
const hasBanner = (run: Start) => vi.waitFor(() => expect(run.output()).toContain('tutorial.sh'), waitTimeout);
const isGone = (run: Start) =>
  vi.waitFor(async () => expect(await run.processes(), run.output()).toEqual([]), waitTimeout);

const newDataDir = () => mkdtemp(join(tmpdir(), 'waybill-start-'));

const request = async (path: string, key: string) => {
  const response = await fetch(path, { headers: { authorization: `Bearer ${key}` } });
  return { status: response.status, ...((await response.json()) as { data: unknown[] }) };
};

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

test.concurrent('start serves the tutorial, leaves no process after a signal, and starts again', async () => {
  const dataDir = await newDataDir();
  const demo = async () => JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8'));
  await using first = await start(dataDir);
  await isReady(first);
  await hasBanner(first);
  const { mock_url, base_url, api_key, carrier_api_key, account_id } = await demo();
  expect(await request(`${mock_url}/shipments`, api_key)).toMatchObject({ status: 200 });
  const { stdout } = await promisify(execFile)('bash', [join(dataDir, 'demo/tutorial.sh')]);
  const saved = [...stdout.matchAll(/^Saved (.*)$/gm)].map(([, file = '']) => file);
  expect(saved).toHaveLength(2);
  for (const file of saved) expect((await stat(file)).size).toBeGreaterThan(1000);
  expect(await exposed(dataDir)).toEqual([]);
  for (const file of ['demo.json', 'signing-keys', 'demo/tutorial.sh', 'postgres/password'])
    expect([file, (await stat(join(dataDir, file))).mode & 0o777]).toEqual([file, 0o600]);
  expect((await first.processes()).join('\n').replaceAll('\0', ' ')).toMatch(/postgres -D/);

  // A command beside it administers the same database.
  const accounts = await runWaybill(dataDir, 'accounts', 'list', '--json');
  expect(JSON.parse(accounts.stdout)).toMatchObject([{ account_id, name: 'Demo' }]);
  for (const [command, code] of [
    ['check', 0],
    ['distribute', 1],
    ['link none FRT-1 --kind track', 1],
    ['serve', 1], // which needs the pages
  ] as const) {
    const args = command.split(' ');
    const { code: found = 0, stderr } = await runWaybill(dataDir, ...args).catch((error) => error);
    expect([command, found, stderr.includes('which only a build makes')]).toEqual([command, code, command === 'serve']);
  }
  const another = await start(dataDir);
  expect((await once(another.child, 'exit'))[0]).toBe(1);
  expect(another.output()).toContain(`Another Waybill is running from ${join(dataDir, 'postgres')}. Stop it: press`);
  const { port: PORT } = new URL(first.origin);
  const beside = await start(await newDataDir(), { PORT });
  expect((await once(beside.child, 'exit'))[0]).toBe(1);
  expect(beside.output()).toBe(
    `PORT ${PORT} is in use by another Waybill. Stop that one: press Ctrl-C in its terminal. Or start this one beside it with other ports and another folder, for example PORT=3100 MOCK_PORT=4110 WAYBILL_DATA_DIR=.waybill-2\n`,
  );

  // Ctrl-C reaches the whole process group.
  process.kill(-Number(first.child.pid), 'SIGINT');
  expect((await once(first.child, 'exit'))[0]).toBe(0);
  await isGone(first);
  const stderr = 'The demo does not run. Start it with `npx -y pnpm@12 start`, or set DATABASE_URL.\n';
  await expect(runWaybill(dataDir, 'accounts', 'list')).rejects.toMatchObject({ code: 1, stderr });

  await using second = await start(dataDir);
  await isReady(second);
  expect(await demo()).toMatchObject({ api_key, carrier_api_key });
  const list = base_url.replace(first.origin, second.origin);
  expect((await request(`${list}/shipments`, api_key)).data).toHaveLength(1);
  await hasBanner(second); // all programs run
  process.kill(-Number(second.child.pid), 'SIGKILL');
  await isGone(second);
  // PostgreSQL was shut down, not killed.
  expect(await readdir(join(dataDir, 'postgres/cluster'))).not.toContain('postmaster.pid');
});

test
  .runIf(isLong)
  .concurrent('start leaves no process when it is ended while it starts, or its shell is killed', async () => {
    await using run = await start(await newDataDir());
    await vi.waitFor(async () => expect((await run.processes()).join()).toContain('postgres'), waitTimeout);
    run.child.kill('SIGTERM');
    expect((await once(run.child, 'exit'))[0]).toBe(0);
    await isGone(run);
    await using inShell = await start(await newDataDir(), { DATABASE_URL: databaseUrl() }, true);
    await isReady(inShell);
    inShell.child.kill('SIGKILL'); // the shell alone
    await isGone(inShell);
  });

test.concurrent('start on a used port, or without a data folder, prints one sentence and exits with 1', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const PORT = String((taken.address() as AddressInfo).port);
  for (const [folder, settings, message] of [
    [await newDataDir(), { PORT }, `PORT ${PORT} is in use by another program\\. Stop that program or choose another`],
    [`/tmp/${'x'.repeat(300)}`, {}, 'WAYBILL_DATA_DIR /tmp/x+: ENAMETOOLONG'],
  ] as const) {
    await using attempt = await start(folder, settings);
    expect((await once(attempt.child, 'exit'))[0]).toBe(1);
    expect(attempt.output()).toMatch(new RegExp(`^${message}.*\\n$`));
    await isGone(attempt);
  }
  taken.close();
});
