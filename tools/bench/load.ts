import { Pool } from 'undici';

/** A request as the load sends it. */
export interface Shot {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
}

export interface Result {
  requests: number;
  seconds: number;
  /** Answers that were not 2xx, by their status. */
  failures: Record<string, number>;
  /** Milliseconds of each request, in rising order. */
  latencies: number[];
}

/**
 * Sends requests over so many connections, on each the next when the one before is answered.
 * @param next makes a connection's next request; undefined ends that connection
 */
export async function shoot(
  origin: string,
  connections: number,
  next: (connection: number) => Shot | undefined,
): Promise<Result> {
  await using stack = new AsyncDisposableStack();
  const pool = stack.adopt(new Pool(origin, { connections, pipelining: 1, headersTimeout: 30_000 }), (it) =>
    it.close(),
  );
  const latencies: number[] = [];
  const failures: Record<string, number> = {};
  const start = performance.now();
  const fire = async (connection: number): Promise<void> => {
    for (let shot = next(connection); shot; shot = next(connection)) {
      const sent = performance.now();
      const { statusCode, body } = await pool.request(shot);
      await body.dump();
      latencies.push(performance.now() - sent);
      if (statusCode >= 300) failures[statusCode] = (failures[statusCode] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, connection) => fire(connection)));
  const seconds = (performance.now() - start) / 1000;
  return { requests: latencies.length, seconds, failures, latencies: latencies.sort((a, b) => a - b) };
}

/** The latency that this share of the requests, of 1, did not exceed. */
export const percentile = (latencies: number[], share: number): number =>
  latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? Number.NaN;
