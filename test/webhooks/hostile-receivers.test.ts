import type { Socket } from 'node:net';
import { createSender } from '@waybill/server/webhooks/send';
import { expect, onTestFinished, test, vi } from 'vitest';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { startRawReceiver } from './receiver.ts';

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
  expect(attempt).toMatchObject({ succeeded: false, status: undefined, error: 'The response is not valid HTTP.' });
  await vi.waitFor(() => expect(sockets.size).toBe(0), waitTimeout);
});

test('a receiver that closes the connection without a response fails the attempt', async () => {
  for (const close of [(socket: Socket) => socket.end(), (socket: Socket) => socket.resetAndDestroy()]) {
    expect((await attemptWith(close)).attempt).toMatchObject({
      status: undefined,
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
  expect(attempt).toMatchObject({ succeeded: false, status: undefined, error });
  await vi.waitFor(() => expect(sockets.size).toBe(0), waitTimeout);
});

test('a few informational responses before the response do not fail the attempt', async () => {
  const { attempt } = await attemptWith((socket) => {
    const hints = 'HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n'.repeat(10);
    socket.write(`HTTP/1.1 100 Continue\r\n\r\n${hints}HTTP/1.1 204 No Content\r\n\r\n`);
  });
  expect(attempt).toMatchObject({ succeeded: true, status: 204 });
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
