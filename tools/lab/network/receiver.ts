import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Starts an HTTP server, such as a receiver of webhooks, on a free port of 127.0.0.1. Disposal ends it and closes its connections. */
export async function startReceiver(receive: RequestListener): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer(receive).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.close().closeAllConnections();
    },
  };
}
