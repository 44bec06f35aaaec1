import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { bodyStreamer, streamLimits } from '@waybill/http/streamed-body';
import { expect, onTestFinished, test } from 'vitest';
import { changeValues } from '../../events/change-times.ts';

// test/events/stream-failures has the time limit of a connection that takes nothing.
test('beyond the limit of bytes that wait, the connection that has waited longest is closed', async () => {
  /** More bytes than the operating system takes for a client that does not read. */
  const large = Buffer.alloc(16 * 1024 * 1024);
  changeValues(streamLimits, { pendingBytes: 1.5 * large.length });
  const send = bodyStreamer();
  const server = createServer((_request, response) => void send(response, (write) => write(large, () => {})));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close().closeAllConnections());
  const open = async () => {
    const requested = once(server, 'request');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
    socket.on('error', () => {}).write('GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
    const [, response] = await requested;
    const countBytes = async (): Promise<number> => {
      await once(socket.resume(), 'close');
      return socket.bytesRead;
    };
    return { closed: once(response, 'close'), countBytes };
  };
  const [first, second] = [await open(), await open()];
  await first.closed;
  expect(await first.countBytes()).toBeLessThan(large.length);
  expect(await second.countBytes()).toBeGreaterThan(large.length);
});
