import { setTimeout } from 'node:timers/promises';
import { type Dispatcher, Pool } from 'undici';

/** What requests at a steady rate saw. */
export interface Steady {
  /** Milliseconds of each request, ascending. */
  latencies: number[];
  /** Responses other than 2xx by their status; 0 is a connection error. */
  failures: Map<number, number>;
}

/**
 * Sends requests at a steady rate, independent of earlier responses, so that a stall counts for every request that was due
 * during it.
 * @param next returns the next request
 * @param interval milliseconds between two requests
 */
export async function sendSteadily(
  origin: string,
  next: () => Dispatcher.RequestOptions,
  interval: number,
  seconds: number,
): Promise<Steady> {
  const pool = new Pool(origin, { connections: 16, pipelining: 1, headersTimeout: 30_000 });
  const [latencies, failures]: [number[], Steady['failures']] = [[], new Map()];
  const send = async (due: number): Promise<void> => {
    const status = await pool.request(next()).then(
      async ({ statusCode, body }) => {
        await body.dump();
        return statusCode;
      },
      () => 0,
    );
    latencies.push(performance.now() - due);
    if (status < 200 || status >= 300) failures.set(status, (failures.get(status) ?? 0) + 1);
  };
  const start = performance.now();
  const sent: Promise<void>[] = [];
  for (let due = start; due < start + seconds * 1000; due += interval) {
    await setTimeout(Math.max(0, due - performance.now()));
    sent.push(send(due));
  }
  await Promise.all(sent);
  await pool.close();
  return { latencies: latencies.sort((a, b) => a - b), failures };
}

/** The value below which a share of ascending values lies; NaN without values. */
export const quantile = (values: number[], share: number): number =>
  values[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;
