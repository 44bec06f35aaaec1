import { Pool } from 'undici';

/** One request of a load. */
export interface LoadRequest {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
}

export interface Result {
  requests: number;
  seconds: number;
  /** Numbers of responses other than 2xx, by status. */
  failures: Record<string, number>;
  /** Milliseconds of each request, ascending. */
  latencies: number[];
}

/**
 * Sends requests over a number of connections, one at a time on each.
 * @param next returns the next request of a connection; undefined ends the connection
 */
export async function sendLoad(
  origin: string,
  connections: number,
  next: (connection: number) => LoadRequest | undefined,
): Promise<Result> {
  await using stack = new AsyncDisposableStack();
  const pool = stack.adopt(new Pool(origin, { connections, pipelining: 1, headersTimeout: 30_000 }), (it) =>
    it.close(),
  );
  const latencies: number[] = [];
  const failures: Record<string, number> = {};
  const start = performance.now();
  const sendAll = async (connection: number): Promise<void> => {
    for (let request = next(connection); request; request = next(connection)) {
      const sent = performance.now();
      const { statusCode, body } = await pool.request(request);
      await body.dump();
      latencies.push(performance.now() - sent);
      if (statusCode >= 300) failures[statusCode] = (failures[statusCode] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, connection) => sendAll(connection)));
  const seconds = (performance.now() - start) / 1000;
  return { requests: latencies.length, seconds, failures, latencies: latencies.sort((a, b) => a - b) };
}

/** @param share from 0 to 1; 0.99 returns the p99 */
export const percentile = (latencies: number[], share: number): number =>
  latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? Number.NaN;
