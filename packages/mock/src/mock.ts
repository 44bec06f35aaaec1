import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createEngine } from './engine.ts';
import { basePath } from './routes.ts';
import { handle } from './server.ts';

/** The options of the mock. */
export interface MockOptions {
  /** Default: 0, a free port. */
  port?: number | undefined;
  /** Default: 127.0.0.1. */
  host?: string | undefined;
  /** Stores what requests change, until the mock is closed, and sends webhooks to this machine. Default: false. */
  stateful?: boolean | undefined;
  /** How many shipments are stored; for another one the oldest is removed. Default: 1000. */
  maxShipments?: number | undefined;
  /** The least and the most milliseconds before a response. Default: none. */
  delay?: [number, number] | undefined;
  /** The share of requests that return 429, 500 or 503, from 0 to 1. Default: 0. */
  errors?: number | undefined;
  /** Seconds after which a stream of events ends. Default: 300. */
  streamSeconds?: number | undefined;
  /** Receives a line for each request. Default: none. */
  log?: ((line: string) => void) | undefined;
}

/** A running mock. */
export interface Mock {
  /** The base URL with the major version, for the `baseUrl` of a client. */
  url: string;
  /** Closes all connections, ends the sending of webhooks and frees the port. */
  close(): Promise<void>;
}

/**
 * Starts a server that returns the examples of the contract, with what the request sent. It refuses the requests that the
 * service refuses.
 *
 * `Prefer` selects a response: `Prefer: code=404`, `Prefer: example=ShipmentDelivered`, or both, separated by a comma.
 * @throws the error of the system, for example `EADDRINUSE` when the port is in use
 */
export async function startMock(options: MockOptions = {}): Promise<Mock> {
  const { port = 0, host = '127.0.0.1', delay = [0, 0], log = () => {} } = options;
  const { stateful = false, maxShipments = 1000, errors = 0, streamSeconds = 300 } = options;
  const closing = new AbortController();
  const engine = createEngine({ stateful, maxShipments, errors, signal: closing.signal });
  const server = createServer((request, response) => {
    handle(engine, request, response, { delay, log, streamSeconds }).catch((error) => response.destroy(error));
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
        closing.abort();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
