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
  statuses: Counts;
  /** Milliseconds of each request, ascending. */
  latencies: number[];
}

/** Sends requests over a number of connections, one at a time on each, and records the responses. */
function recordingPool(baseUrl: string, connections: number) {
  const pool = new Pool(new URL(baseUrl).origin, { connections, pipelining: 1, headersTimeout: 30_000 });
  const result: Result = { statuses: {}, latencies: [] };
  return {
    /** @param start when the latency begins @returns whether there was a response */
    async send(request: LoadRequest, start = performance.now()): Promise<boolean> {
      const exchange = async (): Promise<number> => {
        const { statusCode, body } = await pool.request(request);
        await body.dump();
        return statusCode;
      };
      const status = await exchange().catch(() => 0);
      increment(result.statuses, status);
      result.latencies.push(performance.now() - start);
      return status !== 0;
    },
    async close(): Promise<Result> {
      await pool.close();
      result.latencies.sort((a, b) => a - b);
      return result;
    },
  };
}

/**
 * Sends requests over a number of connections, one at a time on each.
 * @param next returns the next request of a connection; undefined ends the connection
 */
export async function sendLoad(
  baseUrl: string,
  connections: number,
  next: (connection: number) => LoadRequest | undefined,
): Promise<Result & { seconds: number }> {
  const { send, close } = recordingPool(baseUrl, connections);
  const start = performance.now();
  const sendAll = async (connection: number): Promise<void> => {
    for (let request = next(connection); request; request = next(connection))
      if (!(await send(request))) await setTimeout(10); // no busy loop while connections are refused
  };
  await Promise.all(Array.from({ length: connections }, (_, connection) => sendAll(connection)));
  const seconds = (performance.now() - start) / 1000;
  return { seconds, ...(await close()) };
}

/**
 * Sends a request every 20 ms, within the default rate limit of a key and independent of earlier responses. So a stall
 * counts for every request that was scheduled during it.
 */
export async function sendSteadily(baseUrl: string, request: LoadRequest, seconds: number): Promise<Result> {
  const { send, close } = recordingPool(baseUrl, 16);
  const start = performance.now();
  const sent: Promise<boolean>[] = [];
  for (let due = start; due < start + seconds * 1000; due += 20) {
    await setTimeout(Math.max(0, due - performance.now()));
    sent.push(send(request, due));
  }
  await Promise.all(sent);
  return close();
}

/** Median, p99 and maximum of ascending latencies, in milliseconds with one decimal. */
export function percentiles(latencies: number[]): { p50: string; p99: string; longest: string } {
  const at = (share: number): string => {
    const index = Math.min(latencies.length - 1, Math.floor(latencies.length * share));
    return (latencies[index] ?? Number.NaN).toFixed(1);
  };
  return { p50: at(0.5), p99: at(0.99), longest: at(1) };
}
