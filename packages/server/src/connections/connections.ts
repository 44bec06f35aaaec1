import type { Server, ServerResponse } from 'node:http';
import type { Socket, Server as TcpServer } from 'node:net';
import { setImmediate, setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { clientAddress } from './client-address.ts';

interface Connection {
  /** Responses that are not finished. */
  responses: Set<ServerResponse>;
  /** Bytes that had been read when the last response was finished. */
  bytesRead: number;
}

/** The open connections of a server. Node tracks them too, but does not expose which of them are idle. */
interface Connections {
  /** Lets each response close its connection from now on. */
  closeWithResponses(): void;
  /** Closes the connections on which no byte has arrived since the last response, or since they were opened. */
  closeIdle(): void;
  /** Closes all connections and returns their number. */
  closeAll(): number;
}

/** Tracks the connections that a server accepts from now on. */
function trackConnections(server: Server): Connections {
  const open = new Map<Socket, Connection>();
  let isClosing = false;
  server.on('connection', (socket: Socket) => {
    open.set(socket, { responses: new Set(), bytesRead: 0 });
    socket.once('close', () => open.delete(socket));
  });
  server.on('request', (request, response) => {
    const { socket } = request;
    const connection = open.get(socket);
    connection?.responses.add(response);
    if (isClosing) closeAfter(response);
    response.once('close', () => {
      connection?.responses.delete(response);
      if (connection) connection.bytesRead = socket.bytesRead;
    });
  });
  const isIdle = (socket: Socket, { responses, bytesRead }: Connection): boolean =>
    responses.size === 0 && socket.bytesRead === bytesRead;

  return {
    closeWithResponses() {
      isClosing = true;
      for (const { responses } of open.values()) responses.forEach(closeAfter);
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

/** Lets a response close its connection, unless its headers were sent. */
function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}

/**
 * Closes new connections of an IP address that has `max` open ones, so that one client cannot use all connections of the
 * service. Connections of trusted proxies are not counted, because they serve many clients.
 */
export function limitConnectionsPerAddress(
  server: TcpServer,
  max: number,
  isTrusted: (address: string) => boolean,
): void {
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    const { remoteAddress = '' } = socket;
    if (isTrusted(remoteAddress)) return;
    const address = clientAddress({ ip: remoteAddress });
    const count = (open.get(address) ?? 0) + 1;
    if (count > max) return void socket.destroy();
    open.set(address, count);
    socket.once('close', () => {
      const remaining = (open.get(address) ?? 0) - 1;
      if (remaining > 0) open.set(address, remaining);
      else open.delete(address);
    });
  });
}

/** Milliseconds between two attempts to close idle connections, and between two looks at the clock. */
const closeInterval = 20;

interface Timeouts {
  /** Milliseconds for which a closing app still accepts connections and requests. */
  drain: number;
  /** Milliseconds after that in which running and half-sent requests can finish. */
  timeout: number;
}

/**
 * Delays the close of an app so that no request is lost. While it drains, /health/ready fails, load balancers stop
 * sending requests, and each response closes its connection. Idle connections are closed only after that, because a
 * client may be about to send a request on one.
 * @returns a function that returns whether the app is closing
 */
export function drainOnClose(app: FastifyInstance, { drain, timeout }: Timeouts): () => boolean {
  let isClosing = false;
  const connections = trackConnections(app.server);
  app.addHook('preClose', async () => {
    isClosing = true;
    connections.closeWithResponses();
    if (!app.server.listening) return; // the server would never emit `close`, and the timers would keep the process running
    // Not only while connections are open: a load balancer may be about to open one.
    const end = performance.now() + drain;
    while (performance.now() < end) await wait(Math.min(closeInterval, drain));
    const timers = [
      setInterval(() => connections.closeIdle(), closeInterval),
      setTimeout(() => {
        const count = connections.closeAll();
        if (count > 0) app.log.warn({ count }, 'closed connections with unfinished requests');
      }, timeout),
    ];
    app.server.once('close', () => timers.forEach(clearTimeout));
    await setImmediate(); // connections in the accept queue are accepted first, and not refused
  });
  return () => isClosing;
}
