import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createSender, type SenderOptions } from '@waybill/server/webhooks/attempts/send';
import { urlCheck } from '@waybill/server/webhooks/attempts/url-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startOwnService } from '../fixtures/database/own-database.ts';
import { newShipment } from '../fixtures/shipments.ts';
import { newAccount } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { certificate } from './certificate.ts';
import { attempted, createEndpoint } from './endpoint-state.ts';
import { startRawReceiver, startReceiver } from './receiver.ts';

/** A function that sends a webhook. */
const sender = (options: Partial<SenderOptions> = {}) => {
  const { send, close } = createSender({
    ...{ allowLoopback: true, userAgent: 'Waybill/1', resolve: async () => [] },
    ...options,
  });
  onTestFinished(close);
  return (url: string) => send(url, { 'webhook-id': 'evt_1' }, '{"a":"é"}');
};
const hooks = 'https://hooks.example.com:8443/hook';
const noStatus = { succeeded: false, responseStatus: undefined };

test('an attempt sends JSON by POST, succeeds with any 2xx and follows no redirect', async () => {
  await using target = await startReceiver();
  const success = [200, 201, 204, 299].map((status) => [status, true] as const);
  const others = [301, 302, 303, 307, 308, 400, 410, 429, 500, 503].map((status) => [status, false] as const);
  for (const [status, succeeded] of [...success, ...others]) {
    await using receiver = await startReceiver((response) =>
      response.writeHead(status, { location: target.url }).end('no\0t\ud83d now'),
    );
    const outcome = await sender()(receiver.url);
    expect(outcome).toMatchObject({ succeeded, responseStatus: status, error: undefined });
    if (status !== 204) expect(outcome.responseBody).toMatch(/^not/);
    const headers = { 'content-type': 'application/json', 'content-length': '10', 'user-agent': 'Waybill/1' };
    expect(receiver.received).toMatchObject([
      { method: 'POST', url: '/hook', body: '{"a":"é"}', headers: { ...headers, 'webhook-id': 'evt_1' } },
    ]);
  }
  expect(target.received).toEqual([]);
});

test.for<[value: string, milliseconds: number | undefined]>([
  ['120', 120_000],
  ['Mon, 02 Mar 2026 12:01:00 GMT', 60_000],
  ['Monday, 02-Mar-26 12:01:00 GMT', 60_000],
  ['Mon, 02 Mar 2026 11:59:00 GMT', undefined],
  ['-5', undefined],
  ['2026-03-02T12:01:00Z', undefined],
])('an attempt reads the Retry-After %s as %s ms', async ([value, milliseconds]) => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-02T12:00:00Z') });
  onTestFinished(() => void vi.useRealTimers());
  await using receiver = await startReceiver((response) => response.writeHead(429, { 'retry-after': value }).end());
  expect((await sender()(receiver.url)).retryAfter).toBe(milliseconds);
});

test('an attempt on an idle connection that the receiver has closed goes on with another connection', async () => {
  await using receiver = await startReceiver((response, _webhook, count) =>
    count === 2 ? response.destroy() : response.writeHead(204).end(),
  );
  const send = sender();
  for (let count = 0; count < 2; count++) expect(await send(receiver.url)).toMatchObject({ succeeded: true });
  expect(receiver.received).toHaveLength(3);
});

test('an attempt fails without a connection', async () => {
  const receiver = await startReceiver();
  await receiver[Symbol.asyncDispose]();
  expect(await sender()(receiver.url)).toMatchObject({ ...noStatus, error: 'The connection was refused.' });
});

test('a name is resolved for each connection, and refused when its address is in the network of the operator', async () => {
  await using receiver = await startReceiver();
  const answers = [['93.184.215.14'], ['169.254.169.254'], ['127.0.0.1']];
  const send = sender({ allowLoopback: false, resolve: async () => answers.shift() ?? [], timeout: 50 });
  const error = 'hooks.example.com has an IP address of a private network';
  // The first one connects to a public address, which this test does not reach.
  expect((await send(hooks)).error).not.toMatch(/private/);
  expect(await send(hooks)).toMatchObject({ ...noStatus, error });
  expect(await send(`https://hooks.example.com:${receiver.port}/`)).toMatchObject({ ...noStatus, error });
  expect(receiver.received).toEqual([]);
});

/** Writes the same bytes until the connection is closed. */
const endless = (start: string, text: string) => (socket: Socket) => {
  socket.write(start);
  const write = (): void => void (socket.destroyed || socket.write(text.repeat(100), write));
  write();
};
const invalid = 'The response is not valid HTTP.';
const closed = 'The connection was closed.';
const incomplete = 'No complete response within 0.1 s.';
const informational = (status: number): string => `HTTP/1.1 ${status} X\r\nLink: <a>\r\n\r\n`;

test.for<[what: string, response: string | ((socket: Socket) => unknown), error: string]>([
  ['an upgrade', 'HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n', invalid],
  ['an upgrade without its headers', 'HTTP/1.1 101 X\r\n\r\n', invalid],
  ['the status 099', 'HTTP/1.1 099 X\r\nContent-Length: 0\r\n\r\n', invalid],
  ['the status 600', 'HTTP/1.1 600 X\r\nContent-Length: 0\r\n\r\n', invalid],
  ['a status of four digits', 'HTTP/1.1 2000 X\r\nContent-Length: 0\r\n\r\n', invalid],
  ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n', invalid],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', invalid],
  ['endless 103', endless('', informational(103)), invalid],
  ['the end of the connection', (socket) => socket.end(), closed],
  ['a reset of the connection', (socket) => socket.resetAndDestroy(), closed],
  ['no byte', '', incomplete],
  ['an informational response only', informational(103), incomplete],
  ['headers without an end', 'HTTP/1.1 200 OK\r\nA: b\r\n', incomplete],
  ['an incomplete body', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc', incomplete],
  ['an incomplete chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nabc', incomplete],
])('an attempt fails after %s, and its connection is closed', async ([, response, error]) => {
  await using receiver = await startRawReceiver((socket) =>
    typeof response === 'string' ? socket.write(response) : response(socket),
  );
  const timeout = error === incomplete ? { timeout: 100 } : {};
  expect(await sender(timeout)(receiver.url)).toMatchObject({ ...noStatus, error });
  await vi.waitFor(() => expect(receiver.sockets.size).toBe(0), waitTimeout);
});

test('an attempt reads the beginning of an endless response after a few informational ones', async () => {
  const start = `HTTP/1.1 100 Continue\r\n\r\n${informational(103).repeat(10)}HTTP/1.1 200 OK\r\n\r\n`;
  await using receiver = await startRawReceiver(endless(start, 'x'.repeat(100)));
  const responseBody = 'x'.repeat(1000);
  expect(await sender()(receiver.url)).toMatchObject({ succeeded: true, responseStatus: 200, responseBody });
  await vi.waitFor(() => expect(receiver.sockets.size).toBe(0), waitTimeout);
});

/** Starts a proxy. @param target a port of this machine, which it connects to whatever host a request names; or what responds */
async function startProxy(target: number | ((socket: Duplex) => void)) {
  const requests: { target: string | undefined; authorization: string | undefined }[] = [];
  const sockets = new Set<Duplex>();
  const server = createServer().on('connect', ({ url, headers }, socket: Duplex) => {
    requests.push({ target: url, authorization: headers['proxy-authorization'] });
    socket.on('error', () => {}).once('end', () => socket.end());
    sockets.add(socket.once('close', () => sockets.delete(socket)));
    if (typeof target === 'function') return target(socket);
    const onward = connect(target, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    onward.on('error', () => socket.destroy());
    socket.once('close', () => onward.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, requests, sockets };
}

/** A function that sends webhooks through a proxy. */
function senderThrough({ port }: { port: number }, options: Partial<SenderOptions> = {}) {
  const { send, close } = createSender({
    ...{ allowLoopback: false, userAgent: 'Waybill/1', ca: certificate.cert },
    ...{ resolve: () => expect.unreachable(), proxy: `http://user:p%40ss@127.0.0.1:${port}` },
    ...options,
  });
  onTestFinished(close);
  return (url: string, body = '{}') => send(url, {}, body);
}

const refuse = (socket: Duplex) => void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
const refused = 'The proxy of the service could not reach the host.';

test('a webhook passes encrypted through the proxy, which resolves the name, to the host of the certificate', async () => {
  await using receiver = await startReceiver(undefined, certificate);
  const proxy = await startProxy(receiver.port);
  const send = senderThrough(proxy);
  for (const body of ['{"a":1}', '{"a":2}'])
    expect(await send(hooks, body)).toMatchObject({ succeeded: true, responseStatus: 204, error: undefined });
  expect(receiver.received.map(({ body }) => body)).toEqual(['{"a":1}', '{"a":2}']);
  const authorization = `Basic ${Buffer.from('user:p@ss').toString('base64')}`;
  expect(proxy.requests).toEqual([{ target: 'hooks.example.com:8443', authorization }]); // the connection is used again
  const ofAnother = { ...noStatus, error: expect.stringContaining('certificate') };
  expect(await send('https://other.example.com/')).toMatchObject(ofAnother);
});

test('webhooks to private hosts are refused, and those to this machine sent, without the proxy', async () => {
  await using receiver = await startReceiver();
  const proxy = await startProxy(() => {});
  for (const url of ['https://10.0.0.1/', 'https://169.254.169.254/', 'https://[fd00::1]/', 'https://localhost/'])
    expect((await senderThrough(proxy)(url)).error).toMatch(/^The URL must/);
  expect(await senderThrough(proxy, { allowLoopback: true })(receiver.url)).toMatchObject({ succeeded: true });
  expect(proxy.requests).toEqual([]);
  // A new endpoint is checked without a look-up.
  const check = urlCheck(undefined, false);
  expect(await check(hooks)).toBeUndefined();
  expect(await check('https://10.0.0.1/')).toBe('must not be of a private network');
});

test.for<[what: string, respond: (socket: Duplex) => void, error: string, timeout?: number]>([
  ['refuses the host', refuse, refused],
  ['is silent', () => {}, 'No complete response within 0.2 s.', 200],
  ['closes the connection', (socket) => void socket.destroy(), refused],
])('an attempt fails when the proxy %s, and its error does not name the proxy', async ([, respond, error, timeout]) => {
  const proxy = await startProxy(respond);
  const outcome = await senderThrough(proxy, timeout ? { timeout } : {})(hooks);
  expect(outcome).toMatchObject({ ...noStatus, error });
  await vi.waitFor(() => expect(proxy.sockets.size).toBe(0), waitTimeout);
});

test('WEBHOOK_PROXY is the proxy of the webhooks of the service', async () => {
  const proxy = await startProxy(refuse);
  await using service = await startOwnService({ WEBHOOK_PROXY: `http://127.0.0.1:${proxy.port}` });
  const account = await newAccount(service);
  const { path } = await createEndpoint(account, hooks);
  await newShipment(account);
  const [{ last_attempt }] = await attempted(account, path, 1);
  const result = { url: hooks, error: refused };
  expect(last_attempt).toEqual({ ...result, timestamp: expect.any(String), duration_ms: expect.any(Number) });
  expect(proxy.requests).toEqual([{ target: 'hooks.example.com:8443', authorization: undefined }]);
});
