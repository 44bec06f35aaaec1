import { loadavg } from 'node:os';
import { cpuTime } from './cpu-time.ts';
import { type RequestTemplate, runLoad } from './load-generator.ts';
import type { Server } from './peers.ts';

/** Milliseconds and microseconds. CPU times are per request. */
export interface Figures {
  rate: number;
  p50: number;
  p99: number;
  node: number;
  postgres: number;
}
const columns = ['rate', 'p50', 'p99', 'node', 'postgres'] as const;

export interface Comparison {
  connections: number;
  /** The service first, then its peers. */
  servers: { name: string; figures: Figures }[];
}

interface Plan {
  connections: number;
  seconds: number;
  rounds: number;
  /** Process id of PostgreSQL. */
  postgres: number;
  signal: AbortSignal;
}

/**
 * Measures servers alternately. Each measurement follows a second of warm-up.
 * @returns the median of each figure
 * @throws when a request fails
 */
export async function compare(servers: Server[], template: RequestTemplate, plan: Plan): Promise<Comparison> {
  const results = new Map<Server, Figures[]>(servers.map((server) => [server, []]));
  for (let round = 0; round < plan.rounds; round++)
    for (const [server, list] of results) list.push(await measure(server, template, plan));
  const medians = [...results].map(([{ name }, list]) => {
    const entries = columns.map((column) => [column, median(list.map((figures) => figures[column]))]);
    return { name, figures: Object.fromEntries(entries) as unknown as Figures };
  });
  return { connections: plan.connections, servers: medians };
}

async function measure(server: Server, template: RequestTemplate, plan: Plan): Promise<Figures> {
  const { connections, seconds, postgres, signal } = plan;
  await runLoad(server.origin, template, connections, 1, signal);
  const cpuTimes = () => Promise.all([cpuTime(server.pid), cpuTime(postgres)]);
  const before = await cpuTimes();
  const load = await runLoad(server.origin, template, connections, seconds, signal);
  const after = await cpuTimes();
  if (load.failures > 0) throw new Error(`${load.failures} of ${load.requests} requests to ${server.name} failed.`);
  const { requests, p50, p99 } = load;
  const [node, database] = [(after[0] - before[0]) / requests, (after[1] - before[1]) / requests];
  return { rate: requests / load.seconds, p50, p99, node, postgres: database };
}

const median = (values: number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle) - 1] ?? Number.NaN)) / 2;
};

/** Prints a comparison as a table, with the ratios of the service to each peer. */
export function printComparison(operation: string, { connections, servers }: Comparison): void {
  const service = servers[0]?.figures;
  console.log(`\n${operation}, ${connections} connections (load average ${loadavg()[0]?.toFixed(1)})`);
  const rows = servers.map(({ name, figures }, index) => {
    const { rate, p50, p99, node, postgres } = figures;
    const ratio = (of: (figures: Figures) => number) =>
      service && index > 0 ? (of(service) / of(figures)).toFixed(2) : '';
    const cpu = [ratio((it) => it.rate), ratio((it) => it.node + it.postgres), ratio((it) => it.p99)];
    const numbers = [rate.toFixed(0), p50.toFixed(2), p99.toFixed(2), (node + postgres).toFixed(0), node.toFixed(0)];
    return [name, ...numbers, postgres.toFixed(0), ...cpu];
  });
  const heads = [
    '',
    'requests/s',
    'p50 ms',
    'p99 ms',
    'CPU µs',
    'Node',
    'PostgreSQL',
    '× requests/s',
    '× CPU',
    '× p99',
  ];
  for (const [name = '', ...cells] of [heads, ...rows])
    console.log(name.padEnd(32) + cells.map((cell) => cell.padStart(13)).join(''));
}
