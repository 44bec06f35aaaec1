import { createServer } from 'node:http';
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
import { attempted, createEndpoint } from './endpoints.ts';
import { startReceiver } from './receiver.ts';

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

const hooks = 'https://hooks.example.com:8443/hook';
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
  const error = expect.stringContaining('certificate');
  expect(await send('https://other.example.com/')).toMatchObject({
    succeeded: false,
    responseStatus: undefined,
    error,
  });
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
  expect(outcome).toMatchObject({ succeeded: false, responseStatus: undefined, error });
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
