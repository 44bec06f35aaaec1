import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { bodyStreamer, type StreamedBody } from '@waybill/http/streamed-body';
import { expect, onTestFinished, test } from 'vitest';
import { changeLimits } from '../../events/change-times.ts';

/** More bytes than the operating system takes for a client that does not read. */
const large = Buffer.alloc(16 * 1024 * 1024);

/** Serves a body at each connection. @returns a function that opens a connection, whose client does not read */
async function serve(body: StreamedBody) {
  const send = bodyStreamer();
  const server = createServer((_request, response) => void send(response, body));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close().closeAllConnections());
  return async () => {
    const requested = once(server, 'request');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
    socket.on('error', () => {}).write('GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
    const [, response] = await requested;
    return {
      /** Resolves when the service has closed the connection. */
      closed: once(response, 'close'),
      /** Reads until the end. @returns the number of bytes */
      async read(): Promise<number> {
        socket.resume();
        await once(socket, 'close');
        return socket.bytesRead;
      },
    };
  };
}

test('beyond the limit of bytes that wait, the connection that has waited longest is closed', async () => {
  changeLimits({ pendingBytes: 1.5 * large.length });
  const open = await serve((write) => write(large, () => {}));
  const first = await open();
  const second = await open();
  await first.closed;
  expect(await first.read()).toBeLessThan(large.length);
  expect(await second.read()).toBeGreaterThan(large.length);
});

test('a connection that takes nothing is reported once, and closed after the time limit', async () => {
  changeLimits({ stall: 2500 });
  let reports = 0;
  const open = await serve((write) =>
    write(large, () => {
      reports++;
    }),
  );
  await (await open()).closed;
  expect(reports).toBe(1);
});
