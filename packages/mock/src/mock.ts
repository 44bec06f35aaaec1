import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basePath, createEngine } from './engine.ts';
import { answer } from './server.ts';

/** Where the mock listens. */
export interface MockOptions {
  /** 0, the default, takes a free one. */
  port?: number | undefined;
  /** 127.0.0.1 when absent. */
  host?: string | undefined;
}

/** A running mock. */
export interface Mock {
  /** Its base URL with the major version, ready to be a client's `baseUrl`. */
  url: string;
  /** Ends open connections and frees the port. */
  close(): Promise<void>;
}

/**
 * Starts a service that answers every operation with the contract's own examples. It keeps nothing: what is created is
 * not found in a list later.
 *
 * It refuses what the contract refuses: a call without a key (401) and a request that breaks the schemas (400). A
 * caller chooses among the documented answers: `Prefer: code=404`, `Prefer: example=ShipmentDelivered`, or both,
 * separated by a comma. Rejects with the system's error when the port is taken (`EADDRINUSE`).
 */
export async function startMock({ port = 0, host = '127.0.0.1' }: MockOptions = {}): Promise<Mock> {
  const engine = await createEngine();
  const server = createServer((request, response) => {
    answer(engine, request, response).catch((error) => response.destroy(error));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
  // A server that listens on a port has an address with one.
  const { port: taken } = server.address() as AddressInfo;
  const name = host.includes(':') ? `[${host}]` : host;
  return {
    url: `http://${name}:${taken}${basePath}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
