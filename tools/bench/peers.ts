import type { Environment } from '../chaos/environment.ts';
import { freePort } from '../processes/free-port.ts';
import { startChild } from '../start/child.ts';
import { waitForResponse } from '../start/programs.ts';

/** Operation → the peers that implement it: their name, file in `peers/`, and arguments. */
export const peers = {
  getTracking: [
    ['by hand, two queries, unnamed', 'get-tracking-two-queries', 'unnamed'],
    ['by hand, two queries', 'get-tracking-two-queries', 'named'],
    ['by hand, one query', 'get-tracking-one-query'],
  ],
  createShipment: [['by hand, transaction', 'create-shipment']],
  recordPositions: [['by hand, transaction', 'record-positions']],
} as const;

export type Operation = keyof typeof peers;
export const operations = Object.keys(peers) as Operation[];

/** A server to measure: the service or a peer. */
export interface Server {
  name: string;
  origin: string;
  pid: number;
}

/** Starts the peers of an operation on the database of the service, for one account. */
export async function startPeers(
  { databaseUrl, signal }: Environment,
  operation: Operation,
  accountId: string,
  stack: AsyncDisposableStack,
): Promise<Server[]> {
  return Promise.all(
    peers[operation].map(async ([name, file, ...args]) => {
      const port = await freePort();
      const env = { ACCOUNT_ID: accountId, DATABASE_URL: databaseUrl, NODE_ENV: 'production', PORT: String(port) };
      const child = stack.use(startChild({ name, file: `tools/bench/peers/${file}.ts`, args, env }));
      const origin = `http://127.0.0.1:${port}`;
      await waitForResponse(origin, signal);
      return { name, origin, pid: Number(child.pid) };
    }),
  );
}
