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
} from '../../fixtures/requests/raw-http.ts';
import { startService } from '../../fixtures/service/service.ts';
import { test as base, newAccount, perFile } from '../../fixtures/test.ts';
import { connectionCases, last } from './cases.ts';

async function startLogged() {
  const log: Record<string, unknown>[] = [];
  const service = await startService({ LOG_LEVEL: 'info' }, log);
  return { ...service, log, key: (await newAccount(service)).key };
}
const test = base.extend<{ $file: { logged: Awaited<ReturnType<typeof startLogged>> } }>({
  logged: perFile(startLogged),
});

/** A response that closes the connection has `Connection: close`, and before its body is read no RateLimit header. */
function expectRefusal({ status, headers, body }: RawResponse): void {
  expect(headers).toMatchObject({ connection: 'close', 'x-request-id': JSON.parse(body).request_id });
  if (status !== 413 && !body.includes('small chunks')) expect(headers).not.toHaveProperty('ratelimit');
}

test.for(connectionCases)('for $name the service returns $responses', async ({ bytes, responses }, { logged }) => {
  const received = await exchange(logged, Buffer.from(bytes.replaceAll('KEY', logged.key) + last, 'latin1'));
  expect(received.map(summaryOf)).toEqual(responses);
  const end = received.at(-1);
  if (end && end.status >= 400) expectRefusal(end);
  expect(failuresIn(logged.log)).toEqual([]);
});

const head = (key: string, length: number): string =>
  `POST /v1/shipments HTTP/1.1\r\nHost: waybill.test\r\nAuthorization: Bearer ${key}\r\n` +
  `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

/** Expects that a connection is open, with a request after which the server closes it. */
async function expectServed({ socket, closed }: Connection, request = last): Promise<void> {
  socket.write(request);
  expect(responsesOf(await closed).map(({ status }) => status)).toEqual([200]);
}

/** How the bytes of a request arrive: some at once, the rest one by one for as long as the connection is open. */
const slow: [name: string, atOnce: (key: string) => string, rest?: string][] = [
  ['nothing at all', () => ''],
  ['half a head', (key) => head(key, 1000).slice(0, -2)],
  ['half a body', (key) => `${head(key, 1000)}{"type":`],
  ['a head byte by byte', () => 'GET /', 'a'],
  ['a body byte by byte', (key) => head(key, 1000), ' '],
  ['half a request after a complete one', (key) => `${head(key, 0)}GET /`],
];

test('requests that do not arrive within REQUEST_SECONDS return 408, and other callers are served', async () => {
  const log: Record<string, unknown>[] = [];
  await using patient = await startService({ REQUEST_SECONDS: '600' });
  await using service = await startService({ LOG_LEVEL: 'info', REQUEST_SECONDS: '2' }, log);
  const account = await newAccount(service);
  // It is sent first: a timeout that is the same for both would end it first.
  const waiting = await open(patient);
  waiting.socket.write(last.slice(0, 10));
  const requests = [...slow, ...slow];
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
  await expectServed(waiting, last.slice(10));
});

test.for([
  { MAX_CONNECTIONS: '2' },
  { MAX_CONNECTIONS_PER_ADDRESS: '2', HOST: '0.0.0.0' },
  { MAX_CONNECTIONS_PER_ADDRESS: '2', HOST: '0.0.0.0', TRUST_PROXY: '127.0.0.2' },
])('with %o, connections over it are closed, and accepted again when others have ended', async (settings) => {
  await using service = await startService(settings);
  const fromOther = () => openFrom('127.0.0.2', Number(new URL(service.origin).port));
  const [first, second, third] = [await open(service), await open(service), await open(service)];
  expect(await third.closed).toEqual(Buffer.alloc(0));
  // Those of another IP address are served, and those of a trusted proxy are not counted.
  if (settings.HOST) await expectServed(await fromOther());
  if (settings.TRUST_PROXY)
    for (const one of [await fromOther(), await fromOther(), await fromOther()]) await expectServed(one);
  for (const one of [first, second]) await expectServed(one);
  await expectServed(await open(service));
});
