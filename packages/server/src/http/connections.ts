import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

interface Connection {
  /** Requests whose responses are not finished. */
  requests: Set<IncomingMessage>;
  /** Bytes that had been read when the last response was finished. */
  bytesRead: number;
}

/** The open connections of a server. Node tracks them too, but does not expose which of them are idle. */
export interface Connections {
  /** Closes the connections on which no byte has arrived since the last response, or since they were opened. */
  closeIdle(): void;
  /** Closes all connections and returns their number. */
  closeAll(): number;
}

/** Tracks the connections that a server accepts from now on. */
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
