import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, vi } from 'vitest';
import { waitTimeout } from '../fixtures/wait-timeout.ts';

/** Opens a raw connection, which records everything that the server sends. */
export async function connectTo(url: string) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setEncoding('latin1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => {}); // a connection may also end with a reset
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await once(socket, 'connect');
  return {
    socket,
    received: () => text,
    /** Resolves when the server has sent so many status lines. */
    responses: (count: number) =>
      vi.waitFor(() => expect(text.split('HTTP/1.1 ').length - 1, text).toBe(count), waitTimeout),
    /** Resolves when the connection is closed. */
    closed,
  };
}

/** The head of a PUT request. */
export const putHead = (url: string, headers: Record<string, string | number>): string => {
  const { host, pathname } = new URL(url);
  const fields = Object.entries({ host, 'content-type': 'image/png', ...headers });
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`);
  return `PUT ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n`;
};
