import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import { startProxy } from './proxy.ts';

/** An echo server, which also records the received text. */
async function echo() {
  let received = '';
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      received += bytes;
      socket.write(bytes);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    received: () => received,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** A client connection; `ended` resolves with `end` or an error code. */
function open(port: number) {
  const socket = connect(port, '127.0.0.1');
  const ended = new Promise<string>((resolve) => {
    socket.once('error', (error) => resolve('code' in error ? String(error.code) : error.message));
    socket.once('end', () => resolve('end'));
  });
  let received = '';
  socket.on('data', (bytes) => {
    received += bytes;
  });
  return {
    socket,
    ended,
    text: () => received,
    async exchange(text: string) {
      socket.write(text);
      while (!received.endsWith(text)) await once(socket, 'data');
    },
  };
}

test('the proxy forwards data and the end of a connection in order, with and without a delay', async () => {
  await using server = await echo();
  await using proxy = await startProxy(server.port);
  const client = open(proxy.port);
  await client.exchange('one');
  await proxy.set({ kind: 'delay', ms: 50 });
  client.socket.write('two');
  await proxy.set({ kind: 'none' });
  await client.exchange('three');
  expect(client.text()).toBe('onetwothree');
  client.socket.end('four');
  expect(await client.ended).toBe('end');
  expect(client.text()).toBe('onetwothreefour');
});

test('cut resets open connections at once and new ones at their first byte, until the fault changes', async () => {
  await using server = await echo();
  await using proxy = await startProxy(server.port);
  const old = open(proxy.port);
  await old.exchange('one');
  await proxy.set({ kind: 'cut' });
  expect(await old.ended).toBe('ECONNRESET');
  const cut = open(proxy.port);
  await once(cut.socket, 'connect');
  cut.socket.write('two');
  expect(await cut.ended).toBe('ECONNRESET');
  await proxy.set({ kind: 'none' });
  await open(proxy.port).exchange('three');
  expect(server.received()).toBe('onethree');
});

test('refuse resets open connections and refuses new ones, and the port stays the same afterwards', async () => {
  await using server = await echo();
  await using proxy = await startProxy(server.port);
  const old = open(proxy.port);
  await old.exchange('one');
  await proxy.set({ kind: 'refuse' });
  expect(await old.ended).toBe('ECONNRESET');
  expect(await open(proxy.port).ended).toBe('ECONNREFUSED');
  await proxy.set({ kind: 'none' });
  await open(proxy.port).exchange('two');
});

test('black hole silences connections that are used or opened during it, and no others', async () => {
  await using server = await echo();
  await using proxy = await startProxy(server.port);
  const [used, idle] = [open(proxy.port), open(proxy.port)];
  await used.exchange('one');
  await idle.exchange('two');
  await proxy.set({ kind: 'black hole' });
  const opened = open(proxy.port);
  await once(opened.socket, 'connect');
  for (const { socket } of [used, opened]) socket.write('lost');
  await vi.waitFor(() => expect(proxy.lost).toBe(2), { timeout: 30_000, interval: 1 });
  expect(proxy.connections).toBe(3);
  await proxy.set({ kind: 'none' });
  used.socket.write('late');
  opened.socket.write('late');
  await idle.exchange('three');
  expect([used.text(), opened.text(), server.received()]).toEqual(['one', '', 'onetwothree']);
  expect([used, opened].map(({ socket }) => socket.destroyed)).toEqual([false, false]);
});
