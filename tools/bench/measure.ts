import type { Environment } from '../chaos/environment.ts';
import { cpuTime } from './cpu-time.ts';
import { failuresIn, type LoadRequest, percentiles, sendLoad } from './load.ts';

/** A load of some seconds, one request at a time on each connection. */
export interface Load {
  connections: number;
  seconds: number;
  /** What each request contains. */
  each?: { unit: string; size: number };
}

/**
 * Runs a load after one second of warm-up, and prints the result in one line.
 * @returns requests per second
 */
export async function measure(
  environment: Environment,
  name: string,
  { connections, seconds, each }: Load,
  next: (connection: number) => LoadRequest,
): Promise<number> {
  const sendFor = (milliseconds: number) => {
    const end = performance.now() + milliseconds;
    return sendLoad(environment.shipper.baseUrl, connections, (connection) =>
      performance.now() < end ? next(connection) : undefined,
    );
  };
  await sendFor(1000);
  const before = await cpuTime(environment);
  const result = await sendFor(seconds * 1000);
  const after = await cpuTime(environment);
  environment.signal.throwIfAborted();
  const requests = result.latencies.length;
  const rate = requests / result.seconds;
  const cells = [`${Math.round(rate)} requests/s`, `p99 ${percentiles(result.latencies).p99} ms`];
  if (each) cells.unshift(`${Math.round(rate * each.size)} ${each.unit}/s`);
  if (before && after) {
    const node = Math.round((after.node - before.node) / requests);
    const postgres = Math.round((after.postgres - before.postgres) / requests);
    cells.push(`CPU per request: ${node + postgres} µs (Node ${node}, PostgreSQL ${postgres})`);
  }
  console.log(`${name.padEnd(38)}${[...cells, failuresIn(result.statuses)].join('   ').trimEnd()}`);
  return rate;
}
