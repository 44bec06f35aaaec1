import { expect } from 'vitest';
import { startService } from '../fixtures/service.ts';
import { newAccount, test } from '../fixtures/test.ts';
import { failuresIn } from './logs.ts';
import { open, openFrom, responsesOf, summaryOf } from './raw.ts';

const post = (key: string): string =>
  [
    'POST /v1/shipments HTTP/1.1',
    'Host: waybill.test',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    'Content-Length: 1000',
    '\r\n',
  ].join('\r\n');

/** After its response the server closes the connection. */
const closingRequest = 'GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

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

test('requests that do not arrive in time return 408 while another caller is served', {
  timeout: 120_000,
}, async () => {
  const log: Record<string, unknown>[] = [];
  await using service = await startService({ LOG_LEVEL: 'info', REQUEST_SECONDS: '4' }, log);
  const account = await newAccount(service);
  await account.client.listShipments();
  const requests = slow.flatMap((one) => [one, one, one]);
  const waiting = new Map(requests.map(([name], index) => [index, name]));
  const all = requests.map(async ([name, atOnce, rest], index) => {
    const { socket, closed } = await open(service);
    socket.write(atOnce(account.key));
    const timer = setInterval(() => rest && socket.writable && socket.write(rest), 20);
    const received = await closed;
    clearInterval(timer);
    waiting.delete(index);
    return [name, summaryOf(responsesOf(received).at(-1) ?? { status: 0, headers: {}, body: '' })];
  });
  const until = Date.now() + 90_000;
  while (waiting.size > 0) {
    expect((await account.client.listShipments()).data.data).toEqual([]);
    expect(Date.now(), `still open after 90 s: ${[...waiting.values()].join(', ')}`).toBeLessThan(until);
  }
  const ends = await Promise.all(all);
  expect(ends).toEqual(slow.flatMap(([name]) => Array(3).fill([name, '408 request_timeout'])));
  expect(failuresIn(log)).toEqual([]);
});

test('connections over MAX_CONNECTIONS are closed, and accepted again when others have ended', async () => {
  await using service = await startService({ MAX_CONNECTIONS: '2' });
  const [first, second] = [await open(service), await open(service)];
  const third = await open(service);
  expect(await third.closed).toEqual(Buffer.alloc(0));
  for (const { socket, closed } of [first, second]) {
    socket.write(closingRequest);
    expect(responsesOf(await closed).map(({ status }) => status)).toEqual([200]);
  }
  expect((await fetch(`${service.origin}/health/live`)).status).toBe(200);
});

test('connections of one IP address over MAX_CONNECTIONS_PER_ADDRESS are closed, those of others are served', async () => {
  await using service = await startService({ MAX_CONNECTIONS_PER_ADDRESS: '2', HOST: '0.0.0.0' });
  const port = Number(new URL(service.origin).port);
  const [first] = [await open(service), await open(service)];
  const third = await open(service);
  expect(await third.closed).toEqual(Buffer.alloc(0));

  const other = await openFrom('127.0.0.2', port);
  other.socket.write(closingRequest);
  expect(responsesOf(await other.closed).map(({ status }) => status)).toEqual([200]);

  first?.socket.write(closingRequest);
  await first?.closed;
  const fourth = await open(service);
  fourth.socket.write(closingRequest);
  expect(responsesOf(await fourth.closed).map(({ status }) => status)).toEqual([200]);
});

test('connections of a trusted proxy are not counted for MAX_CONNECTIONS_PER_ADDRESS', async () => {
  await using service = await startService({ MAX_CONNECTIONS_PER_ADDRESS: '2', TRUST_PROXY: '127.0.0.0/8' });
  const all = [await open(service), await open(service), await open(service)];
  for (const { socket, closed } of all) {
    socket.write(closingRequest);
    expect(responsesOf(await closed).map(({ status }) => status)).toEqual([200]);
  }
});
