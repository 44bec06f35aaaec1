import type { Environment } from '../chaos/environment.ts';
import { cpuTime } from './cpu-time.ts';
import { type LoadRequest, percentile, type Result, sendLoad } from './load.ts';

/** Runs a load for some seconds, after one second of warm-up, and prints the result in one line. */
export async function measure(
  environment: Environment,
  name: string,
  { connections, seconds, each }: { connections: number; seconds: number; each?: { unit: string; size: number } },
  next: (connection: number) => LoadRequest,
): Promise<Result> {
  const warm = performance.now() + 1000;
  await sendLoad(origin(environment), connections, (connection) =>
    performance.now() < warm ? next(connection) : undefined,
  );
  const [before, end] = [await cpuTime(environment), performance.now() + seconds * 1000];
  const result = await sendLoad(origin(environment), connections, (connection) =>
    performance.now() < end ? next(connection) : undefined,
  );
  const after = await cpuTime(environment);
  const { requests, latencies, failures } = result;
  const rate = requests / result.seconds;
  const cells = [`${Math.round(rate)} requests/s`, `p99 ${percentile(latencies, 0.99).toFixed(1)} ms`];
  if (each) cells.unshift(`${Math.round(rate * each.size)} ${each.unit}/s`);
  if (before && after) {
    const node = Math.round((after.node - before.node) / requests);
    const postgres = Math.round((after.postgres - before.postgres) / requests);
    cells.push(`CPU per request: ${node + postgres} µs (Node ${node}, PostgreSQL ${postgres})`);
  }
  for (const [status, times] of Object.entries(failures)) cells.push(`${times} × ${status}`);
  console.log(`${name.padEnd(38)}${cells.join('   ')}`);
  return result;
}

export const origin = ({ shipper }: Environment): string => new URL(shipper.baseUrl).origin;
