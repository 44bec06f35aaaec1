import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

interface Connection {
  /** Requests whose responses are not finished. */
  requests: Set<IncomingMessage>;
  /** Bytes that had been read when the last response was finished. */
  bytesRead: number;
}

/** The open connections of a server. Node knows them too, but not which of them wait for nothing. */
export interface Connections {
  /** Resolves when none is open, or after so many milliseconds. */
  empty(timeout: number): Promise<void>;
  /** Closes those on which nothing was sent since the last response, also those on which nothing was ever sent. */
  closeIdle(): void;
  /** Closes all. @returns how many there were */
  closeAll(): number;
}

/** Milliseconds between two looks. */
const interval = 20;

export function trackConnections(server: Server): Connections {
  const open = new Map<Socket, Connection>();
  server.on('connection', (socket: Socket) => {
    open.set(socket, { requests: new Set(), bytesRead: 0 });
    socket.once('close', () => open.delete(socket));
  });
  server.on('request', (request, response) => {
    const { socket } = request;
    const connection = open.get(socket);
    connection?.requests.add(request);
    response.once('close', () => {
      connection?.requests.delete(request);
      if (connection) connection.bytesRead = socket.bytesRead;
    });
  });
  const isIdle = (socket: Socket, { requests, bytesRead }: Connection): boolean =>
    requests.size === 0 && socket.bytesRead === bytesRead;

  return {
    async empty(timeout) {
      const deadline = performance.now() + timeout;
      while (open.size > 0 && performance.now() < deadline) {
        await new Promise((resolve) => setTimeout(resolve, Math.min(interval, timeout)));
      }
    },
    closeIdle() {
      for (const [socket, connection] of open) if (isIdle(socket, connection)) socket.destroy();
    },
    closeAll() {
      const { size } = open;
      for (const socket of open.keys()) socket.destroy();
      return size;
    },
  };
}
