import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { createSender, type SenderOptions } from '@waybill/server/webhooks/send';
import { urlCheck } from '@waybill/server/webhooks/url-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startOwnService } from '../fixtures/own-database.ts';
import { newShipment } from '../fixtures/shipments.ts';
import { newAccount } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { certificate } from './certificate.ts';
import { createEndpoint, deliveries } from './endpoints.ts';
import { startReceiver } from './receiver.ts';

/** A receiver with TLS, which is `hooks.example.com` for who comes through the proxy. */
const startSecureReceiver = () => startReceiver(undefined, certificate);

type OnConnect = (socket: Duplex) => void;

/** Starts a proxy that connects to a port of this machine, whatever host a request names. */
async function startProxy(target: number | OnConnect) {
  const requests: { target: string | undefined; authorization: string | undefined }[] = [];
  const server = createServer();
  const sockets = new Set<Duplex>();
  server.on('connect', ({ url, headers }: IncomingMessage, socket: Duplex) => {
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

/** Sends webhooks through a proxy. Nothing looks a name up. */
function senderThrough({ port }: { port: number }, options: Partial<SenderOptions> = {}) {
  const resolve = vi.fn(async () => ['10.0.0.1']);
  const proxy = `http://user:p%40ss@127.0.0.1:${port}`;
  const sender = createSender({
    allowLoopback: false,
    userAgent: 'Waybill/1',
    ca: certificate.cert,
    resolve,
    proxy,
    ...options,
  });
  onTestFinished(() => sender.close());
  return { send: sender.send, resolve };
}

test('a webhook passes through the proxy, which resolves the name and sees only encrypted bytes', async () => {
  await using receiver = await startSecureReceiver();
  const proxy = await startProxy(receiver.port);
  const { send, resolve } = senderThrough(proxy);
  for (const body of ['{"a":1}', '{"a":2}']) {
    const attempt = await send('https://hooks.example.com:8443/hook', {}, body);
    expect(attempt).toMatchObject({ succeeded: true, responseStatus: 204, error: undefined });
  }
  expect(receiver.received.map(({ body }) => body)).toEqual(['{"a":1}', '{"a":2}']);
  const authorization = `Basic ${Buffer.from('user:p@ss').toString('base64')}`;
  expect(proxy.requests).toEqual([{ target: 'hooks.example.com:8443', authorization }]); // the connection is used again
  expect(resolve).not.toHaveBeenCalled();
});

test('the certificate of the receiver is checked through the proxy', async () => {
  await using receiver = await startSecureReceiver();
  const proxy = await startProxy(receiver.port);
  const attempt = await senderThrough(proxy).send('https://other.example.com/', {}, '{}');
  expect(attempt).toMatchObject({ succeeded: false, responseStatus: undefined });
  expect(attempt.error).toMatch(/certificate/);
});

test.for(['https://10.0.0.1/', 'https://169.254.169.254/', 'https://[fd00::1]/', 'https://localhost/'])(
  'the private host of %s is refused without a request',
  async (url) => {
    const proxy = await startProxy(() => {});
    expect((await senderThrough(proxy).send(url, {}, '{}')).error).toMatch(/^The URL must/);
    expect(proxy.requests).toEqual([]);
  },
);

test.for<[what: string, respond: OnConnect, error: string, timeout?: number]>([
  [
    'refuses the host',
    (socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'),
    'The proxy of the service could not reach the host.',
  ],
  ['is silent', () => {}, 'No complete response within 0.2 s.', 200],
  ['closes the connection', (socket) => socket.destroy(), 'The proxy of the service could not reach the host.'],
])('an attempt fails when the proxy %s, and its error does not name the proxy', async ([, respond, error, timeout]) => {
  const proxy = await startProxy(respond);
  const attempt = await senderThrough(proxy, timeout ? { timeout } : {}).send('https://hooks.example.com/', {}, '{}');
  expect(attempt).toMatchObject({ succeeded: false, responseStatus: undefined, error });
  await vi.waitFor(() => expect(proxy.sockets.size).toBe(0), waitTimeout);
});

test('webhooks to this machine do not pass through the proxy', async () => {
  await using receiver = await startReceiver();
  const proxy = await startProxy(() => {});
  const { send } = senderThrough(proxy, { allowLoopback: true });
  expect(await send(receiver.url, {}, '{}')).toMatchObject({ succeeded: true });
  expect(proxy.requests).toEqual([]);
});

test('the URL of a new endpoint is checked without a look-up when a proxy resolves names', async () => {
  const check = urlCheck(undefined, false);
  expect(await check('https://hooks.example.com/')).toBeUndefined();
  expect(await check('https://10.0.0.1/')).toBe('must not be of a private network');
});

test('WEBHOOK_PROXY is the proxy of the webhooks of the service', async () => {
  const proxy = await startProxy((socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'));
  await using service = await startOwnService({ WEBHOOK_PROXY: `http://127.0.0.1:${proxy.port}` });
  const account = await newAccount(service);
  const { path } = await createEndpoint(account, 'https://hooks.example.com:8443/hook');
  await newShipment(account);
  const [failed] = await deliveries(account, path, ([only]) => only?.attempts === 1);
  const url = 'https://hooks.example.com:8443/hook';
  const error = 'The proxy of the service could not reach the host.';
  expect(failed?.last_attempt).toEqual({ url, timestamp: expect.any(String), duration_ms: expect.any(Number), error });
  expect(proxy.requests).toEqual([{ target: 'hooks.example.com:8443', authorization: undefined }]);
});
