import { once } from 'node:events';
import { buildApp } from '@waybill/server/app';
import { readConfig } from '@waybill/server/config';
import { expect, vi } from 'vitest';
import { clock } from '../fixtures/clock.ts';
import { largePng } from '../fixtures/images.ts';
import { open, responsesOf, summaryOf } from '../fixtures/raw-http.ts';
import { refusesConnections } from '../fixtures/refuses-connections.ts';
import { delivered } from '../fixtures/requests.ts';
import { type Service, signingKey, startService } from '../fixtures/service.ts';
import { shipmentRequest } from '../fixtures/shipments.ts';
import { newAccount, test } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { startWaybill } from './cli/run.ts';

/** Milliseconds that services drain for. The clock stands still, so the tests decide when this time is over. */
const drain = 600_000;
const draining = { DRAIN_MS: String(drain) };

const stop = (service: Service): PromiseLike<void> => service[Symbol.asyncDispose]();

const live = 'GET /health/live HTTP/1.1\r\nhost: a\r\n\r\n';
const postHead = (key: string, length: number): string =>
  `POST /v1/shipments HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\n` +
  `content-length: ${length}\r\nexpect: 100-continue\r\n\r\n`;

// operate/telemetry/metrics-server does the same with SIGTERM.
test('`waybill serve` on SIGINT finishes its request and exits with 0', async ({ service, account }) => {
  const STORAGE_URL = `file:${service.storageFolder}`;
  await using program = startWaybill(['serve'], { PORT: '0', SIGNING_KEYS: signingKey, STORAGE_URL });
  const [, origin = ''] = await program.waitForOutput(/listening at (http:[^"]+)"/);
  const body = JSON.stringify(shipmentRequest());
  const { socket, closed } = await open({ origin });
  socket.write(postHead(account.key, body.length));
  await once(socket, 'data');
  program.signal('SIGINT');
  await refusesConnections(origin);
  socket.write(body);
  expect(responsesOf(await closed).map(summaryOf)).toEqual(['100', '201']);
  expect(await program.ended).toMatchObject({ code: 0, stderr: '' });
  expect((await account.client.listShipments()).data).toHaveLength(1); // the effect is stored
});

test('a stopping service accepts requests while it drains, then closes idle connections, then half-sent requests', async ({
  account,
}) => {
  const time = clock();
  const service = await startService({ ...draining, SHUTDOWN_TIMEOUT_MS: '1000' });
  const connections = {
    silent: await open(service),
    keptAlive: await open(service),
    halfHead: await open(service),
    halfBody: await open(service),
  };
  connections.keptAlive.socket.write(live);
  connections.halfHead.socket.write(live.slice(0, 10));
  connections.halfBody.socket.write(`${postHead(account.key, 9)}{`);
  for (const name of ['keptAlive', 'halfBody'] as const) await once(connections[name].socket, 'data');
  const order: string[] = [];
  for (const [name, { closed }] of Object.entries(connections)) closed.then(() => order.push(name));

  const stopped = stop(service);
  const ready = async () => (await fetch(`${service.origin}/health/ready`)).json();
  await vi.waitFor(async () => expect(await ready()).toEqual({ status: 'the service is stopping' }), waitTimeout);
  const late = await open(service);
  late.socket.write(live);
  const responses = responsesOf(await late.closed);
  expect(responses).toMatchObject([{ status: 200, headers: { connection: 'close' } }]);
  expect(order).toEqual([]);
  time.forward(drain + 1);
  await stopped;
  expect(order.slice(0, 2).sort()).toEqual(['keptAlive', 'silent']);
  expect(order.slice(2).sort()).toEqual(['halfBody', 'halfHead']);
});

test('a stopping service without connections accepts requests until the end of its DRAIN_MS', async () => {
  const time = clock();
  const service = await startService(draining);
  const sooner = await startService({ DRAIN_MS: String(drain - 1) });
  const ready = async ({ origin }: Service): Promise<Response> => {
    const response = await fetch(`${origin}/health/ready`, { headers: { connection: 'close' } });
    await response.text();
    return response;
  };
  const [stopped, soonerStopped] = [stop(service), stop(sooner)];
  for (const each of [service, sooner]) {
    await vi.waitFor(async () => expect((await ready(each)).status).toBe(503), waitTimeout);
  }
  time.forward(drain - 1);
  await soonerStopped;
  expect((await ready(service)).status).toBe(503);
  time.forward(1);
  await stopped;
  await expect(ready(service)).rejects.toThrow();
});

test('a stopping service closes half-sent requests after its SHUTDOWN_TIMEOUT_MS, and not before', async () => {
  const services = [
    await startService({ SHUTDOWN_TIMEOUT_MS: '600000' }),
    await startService({ SHUTDOWN_TIMEOUT_MS: '0' }),
  ] as const;
  const body = JSON.stringify(shipmentRequest());
  const half = async (service: Service) => {
    const connection = await open(service);
    connection.socket.write(postHead((await newAccount(service)).key, body.length));
    await once(connection.socket, 'data');
    return connection;
  };
  const [patient, impatient] = [await half(services[0]), await half(services[1])];
  // The first one stops first: a timeout that is the same for both would close its connection first.
  const stopped = services.map(stop);
  expect(responsesOf(await impatient.closed).map(summaryOf)).toEqual(['100']);
  patient.socket.write(body);
  expect(responsesOf(await patient.closed).map(summaryOf)).toEqual(['100', '201']);
  await Promise.all(stopped);
});

test.for([
  ['closes the connection', ''],
  ['responds to the next request on the connection', 'GET /v1/shipments HTTP/1.1\r\nhost: a\r\n\r\n'],
] as const)('a stopping service finishes a download, and then %s', async ([, next]) => {
  const service = await startService();
  // Larger than all buffers, so that the download is unfinished until the test reads it.
  const file = largePng(9_000_000);
  const { proof } = await delivered(await newAccount(service), file);

  const { socket, closed } = await open(service);
  socket.write(`GET ${new URL(proof.signature_url).pathname} HTTP/1.1\r\nhost: a\r\n\r\n`);
  await once(socket, 'data');
  socket.pause();
  const stopped = stop(service);
  await refusesConnections(service.origin);
  socket.write(next);
  socket.resume();
  const [download, ...others] = responsesOf(await closed);
  expect(download?.headers['content-length']).toBe(String(file.length));
  expect(others.map(summaryOf)).toEqual(next ? ['401 unauthenticated'] : []);
  for (const { headers } of others) expect(headers.connection).toBe('close');
  await stopped;
});

test('closing may take as long as DRAIN_MS and SHUTDOWN_TIMEOUT_MS together', async ({ service }) => {
  const STORAGE_URL = `file:${service.storageFolder}`;
  const settings = { DRAIN_MS: '600000', SHUTDOWN_TIMEOUT_MS: '20000', SIGNING_KEYS: signingKey, STORAGE_URL };
  const app = await buildApp(readConfig({ ...settings, DATABASE_URL: 'postgres://127.0.0.1:1/none' }, []));
  // Fastify lets app.close() reject after this time.
  expect(app.initialConfig.pluginTimeout).toBeGreaterThan(620_000);
  await app.close();
});
