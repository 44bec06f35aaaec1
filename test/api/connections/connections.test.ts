import { expect } from 'vitest';
import {
  type Connection,
  exchange,
  failuresIn,
  open,
  openFrom,
  type RawResponse,
  responsesOf,
  summaryOf,
} from '../../fixtures/raw-http.ts';
import { startService } from '../../fixtures/service.ts';
import { shipmentRequest } from '../../fixtures/shipments.ts';
import { test as base, newAccount, perFile } from '../../fixtures/test.ts';
import { connectionCases, last } from './cases.ts';

async function startLogged() {
  const log: Record<string, unknown>[] = [];
  const service = await startService({ LOG_LEVEL: 'info' }, log);
  const { key } = await newAccount(service);
  return { ...service, log, key };
}
const test = base.extend<{ $file: { logged: Awaited<ReturnType<typeof startLogged>> } }>({
  logged: perFile(startLogged),
});

/** A response that closes the connection has `Connection: close`, and without an operation no RateLimit header. */
function expectRefusal({ status, headers, body }: RawResponse): void {
  expect(headers).toMatchObject({ connection: 'close', 'x-request-id': JSON.parse(body).request_id });
  if (status !== 413) expect(Object.keys(headers)).not.toContain('ratelimit');
}

test.for(connectionCases)('for $name the service returns $responses', async ({ bytes, responses }, { logged }) => {
  const { log, key } = logged;
  const received = await exchange(logged, Buffer.from(bytes(key) + last, 'latin1'));
  expect(received.map(summaryOf)).toEqual(responses);
  const [end] = received.slice(-1);
  if (end && end.status >= 400) expectRefusal(end);
  expect((await fetch(`${logged.origin}/health/live`)).status).toBe(200);
  expect(failuresIn(log)).toEqual([]);
});

test('pipelined writes get their responses in the order of the requests', async ({ logged }) => {
  const references = Array.from({ length: 10 }, () => crypto.randomUUID());
  const requests = references.map((reference) => {
    const body = JSON.stringify({ ...shipmentRequest(), reference });
    const head = `POST /v1/shipments HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${logged.key}\r\nContent-Type: application/json`;
    return `${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  });
  const received = await exchange(logged, requests.join('') + last);
  expect(received.slice(0, -1).map(({ body }) => JSON.parse(body).reference)).toEqual(references);
});

test('a connection closed within a request causes no 5xx response and no error log', async ({ logged }) => {
  const { log, key } = logged;
  const whole = connectionCases.find(({ name }) => name === 'a chunked body')?.bytes(key) ?? '';
  for (const length of [1, 20, whole.indexOf('\r\n\r\n') + 2, whole.indexOf('{'), whole.length - 10]) {
    for (const end of ['end', 'resetAndDestroy'] as const) {
      const { socket, closed } = await open(logged);
      await new Promise((written) => socket.write(whole.slice(0, length), written));
      socket[end]();
      await closed;
    }
  }
  expect((await fetch(`${logged.origin}/health/live`)).status).toBe(200);
  expect(failuresIn(log)).toEqual([]);
});

test.for([
  ['an unknown path', 'GET', '/v1/nothing', 404],
  ['a method that the path does not have', 'DELETE', '/v1/shipments', 405],
] as const)('the response for %s has no RateLimit header', async ([, method, path, status], { logged }) => {
  const headers = { authorization: `Bearer ${logged.key}` };
  const response = await fetch(logged.origin + path, { method, headers });
  expect(response.status).toBe(status);
  expect([...response.headers.keys()].filter((name) => name.startsWith('ratelimit'))).toEqual([]);
});

const post = (key: string): string =>
  `POST /v1/shipments HTTP/1.1\r\nHost: waybill.test\r\nAuthorization: Bearer ${key}\r\n` +
  'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n';

/** Expects that a connection is open, with a request after which the server closes it. */
async function expectServed({ socket, closed }: Connection): Promise<void> {
  socket.write(last);
  expect(responsesOf(await closed).map(({ status }) => status)).toEqual([200]);
}

/** How the bytes of a request arrive: some at once, the rest one by one for as long as the connection is open. */
const slow: [name: string, atOnce: (key: string) => string, rest: string][] = [
  ['nothing at all', () => '', ''],
  ['half a request line', () => 'GET /v1/ship', ''],
  ['half a head', (key) => post(key).slice(0, -2), ''],
  ['half a body', (key) => `${post(key)}{"type":`, ''],
  ['a head byte by byte', () => 'GET /', 'a'],
  ['a body byte by byte', post, ' '],
  ['half a request after a complete one', (key) => `${post(key).replace('1000', '0')}GET /`, ''],
];

test('requests that do not arrive within REQUEST_SECONDS return 408, and other callers are served', async () => {
  const log: Record<string, unknown>[] = [];
  await using patient = await startService({ REQUEST_SECONDS: '600' });
  await using service = await startService({ LOG_LEVEL: 'info', REQUEST_SECONDS: '2' }, log);
  const account = await newAccount(service);
  await account.client.listShipments();
  // It is sent first: a timeout that is the same for both would end it first.
  const waiting = await open(patient);
  waiting.socket.write(last.slice(0, 10));
  const requests = slow.flatMap((one) => [one, one, one]);
  let unfinished = requests.length;
  const ends = requests.map(async ([name, atOnce, rest]) => {
    const { socket, closed } = await open(service);
    socket.write(atOnce(account.key));
    const timer = setInterval(() => rest && socket.writable && socket.write(rest), 20);
    const received = await closed;
    clearInterval(timer);
    unfinished--;
    return [name, responsesOf(received).map(summaryOf).at(-1)];
  });
  while (unfinished > 0) expect((await account.client.listShipments()).data).toEqual([]);
  expect(await Promise.all(ends)).toEqual(requests.map(([name]) => [name, '408 request_timeout']));
  expect(failuresIn(log)).toEqual([]);
  waiting.socket.write(last.slice(10));
  expect(responsesOf(await waiting.closed).map(summaryOf)).toEqual(['200']);
});

test('connections over MAX_CONNECTIONS are closed, and accepted again when others have ended', async () => {
  await using service = await startService({ MAX_CONNECTIONS: '2' });
  const [first, second, third] = [await open(service), await open(service), await open(service)];
  expect(await third.closed).toEqual(Buffer.alloc(0));
  for (const connection of [first, second]) await expectServed(connection);
  await expectServed(await open(service));
});

test('connections of one IP address over MAX_CONNECTIONS_PER_ADDRESS are closed, those of others are served', async () => {
  await using service = await startService({ MAX_CONNECTIONS_PER_ADDRESS: '2', HOST: '0.0.0.0' });
  const [first, , third] = [await open(service), await open(service), await open(service)];
  expect(await third.closed).toEqual(Buffer.alloc(0));
  await expectServed(await openFrom('127.0.0.2', Number(new URL(service.origin).port)));
  await expectServed(first);
  await expectServed(await open(service));
});

test('connections of a trusted proxy are not counted for MAX_CONNECTIONS_PER_ADDRESS', async () => {
  await using service = await startService({ MAX_CONNECTIONS_PER_ADDRESS: '2', TRUST_PROXY: '127.0.0.0/8' });
  const all = [await open(service), await open(service), await open(service)];
  for (const connection of all) await expectServed(connection);
});
