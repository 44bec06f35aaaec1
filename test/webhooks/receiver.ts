import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request that a receiver got. */
export interface ReceivedWebhook {
  method: string | undefined;
  url: string | undefined;
  headers: Record<string, string>;
  body: string;
}

type Respond = (response: ServerResponse, webhook: ReceivedWebhook, count: number) => void;

/** Starts a receiver of webhooks on this machine. @param respond or a status @param tls its certificate, for HTTPS */
export async function startReceiver(respond: Respond | number = 204, tls?: { key: string; cert: string }) {
  /** In the order of arrival. */
  const received: ReceivedWebhook[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    const { method, url } = request;
    const webhook = { method, url, headers: request.headers as Record<string, string>, body };
    received.push(webhook);
    if (typeof respond === 'number') response.writeHead(respond).end();
    else respond(response, webhook, received.length);
  };
  return { received, ...(await listen(tls ? createTlsServer(tls, receive) : createServer(receive))) };
}

/** Starts a receiver that returns 204 to all requests but one. @param nth that request, which the test responds to */
export async function startHoldingReceiver(nth: number) {
  const { promise: held, resolve } = Promise.withResolvers<ServerResponse>();
  const receiver = await startReceiver((response, _webhook, count) => {
    if (count === nth) resolve(response);
    else response.writeHead(204).end();
  });
  return { ...receiver, held };
}

/** Starts a receiver that is not bound to HTTP. @param respond gets the connection of each request, after its first bytes */
export const startRawReceiver = (respond: (socket: Socket) => void) =>
  listen(createTcpServer((socket) => void socket.once('data', () => respond(socket))));

async function listen(server: Server) {
  /** Open connections. */
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('error', () => {}).once('close', () => sockets.delete(socket)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    ...{ sockets, port, url: `http://127.0.0.1:${port}/hook` },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
