import { once } from 'node:events';
import { expect, vi } from 'vitest';
import { clock } from '../fixtures/clock.ts';
import { largePng } from '../fixtures/images.ts';
import { open, responsesOf, summaryOf } from '../fixtures/requests/raw-http.ts';
import { delivered } from '../fixtures/requests/valid-requests.ts';
import { type Service, signingKey, startService } from '../fixtures/service/service.ts';
import { shipmentRequest } from '../fixtures/shipments.ts';
import { newAccount, test } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { startWaybill } from './cli/run-waybill.ts';
import { scrape } from './telemetry/scrape.ts';

/** Milliseconds that services drain for. The clock stands still, so the tests decide when this time is over. */
const drain = 600_000;
const draining = { DRAIN_MS: String(drain) };

const stop = (service: Service): PromiseLike<void> => service[Symbol.asyncDispose]();
const ready = (path: Service) => fetch(`${path.origin}/health/ready`, { headers: { connection: 'close' } });

const live = 'GET /health/live HTTP/1.1\r\nhost: a\r\n\r\n';
const body = JSON.stringify(shipmentRequest());

/** Resolves when an origin accepts no new connection. Vitest may count a retried `rejects` for a concurrent test. */
const refusesConnections = (origin: string) =>
  vi.waitFor(async () => {
    const isAccepted = fetch(origin).then(
      () => true,
      () => false,
    );
    expect(await isAccepted).toBe(false);
  }, waitTimeout);

/** Opens a connection with the head of a request whose body the service waits for. */
async function openHalf(service: Pick<Service, 'origin'>, key: string) {
  const connection = await open(service);
  connection.socket.write(
    `POST /v1/shipments HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\n` +
      `content-length: ${body.length}\r\nexpect: 100-continue\r\n\r\n`,
  );
  await once(connection.socket, 'data');
  return connection;
}

test('`waybill serve` on SIGTERM serves metrics until its requests are finished', async ({ service, account }) => {
  const settings = { DRAIN_MS: '0', SHUTDOWN_TIMEOUT_MS: '60000', PORT: '0', METRICS_PORT: '0' };
  const STORAGE_URL = `file:${service.storageFolder}`;
  await using program = startWaybill(['serve'], { ...settings, SIGNING_KEYS: signingKey, STORAGE_URL });
  const [, origin = ''] = await program.waitForOutput(/listening at (http:[^"]+)"/);
  const [, port = ''] = await program.waitForOutput(/Metrics at http:\/\/127\.0\.0\.1:(\d+)\/metrics/);
  const { socket, closed } = await openHalf({ origin }, account.key);
  program.signal('SIGTERM');
  await refusesConnections(origin);
  expect(await scrape(port)).toContain('waybill_http_connections 1\n');
  socket.write(body);
  expect(responsesOf(await closed).map(summaryOf)).toEqual(['100', '201']);
  expect(await program.ended).toMatchObject({ code: 0, stderr: '' });
  await expect(fetch(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow();
  expect((await account.client.listShipments()).data).toHaveLength(1); // the effect is stored
});

test('a stopping service drains, then closes idle connections, then half-sent requests', async ({ account }) => {
  const time = clock();
  const service = await startService({ ...draining, SHUTDOWN_TIMEOUT_MS: '1000' });
  const connections = {
    silent: await open(service),
    keptAlive: await open(service),
    halfHead: await open(service),
    halfBody: await openHalf(service, account.key),
  };
  connections.keptAlive.socket.write(live);
  connections.halfHead.socket.write(live.slice(0, 10));
  connections.halfBody.socket.write('{');
  await once(connections.keptAlive.socket, 'data');
  const order: string[] = [];
  for (const [name, { closed }] of Object.entries(connections)) closed.then(() => order.push(name));

  const stopped = stop(service);
  const status = 'the service is stopping';
  await vi.waitFor(async () => expect(await (await ready(service)).json()).toEqual({ status }), waitTimeout);
  const late = await open(service);
  late.socket.write(live);
  const responses = responsesOf(await late.closed);
  expect(responses).toMatchObject([{ status: 200, headers: { connection: 'close' } }]);
  expect(order).toEqual([]);
  time.forward(drain + 1);
  await stopped;
  expect([order.slice(0, 2).sort(), order.slice(2).sort()]).toEqual([
    ['keptAlive', 'silent'],
    ['halfBody', 'halfHead'],
  ]);
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
