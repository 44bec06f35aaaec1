import { expect } from 'vitest';
import { type Connection, failuresIn, open, openFrom, responsesOf, summaryOf } from '../fixtures/raw-http.ts';
import { startService } from '../fixtures/service.ts';
import { newAccount, test } from '../fixtures/test.ts';
import { last } from './cases.ts';

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
