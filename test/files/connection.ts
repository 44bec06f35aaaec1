import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, vi } from 'vitest';
import { waitTimeout } from '../fixtures/wait-timeout.ts';

/** A raw connection that records everything the server sends. */
export interface Connection {
  socket: Socket;
  received(): string;
  /** Resolves when the server has sent so many complete responses' status lines. */
  responses(count: number): Promise<void>;
  /** Resolves when the server has closed the connection. */
  closed: Promise<unknown>;
}

export async function connectTo(url: string): Promise<Connection> {
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
    responses: (count) => vi.waitFor(() => expect(text.split('HTTP/1.1 ').length - 1, text).toBe(count), waitTimeout),
    closed,
  };
}

/** The head of a PUT request. */
export const putHead = (url: string, headers: Record<string, string | number>): string => {
  const { host, pathname } = new URL(url);
  const lines = Object.entries({ host, 'content-type': 'image/png', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `PUT ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n`;
};
