import { processAndChildren, statOf } from '@waybill/sandbox/processes/process-tree';
import { withDiskFlushes } from './disk-flushes.ts';
import { runLoad } from './load-generator.ts';
import type { RequestTemplate } from './request-template.ts';
import type { Server } from './servers.ts';
import { quantile } from './steady.ts';

/** Requests per second, latencies in milliseconds, and CPU time per request in microseconds. */
export interface Figures {
  rate: number;
  p50: number;
  p99: number;
  /** Of a flush of the disk meanwhile, which a commit waits for. */
  flushP99: number;
  node: number;
  postgres: number;
}

export interface Plan {
  seconds: number;
  rounds: number;
  /** Process id of PostgreSQL. */
  postgres: number;
  signal: AbortSignal;
}

/**
 * Measures servers alternately. Each measurement follows a second of warm-up.
 * @returns for each server, the figures of each round
 * @throws when a request fails
 */
export async function compare(
  servers: Server[],
  template: RequestTemplate,
  connections: number,
  plan: Plan,
): Promise<Figures[][]> {
  const results = servers.map((server) => ({ server, rounds: [] as Figures[] }));
  for (let round = 0; round < plan.rounds; round++)
    for (const { server, rounds } of results) rounds.push(await measure(server, template, connections, plan));
  return results.map(({ rounds }) => rounds);
}

async function measure(
  { name, origin, pid }: Server,
  template: RequestTemplate,
  connections: number,
  { seconds, postgres, signal }: Plan,
): Promise<Figures> {
  await runLoad(origin, template, connections, 1, signal);
  const cpuTimes = () => Promise.all([cpuTime(pid), cpuTime(postgres)]);
  const before = await cpuTimes();
  const [load, flushes] = await withDiskFlushes(() => runLoad(origin, template, connections, seconds, signal));
  const after = await cpuTimes();
  const { requests, failures, p50, p99 } = load;
  if (failures > 0) throw new Error(`${failures} of ${requests} requests to ${name} failed.`);
  const cpu = { node: (after[0] - before[0]) / requests, postgres: (after[1] - before[1]) / requests };
  return { rate: requests / load.seconds, p50, p99, flushP99: quantile(flushes, 0.99), ...cpu };
}

/** Microseconds in a clock tick of /proc; a constant of Linux. */
const tick = 10_000;

/** Microseconds of CPU time that a process and its children have used; NaN without /proc. */
export async function cpuTime(pid: number): Promise<number> {
  if (process.platform !== 'linux') return Number.NaN;
  const times = (await processAndChildren(pid)).map(async (each) => {
    const [utime = 0, stime = 0, cutime = 0, cstime = 0] = ((await statOf(each)) ?? []).slice(11, 15).map(Number);
    return utime + stime + (each === pid ? cutime + cstime : 0); // of the parent also those of its ended children
  });
  return (await Promise.all(times)).reduce((total, time) => total + time, 0) * tick;
}
