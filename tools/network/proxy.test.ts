import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import { startProxy } from './proxy.ts';

/** A server that sends everything back, and the text that it has received. */
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

/** A client's end of a connection: `ended` is how it ended. */
function open(port: number) {
  const socket = connect(port, '127.0.0.1');
  const ended = new Promise<string>((resolve) => {
    socket.once('error', (error) => resolve('code' in error ? String(error.code) : error.message));
    socket.once('end', () => resolve('end'));
  });
  let text = '';
  socket.on('data', (bytes) => {
    text += bytes;
  });
  return {
    socket,
    ended,
    text: () => text,
    async says(words: string) {
      socket.write(words);
      while (!text.endsWith(words)) await once(socket, 'data');
    },
  };
}

test('the proxy passes bytes and the end of a connection on, in order, also when it delays them', async () => {
  await using server = await echo();
  await using proxy = await startProxy(server.port);
  const client = open(proxy.port);
  await client.says('one');
  await proxy.set({ kind: 'delay', ms: 50 });
  client.socket.write('two');
  await proxy.set({ kind: 'none' });
  await client.says('three');
  expect(client.text()).toBe('onetwothree');
  client.socket.end('four');
  expect(await client.ended).toBe('end');
  expect(client.text()).toBe('onetwothreefour');
});

test('a cut resets old connections at once, new ones by their first byte, and ends with the next fault', async () => {
  await using server = await echo();
  await using proxy = await startProxy(server.port);
  const old = open(proxy.port);
  await old.says('one');
  await proxy.set({ kind: 'cut' });
  expect(await old.ended).toBe('ECONNRESET');
  const cut = open(proxy.port);
  await once(cut.socket, 'connect');
  cut.socket.write('two');
  expect(await cut.ended).toBe('ECONNRESET');
  await proxy.set({ kind: 'none' });
  await open(proxy.port).says('three');
  expect(server.received()).toBe('onethree');
});

test('a proxy that refuses connections resets old ones, and takes new ones afterwards on the same port', async () => {
  await using server = await echo();
  await using proxy = await startProxy(server.port);
  const old = open(proxy.port);
  await old.says('one');
  await proxy.set({ kind: 'refuse' });
  expect(await old.ended).toBe('ECONNRESET');
  expect(await open(proxy.port).ended).toBe('ECONNREFUSED');
  await proxy.set({ kind: 'none' });
  await open(proxy.port).says('two');
});

test('a black hole silences the connections that were used or made in it for good, and no others', async () => {
  await using server = await echo();
  await using proxy = await startProxy(server.port);
  const [used, idle] = [open(proxy.port), open(proxy.port)];
  await used.says('one');
  await idle.says('two');
  await proxy.set({ kind: 'black hole' });
  const made = open(proxy.port);
  await once(made.socket, 'connect');
  for (const { socket } of [used, made]) socket.write('lost');
  await vi.waitFor(() => expect(proxy.lost).toBe(2), { timeout: 30_000, interval: 1 });
  expect(proxy.connections).toBe(3);
  await proxy.set({ kind: 'none' });
  used.socket.write('late');
  made.socket.write('late');
  await idle.says('three');
  expect([used.text(), made.text(), server.received()]).toEqual(['one', '', 'onetwothree']);
  expect([used, made].map(({ socket }) => socket.destroyed)).toEqual([false, false]);
});
