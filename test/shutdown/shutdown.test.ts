import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@waybill/tools/free-port';
import { expect, vi } from 'vitest';
import { startWaybill } from '../cli/run.ts';
import { startLoad } from '../fixtures/load.ts';
import type { Program } from '../fixtures/process.ts';
import { shipmentRequest } from '../fixtures/shipments.ts';
import { test } from '../fixtures/test.ts';
import { balance } from './load-balancer.ts';

/** Starts a server and waits until it listens. */
async function serve(port: number, folder: string, settings: Record<string, string> = {}): Promise<Program> {
  const program = startWaybill(['serve'], {
    DATABASE_TIMEOUT_MS: '20000', // the machine may be busy
    OVERLOAD_DELAY_MS: '600000',
    PORT: String(port),
    SIGNING_KEYS: 'k'.repeat(32),
    STORAGE_URL: `file:${folder}`,
    ...settings,
  });
  await program.waitForOutput(/listening at/);
  return program;
}

/** On a busy machine the load balancer may need some time to look at every server. */
const long = { DRAIN_MS: '2000' };
const timeout = 120_000;

test('a rolling restart behind a load balancer with keptAlive connections fails no request', { timeout }, async ({
  account,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-rolling-'));
  const ports = [await freePort(), await freePort()];
  const programs = await Promise.all(ports.map((port) => serve(port, folder, long)));
  await using balancer = await balance(ports);
  for (const port of ports) await balancer.sees(port, true);
  const create = () =>
    fetch(`${balancer.baseUrl}/shipments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(shipmentRequest()),
    }).then(async (response) => {
      await response.arrayBuffer();
      return response;
    });
  for (const [at, port] of ports.entries()) {
    {
      await using load = startLoad(64, create);
      await load.sees(201);
      programs[at]?.signal('SIGTERM');
      expect(await programs[at]?.ended).toMatchObject({ code: 0, stderr: '' });
      await balancer.sees(port, false);
      await load.sees(201);
      expect([balancer.failures, load.errors]).toEqual([[], []]);
      expect(new Set(load.statuses)).toEqual(new Set([201]));
    }
    // A server starts sooner without load.
    programs[at] = await serve(port, folder, long);
    await balancer.sees(port, true);
  }
  expect((await create()).status).toBe(201);
  for (const program of programs) await program[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** A connection that has sent this text and no more. */
async function open(port: number, text: string): Promise<{ socket: Socket; closed: Promise<string> }> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (bytes) => {
    received += bytes;
  });
  socket.on('error', () => {});
  const closed = once(socket, 'close').then(() => received);
  await once(socket, 'connect');
  socket.write(text);
  return { socket, closed };
}

const live = 'GET /health/live HTTP/1.1\r\nhost: a\r\n\r\n';

test('on SIGTERM idle connections close before half-sent requests, and the process exits with 0', async ({
  account,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-shutdown-'));
  const port = await freePort();
  await using program = await serve(port, folder, { DRAIN_MS: '500', SHUTDOWN_TIMEOUT_MS: '3000' });
  const silent = await open(port, '');
  const keptAlive = await open(port, live);
  await once(keptAlive.socket, 'data');
  const halfHead = await open(port, 'GET /health/live HTTP/1.1\r\nho');
  const auth = `authorization: Bearer ${account.key}`;
  const halfBody = await open(
    port,
    `POST /v1/shipments HTTP/1.1\r\nhost: a\r\n${auth}\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{`,
  );
  const order: string[] = [];
  const connections = { silent, keptAlive, halfHead, halfBody };
  for (const [name, { closed }] of Object.entries(connections)) closed.then(() => order.push(name));

  program.signal('SIGTERM');
  const ready = async () => (await fetch(`http://127.0.0.1:${port}/health/ready`)).text();
  await vi.waitFor(async () => expect(await ready()).toBe('{"status":"the service is stopping"}'), { interval: 5 });
  const late = await open(port, live);
  expect(await late.closed).toMatch(/^HTTP\/1.1 200 .*\r\nconnection: close\r\n/is);
  expect(await program.ended).toMatchObject({ code: 0, stderr: '' });
  expect(order.slice(0, 2).sort()).toEqual(['keptAlive', 'silent']);
  expect(order.slice(2).sort()).toEqual(['halfBody', 'halfHead']);
  await rm(folder, { recursive: true });
});
