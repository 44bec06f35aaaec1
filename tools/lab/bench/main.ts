import { writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { command, numberFrom, UsageError } from '@waybill/sandbox/processes/command-line';
import { stopSignal } from '@waybill/sandbox/processes/stop';
import { measureFairness } from './fairness.ts';
import { measureLists } from './lists.ts';
import { hasWrk } from './load-generator.ts';
import usage from './main.usage.json' with { type: 'json' };
import { measurePeers } from './peers.ts';
import { measureStreams } from './streams.ts';
import { measureWebhooks } from './webhooks.ts';

const parts = ['peers', 'webhooks', 'streams', 'lists', 'fairness', 'attacks'];

const head = `# Benchmarks

The service runs with everything on: authentication, validation, rate limits, log, idempotency keys. What it is compared with is
written by hand with Fastify and pg, without any of these.

${availableParallelism()} cores, load average ${loadavg()[0]?.toFixed(1)} before the start.
`;

const signal = stopSignal();
const text = (value: string) => ({ type: 'string', default: value }) as const;
const options = {
  only: { type: 'string' },
  seconds: text('5'),
  connections: text('1,8,64'),
  rounds: text('3'),
  shipments: text('500000'),
  sizes: text('100000,1000000,10000000'),
  page: { type: 'string' },
  instances: text('1'),
  limit: text('999999999'),
} as const;
await command({ usage, options, signal, allowPositionals: true }, async (values, positionals) => {
  if (!hasWrk) throw new UsageError('wrk is not installed. Install it, for example with apt-get install wrk.');
  const unknown = positionals.find((part) => !parts.includes(part));
  if (unknown !== undefined) throw new UsageError(`The parts are ${parts.join(', ')}, not '${unknown}'`);
  const number = (name: 'seconds' | 'rounds' | 'shipments' | 'instances' | 'limit', low: number, high: number) =>
    numberFrom(name, values[name], low, high);
  const chosen = positionals.length > 0 ? positionals : ['peers'];
  const { only, page } = values;
  const numbers = (name: 'connections' | 'sizes', low: number, high: number) =>
    values[name].split(',').map((value) => numberFrom(name, value, low, high));
  const seconds = number('seconds', 1, 3600);
  const rounds = number('rounds', 1, 100);
  const sections = [head];
  let exitCode = 0;
  if (chosen.includes('peers')) {
    const connections = numbers('connections', 1, 1000);
    const shipments = number('shipments', 1000, 100_000_000);
    sections.push(await measurePeers({ only, connections, seconds, rounds, shipments }, signal));
  }
  if (chosen.includes('webhooks')) sections.push(await measureWebhooks(rounds, signal));
  if (chosen.includes('streams')) sections.push(await measureStreams(rounds, signal));
  if (chosen.includes('lists')) sections.push(await measureLists(numbers('sizes', 1000, 100_000_000), signal));
  if (page !== undefined) await writeFile(page, sections.join('\n'));
  for (const group of ['fairness', 'attacks'] as const) {
    if (!chosen.includes(group)) continue;
    const [instances, limit] = [number('instances', 1, 2), number('limit', 1, 999_999_999)];
    exitCode = Math.max(exitCode, await measureFairness({ group, only, instances, seconds, limit }, signal));
  }
  return exitCode;
});
