import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { httpServerFactory } from '@waybill/http/server';
import { expect, test } from 'vitest';

test('the server closes the connection of a client that does not read its response', async () => {
  const size = 10 * 1024 * 1024;
  const limits = { requestTimeout: 100, maxConnections: 1 };
  const server = httpServerFactory(limits)((_request, response) => response.end(Buffer.alloc(size)));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
  const [accepted] = (await once(server, 'connection')) as [Socket];
  await once(accepted, 'close');
  expect((await buffer(socket)).length).toBeLessThan(size);
  server.close();
});
