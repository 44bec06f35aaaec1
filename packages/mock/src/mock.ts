import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basePath, createEngine } from './engine.ts';
import { handle } from './server.ts';

/** The options of the mock. */
export interface MockOptions {
  /** Default: 0, a free port. */
  port?: number | undefined;
  /** Default: 127.0.0.1. */
  host?: string | undefined;
}

/** A running mock. */
export interface Mock {
  /** The base URL with the major version, for the `baseUrl` of a client. */
  url: string;
  /** Closes all connections and frees the port. */
  close(): Promise<void>;
}

/**
 * Starts a server that returns the examples of the contract for every operation. It stores nothing.
 *
 * It returns 401 for a request without a key and 400 for a request that violates the schemas. `Prefer` selects a response:
 * `Prefer: code=404`, `Prefer: example=ShipmentDelivered`, or both, separated by a comma.
 * @throws the error of the system, for example `EADDRINUSE` when the port is in use
 */
export async function startMock({ port = 0, host = '127.0.0.1' }: MockOptions = {}): Promise<Mock> {
  const engine = await createEngine();
  const server = createServer((request, response) => {
    handle(engine, request, response).catch((error) => response.destroy(error));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
  const { port: actualPort } = server.address() as AddressInfo;
  const name = host.includes(':') ? `[${host}]` : host;
  return {
    url: `http://${name}:${actualPort}${basePath}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
