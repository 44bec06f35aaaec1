import { cpuTime } from './cpu-time.ts';
import { runLoad } from './load-generator.ts';
import type { RequestTemplate } from './request-template.ts';
import type { Server } from './servers.ts';

const columns = ['rate', 'p50', 'p99', 'node', 'postgres'] as const;
/** Requests per second, latencies in milliseconds, and CPU time per request in microseconds. */
export type Figures = Record<(typeof columns)[number], number>;

/** Of the service, and then of its peers: the medians and the figures of each round. */
export interface Comparison {
  operation: string;
  connections: number;
  /** Load average of the machine at the end. */
  load: number;
  servers: { name: string; figures: Figures; rounds: Figures[] }[];
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
 * @returns the median of each figure, and the figures of each round
 * @throws when a request fails
 */
export async function compare(
  servers: Server[],
  template: RequestTemplate,
  connections: number,
  plan: Plan,
): Promise<Comparison['servers']> {
  const results = servers.map((server) => ({ server, rounds: [] as Figures[] }));
  for (let round = 0; round < plan.rounds; round++)
    for (const { server, rounds } of results) rounds.push(await measure(server, template, connections, plan));
  return results.map(({ server, rounds }) => {
    const medians = columns.map((column) => [column, median(rounds.map((figures) => figures[column]))]);
    return { name: server.name, figures: Object.fromEntries(medians), rounds };
  });
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
  const { requests, failures, p50, p99, ...load } = await runLoad(origin, template, connections, seconds, signal);
  const after = await cpuTimes();
  if (failures > 0) throw new Error(`${failures} of ${requests} requests to ${name} failed.`);
  const cpu = { node: (after[0] - before[0]) / requests, postgres: (after[1] - before[1]) / requests };
  return { rate: requests / load.seconds, p50, p99, ...cpu };
}

export const median = (values: number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const [low = 0, high = 0] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return (low + high) / 2;
};
