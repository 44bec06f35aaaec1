import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { text } from 'node:stream/consumers';
import { type Client, createClient } from '@waybill/client';
import { type Sandbox, startSandbox } from '@waybill/sandbox';
import { commandsWithVariable } from '@waybill/sandbox/processes/process-tree';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startProgram } from '../fixtures/process.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';

const clientOf = ({ baseUrl, apiKey }: Sandbox): Client => createClient({ baseUrl, apiKey });
const numbersIn = async (sandbox: Sandbox) =>
  (await clientOf(sandbox).listShipments()).data.map(({ tracking_number }) => tracking_number);

test('two sandboxes at once have separate data, and reset puts one of them back to the start', async () => {
  await using first = await startSandbox();
  await using second = await startSandbox({ TRACKING_PREFIX: 'ACME' });
  const seeded = await first.seed([{ reference: 'A' }, { reference: 'B', notes: 'Fragile' }]);
  expect(seeded.map(({ reference, notes }) => [reference, notes])).toEqual([
    ['A', undefined],
    ['B', 'Fragile'],
  ]);
  await second.seed([{}]);
  expect(await numbersIn(first)).toEqual(['FRT-2026-000002', 'FRT-2026-000001']);
  await first.reset();
  expect(await numbersIn(first)).toEqual([]);
  expect(await numbersIn(second)).toEqual(['ACME-2026-000001']);
  await first.seed([{ reference: 'A' }]);
  expect(await numbersIn(first)).toEqual(['FRT-2026-000001']);
  await expect(first.seed([{ reference: 'A' }])).rejects.toThrow('reference');
});

test('a sandbox sends webhooks to this machine, while the timers of the test stand still', async () => {
  const received: string[] = [];
  const receiver = createServer(async (request, response) => {
    received.push(await text(request));
    response.end();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void receiver.close());
  await using sandbox = await startSandbox();
  const { port } = receiver.address() as AddressInfo;
  await clientOf(sandbox).createWebhookEndpoint({ url: `http://127.0.0.1:${port}/`, types: ['shipment.created'] });
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const [shipment] = await sandbox.seed([{}]);
  vi.useRealTimers();
  await vi.waitFor(() => expect(received.join()).toContain(shipment?.id), waitTimeout);
});

test('simulate brings shipments to their end', async () => {
  await using sandbox = await startSandbox();
  await sandbox.simulate(20_000, 3);
  const ended = (await clientOf(sandbox).listShipments({ status: ['delivered', 'cancelled'] })).data;
  expect(ended).toHaveLength(3);
});

const script = new URL('start-and-wait.ts', import.meta.url);
const foldersOf = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('waybill-sandbox-'));

test('stop ends all processes and removes the data, and a killed process leaves none that runs', async () => {
  const MARKER = `waybill-sandbox-test-${crypto.randomUUID()}`;
  const isAlone = (count: number) =>
    vi.waitFor(async () => expect(await commandsWithVariable(MARKER)).toHaveLength(count), waitTimeout);
  const env = { MARKER, TMPDIR: tmpdir() };
  await using stopped = startProgram(script, ['stop'], env);
  await stopped.waitForOutput(/^stopped$/m);
  await isAlone(1); // the process itself
  stopped.signal('SIGKILL');
  expect(await foldersOf()).toEqual([]);

  await using killed = startProgram(script, [], env);
  await killed.waitForOutput(/^started$/m);
  expect((await commandsWithVariable(MARKER)).join('\n')).toContain('postgres');
  killed.signal('SIGKILL');
  await isAlone(0);
  await using next = await startSandbox(); // removes what the killed process has left
  expect(await foldersOf()).toHaveLength(1);
  await next.stop();
  await next.stop();
  await expect(next.reset()).rejects.toThrow('The sandbox has stopped');
});

test('startSandbox rejects an invalid setting with a message that says what to do, and leaves no folder', async () => {
  await expect(startSandbox({ TRACKING_PREFIX: 'x' })).rejects.toThrow(
    'TRACKING_PREFIX must be 2 to 8 capital letters: prefix of tracking numbers. For example: TRACKING_PREFIX=FRT',
  );
  expect(await foldersOf()).toEqual([]);
});
