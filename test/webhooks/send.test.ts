import type { Socket } from 'node:net';
import { createSender, type SenderOptions } from '@waybill/server/webhooks/send';
import { expect, onTestFinished, test, vi } from 'vitest';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { startRawReceiver, startReceiver } from './receiver.ts';

const sender = (options: Partial<SenderOptions> = {}) => {
  const made = createSender({ allowLoopback: true, userAgent: 'Waybill/1', resolve: async () => [], ...options });
  onTestFinished(() => made.close());
  return made;
};
const headers = { 'webhook-id': 'evt_1' };

test('an attempt sends JSON by POST and succeeds with any 2xx', async () => {
  for (const status of [200, 201, 204, 299]) {
    await using receiver = await startReceiver(status);
    const attempt = await sender().send(receiver.url, headers, '{"a":"é"}');
    expect(attempt).toMatchObject({ succeeded: true, responseStatus: status, error: undefined });
    expect(receiver.received).toMatchObject([
      {
        method: 'POST',
        url: '/hook',
        body: '{"a":"é"}',
        headers: {
          'content-type': 'application/json',
          'content-length': '10',
          'user-agent': 'Waybill/1',
          'webhook-id': 'evt_1',
        },
      },
    ]);
  }
});

test('an attempt fails with every other status, and its response body is stored', async () => {
  for (const status of [400, 410, 429, 500, 503]) {
    await using receiver = await startReceiver((response) => response.writeHead(status).end('no\0t\ud83d now'));
    expect(await sender().send(receiver.url, headers, '{}')).toMatchObject({
      succeeded: false,
      responseStatus: status,
    });
    expect((await sender().send(receiver.url, headers, '{}')).responseBody).toMatch(/^not/);
  }
});

test.for<[value: string, milliseconds: number | undefined]>([
  ['120', 120_000],
  ['0', 0],
  ['Mon, 02 Mar 2026 12:01:00 GMT', 60_000],
  ['Monday, 02-Mar-26 12:01:00 GMT', 60_000],
  ['Mon Mar  2 12:01:00 2026', 60_000],
  ['Mon, 02 Mar 2026 11:59:00 GMT', undefined],
  ['-5', undefined],
  ['1.5', undefined],
  ['2026-03-02T12:01:00Z', undefined],
  ['soon', undefined],
])('an attempt reads the Retry-After %s as %s ms', async ([value, milliseconds]) => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-02T12:00:00Z') });
  onTestFinished(() => void vi.useRealTimers());
  await using receiver = await startReceiver((response) => response.writeHead(429, { 'retry-after': value }).end());
  expect((await sender().send(receiver.url, headers, '{}')).retryAfter).toBe(milliseconds);
});

test('an attempt on an idle connection that the receiver has closed goes on with another connection', async () => {
  await using receiver = await startReceiver((response, _webhook, count) =>
    count === 2 ? response.destroy() : response.writeHead(204).end(),
  );
  const { send } = sender();
  for (let count = 0; count < 2; count++) {
    expect(await send(receiver.url, headers, '{}')).toMatchObject({ succeeded: true });
  }
  expect(receiver.received).toHaveLength(3);
});

test('an attempt follows no redirect', async () => {
  await using target = await startReceiver();
  for (const status of [301, 302, 303, 307, 308]) {
    await using receiver = await startReceiver((response) =>
      response.writeHead(status, { location: target.url }).end(),
    );
    expect(await sender().send(receiver.url, headers, '{}')).toMatchObject({
      succeeded: false,
      responseStatus: status,
    });
  }
  expect(target.received).toEqual([]);
});

test('an attempt reads the beginning of an endless response and closes the connection', async () => {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  await using receiver = await startReceiver((response) => {
    response.writeHead(200).once('close', resolve);
    const write = (): void => {
      if (!response.destroyed) response.write('x'.repeat(10_000), write);
    };
    write();
  });
  const attempt = await sender().send(receiver.url, headers, '{}');
  expect(attempt).toMatchObject({ succeeded: true, responseStatus: 200, responseBody: 'x'.repeat(1000) });
  await closed;
});

test('an attempt fails without a connection', async () => {
  const receiver = await startReceiver();
  await receiver[Symbol.asyncDispose]();
  const attempt = await sender().send(receiver.url, headers, '{}');
  expect(attempt).toMatchObject({ succeeded: false, responseStatus: undefined, error: 'The connection was refused.' });
});

test('a name that has the address of this machine only when it is connected is refused', async () => {
  await using receiver = await startReceiver();
  const resolve = async () => ['127.0.0.1']; // after registration
  const attempt = await sender({ allowLoopback: false, resolve }).send(
    `https://hooks.example.com:${receiver.port}/`,
    headers,
    '{}',
  );
  expect(attempt).toMatchObject({ succeeded: false, responseStatus: undefined });
  expect(attempt.error).toBe('hooks.example.com has an IP address of a private network');
  expect(receiver.received).toEqual([]);
});

test('each connection resolves the name again', async () => {
  const answers = [['93.184.215.14'], ['169.254.169.254'], ['127.0.0.1']];
  const resolve = async () => answers.shift() ?? [];
  const { send } = sender({ allowLoopback: false, resolve, timeout: 50 });
  // The first one connects to a public address, which this test does not reach.
  expect((await send('https://hooks.example.com/', headers, '{}')).error).not.toMatch(/private/);
  for (let time = 0; time < 2; time++) {
    expect((await send('https://hooks.example.com/', headers, '{}')).error).toMatch(/private/);
  }
});

/** Sends one webhook to a receiver that writes these bytes. */
async function attemptWith(respond: (socket: Socket) => void, timeout?: number) {
  const sender = createSender({ allowLoopback: true, userAgent: 'Waybill/1', ...(timeout && { timeout }) });
  onTestFinished(() => sender.close());
  await using receiver = await startRawReceiver(respond);
  const attempt = await sender.send(receiver.url, {}, '{}');
  return { attempt, sockets: receiver.sockets };
}

test.for<[what: string, head: string]>([
  ['an upgrade', 'HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'],
  ['an upgrade without its headers', 'HTTP/1.1 101 X\r\n\r\n'],
  ['the status 000', 'HTTP/1.1 000 X\r\nContent-Length: 0\r\n\r\n'],
  ['the status 099', 'HTTP/1.1 099 X\r\nContent-Length: 0\r\n\r\n'],
  ['the status 600', 'HTTP/1.1 600 X\r\nContent-Length: 0\r\n\r\n'],
  ['the status 999', 'HTTP/1.1 999 X\r\nContent-Length: 0\r\n\r\n'],
  ['a status of four digits', 'HTTP/1.1 2000 X\r\nContent-Length: 0\r\n\r\n'],
  ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n'],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
])('a receiver that responds with %s fails the attempt without a status', async ([, head]) => {
  const { attempt, sockets } = await attemptWith((socket) => socket.write(head));
  expect(attempt).toMatchObject({
    succeeded: false,
    responseStatus: undefined,
    error: 'The response is not valid HTTP.',
  });
  await vi.waitFor(() => expect(sockets.size).toBe(0), waitTimeout);
});

test('a receiver that closes the connection without a response fails the attempt', async () => {
  for (const close of [(socket: Socket) => socket.end(), (socket: Socket) => socket.resetAndDestroy()]) {
    expect((await attemptWith(close)).attempt).toMatchObject({
      responseStatus: undefined,
      error: 'The connection was closed.',
    });
  }
});

test.for([100, 102, 103, 199])('endless informational responses %i fail the attempt', async (status) => {
  const informational = `HTTP/1.1 ${status} X\r\nLink: <a>\r\n\r\n`;
  const { attempt, sockets } = await attemptWith((socket) => {
    const write = (): void => {
      if (!socket.destroyed) socket.write(informational.repeat(100), write);
    };
    write();
  });
  const error = 'The response is not valid HTTP.';
  expect(attempt).toMatchObject({ succeeded: false, responseStatus: undefined, error });
  await vi.waitFor(() => expect(sockets.size).toBe(0), waitTimeout);
});

test('a few informational responses before the response do not fail the attempt', async () => {
  const { attempt } = await attemptWith((socket) => {
    const hints = 'HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n'.repeat(10);
    socket.write(`HTTP/1.1 100 Continue\r\n\r\n${hints}HTTP/1.1 204 No Content\r\n\r\n`);
  });
  expect(attempt).toMatchObject({ succeeded: true, responseStatus: 204 });
});

test.for<[what: string, head: string]>([
  ['no byte', ''],
  ['an incomplete status line', 'HTTP/1.1 2'],
  ['an informational response only', 'HTTP/1.1 103 X\r\n\r\n'],
  ['headers without an end', 'HTTP/1.1 200 OK\r\nA: b\r\n'],
  ['an incomplete body', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc'],
  ['an incomplete chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nabc'],
])('an attempt ends by its own timer after %s', async ([, head]) => {
  const { attempt, sockets } = await attemptWith((socket) => socket.write(head), 100);
  expect(attempt).toMatchObject({ succeeded: false, error: 'No complete response within 0.1 s.' });
  await vi.waitFor(() => expect(sockets.size).toBe(0), waitTimeout);
});
