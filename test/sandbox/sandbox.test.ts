import { mkdtempDisposable, readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Client, createClient } from '@waybill/client';
import { type Sandbox, startSandbox } from '@waybill/sandbox';
import { freePort } from '@waybill/sandbox/processes/free-port';
import { commandsWithVariable, processAndChildren } from '@waybill/sandbox/processes/process-tree';
import { test as base, expect, onTestFinished, vi } from 'vitest';
import { isLong } from '../fixtures/long-form.ts';
import { startProgram } from '../fixtures/programs/process.ts';
import { perFile } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';

const clientOf = ({ baseUrl, apiKey }: Sandbox): Client => createClient({ baseUrl, apiKey });
/** Of tracking numbers: when a test runs. */
const year = new Date().getUTCFullYear();
const numbersIn = async (sandbox: Sandbox) =>
  (await clientOf(sandbox).listShipments()).data.map(({ tracking_number }) => tracking_number);

const test = base.extend<{ $file: { sandbox: Sandbox } }>({ sandbox: perFile(() => startSandbox()) });

test('seed and reset change this sandbox alone, and stop leaves no process', async ({ sandbox }) => {
  const processes = await processAndChildren(process.pid);
  const other = await startSandbox({ TRACKING_PREFIX: 'ACME' });
  const [first, second] = await sandbox.seed([{ reference: 'A' }, { reference: 'B', notes: 'Fragile' }]);
  expect([first.reference, second.notes]).toEqual(['A', 'Fragile']);
  expect(Date.parse(first.pickup_window.start)).toBeGreaterThan(Date.now());
  await other.seed([{}]);
  expect(await numbersIn(sandbox)).toEqual([`FRT-${year}-000002`, `FRT-${year}-000001`]);
  await sandbox.reset();
  expect([await numbersIn(sandbox), await numbersIn(other)]).toEqual([[], [`ACME-${year}-000001`]]);
  await sandbox.seed([{ reference: 'A' }]);
  expect(await numbersIn(sandbox)).toEqual([`FRT-${year}-000001`]);
  await expect(sandbox.seed([{ reference: 'A' }])).rejects.toThrow('reference');
  await Promise.all([other.stop(), other.stop()]);
  await vi.waitFor(async () => expect(await processAndChildren(process.pid)).toEqual(processes), waitTimeout);
  await expect(other.reset()).rejects.toThrow('The sandbox has stopped. Start another one');
});

test('a sandbox starts whatever variables of PostgreSQL clients the shell has', async () => {
  for (const name of ['HOST', 'PORT', 'USER', 'PASSWORD', 'DATABASE', 'DATA']) vi.stubEnv(`PG${name}`, 'x');
  vi.stubEnv('PGSSLMODE', 'require');
  vi.stubEnv('PGOPTIONS', '-c statement_timeout=1');
  onTestFinished(() => void vi.unstubAllEnvs());
  await using sandbox = await startSandbox();
  await sandbox.seed([{}]);
  expect(await numbersIn(sandbox)).toEqual([`FRT-${year}-000001`]);
});

test('a sandbox sends webhooks to this machine despite fake timers, and simulates', async ({ sandbox }) => {
  await sandbox.reset();
  const received: string[] = [];
  const port = await freePort();
  await using _receiver = createServer(async (request, response) => {
    received.push(await text(request));
    response.end();
  }).listen(port, '127.0.0.1');
  const client = clientOf(sandbox);
  await client.createWebhookEndpoint({ url: `http://127.0.0.1:${port}/`, types: ['shipment.created'] });
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const [{ id }] = await sandbox.seed([{}]);
  vi.useRealTimers();
  await vi.waitFor(() => expect(received.join()).toContain(id), waitTimeout);
  await sandbox.simulate(20_000, 3);
  expect((await client.listShipments({ status: ['delivered', 'cancelled'] })).data).toHaveLength(3);
});

test.runIf(isLong)('a killed process leaves no process, and the next start removes its data alone', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'waybill-sandboxes-'));
  const TMPDIR = folder.path;
  vi.stubEnv('TMPDIR', TMPDIR);
  onTestFinished(() => void vi.unstubAllEnvs());
  const folders = async () => (await readdir(TMPDIR)).filter((name) => name.startsWith('waybill-sandbox-'));
  await using _other = await startSandbox();
  const own = await folders();
  const MARKER = `waybill-sandbox-test-${crypto.randomUUID()}`;
  const script = new URL('start-and-wait.ts', import.meta.url);
  await using killed = startProgram(script, [], { MARKER, TMPDIR });
  await killed.waitForOutput(/^started$/m);
  expect((await commandsWithVariable(MARKER)).join('\n')).toContain('postgres');
  killed.signal('SIGKILL');
  await vi.waitFor(async () => expect(await commandsWithVariable(MARKER)).toEqual([]), waitTimeout);
  expect(await folders()).toHaveLength(own.length + 1);

  const message =
    'TRACKING_PREFIX must be 2 to 8 capital letters: prefix of tracking numbers. For example: TRACKING_PREFIX=FRT';
  await expect(startSandbox({ TRACKING_PREFIX: 'x' })).rejects.toThrow(message);
  expect(await folders()).toEqual(own);
});
