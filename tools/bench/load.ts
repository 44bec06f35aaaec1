import { setTimeout } from 'node:timers/promises';
import { type Dispatcher, Pool } from 'undici';

export type LoadRequest = Dispatcher.RequestOptions;

/** How often each status was returned; 0 is a connection error. */
export type Counts = Record<string | number, number>;

export const increment = (counts: Counts, key: string | number): void => {
  counts[key] = (counts[key] ?? 0) + 1;
};

/** Counts other than those of 2xx responses, as text. */
export const failuresIn = (counts: Counts): string => countsText(counts, (status) => !status.startsWith('2'));

export const countsText = (counts: Counts, includes: (key: string) => boolean = () => true): string =>
  Object.entries(counts)
    .filter(([key]) => includes(key))
    .map(([key, times]) => `${times} × ${key}`)
    .join(', ');

export interface Result {
  seconds: number;
  statuses: Counts;
  /** Milliseconds of each request, ascending. */
  latencies: number[];
}

/**
 * Sends requests over a number of connections, one at a time on each.
 * @param next returns the next request of a connection; undefined ends the connection
 */
export async function sendLoad(
  baseUrl: string,
  connections: number,
  next: (connection: number) => LoadRequest | undefined,
): Promise<Result> {
  const pool = new Pool(new URL(baseUrl).origin, { connections, pipelining: 1, headersTimeout: 30_000 });
  const latencies: number[] = [];
  const statuses: Counts = {};
  const start = performance.now();
  const sendAll = async (connection: number): Promise<void> => {
    for (let request = next(connection); request; request = next(connection)) {
      const sent = performance.now();
      try {
        const { statusCode, body } = await pool.request(request);
        await body.dump();
        increment(statuses, statusCode);
      } catch {
        increment(statuses, 0);
        await setTimeout(10); // no busy loop while connections are refused
      }
      latencies.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, connection) => sendAll(connection)));
  const seconds = (performance.now() - start) / 1000;
  await pool.close();
  return { seconds, statuses, latencies: latencies.sort((a, b) => a - b) };
}

/** Median, p99 and maximum of ascending latencies, in milliseconds with one decimal. */
export function percentiles(latencies: number[]): { p50: string; p99: string; longest: string } {
  const at = (share: number): string => {
    const index = Math.min(latencies.length - 1, Math.floor(latencies.length * share));
    return (latencies[index] ?? Number.NaN).toFixed(1);
  };
  return { p50: at(0.5), p99: at(0.99), longest: at(1) };
}
