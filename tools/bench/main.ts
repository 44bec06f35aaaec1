import { command, numberFrom, UsageError } from '../command-line.ts';
import { stopSignal } from '../start/stop.ts';
import { measureFairness } from './fairness.ts';
import { measurePeers, parts } from './peers.ts';
import { measureStreams } from './streams.ts';

const usage = `Usage: npx -y pnpm@12 bench [<part> …] [option …]

Starts a server and a PostgreSQL on this machine, and measures:

  peers      the service alternately with servers written by hand (tools/bench/peers): medians, CPU time, ratios
  retries    reads during a burst of retries
  scale      reads of a large data set
  telemetry  metrics and traces
  fairness   an account's reads, writes and webhooks while another one uses each operation at full rate
  attacks    the same while another account sends hostile requests
  streams    memory and delays of many event streams

Parts by default: peers, retries. Exits with code 1 when a request fails that must not.

  --only <text>          rows or operations with this text in their name; of fairness and attacks several, comma-separated
  --seconds <n>          length of each measurement (5)
  --connections <list>   of peers and telemetry: concurrent connections (1,8,64)
  --rounds <n>           of peers, scale and telemetry: measurements of each server (3)
  --shipments <n>        of the same and retries: size of the data set (500000)
  --page <file>          of peers: write the comparison as a Markdown page, and its chart beside it
  --instances <n>        of fairness and attacks: 1, or 2 behind HAProxy with Redis (1)
  --limit <n>            of the same: requests per minute that a key may send (999999999)
  --streams <n>          of streams: open streams (1000), for --accounts <n> (10), with --rate <n> events per second (10)
  --help                 show this text
`;

const allParts = [...parts, 'fairness', 'attacks', 'streams'];

const signal = stopSignal();
const text = (value: string) => ({ type: 'string', default: value }) as const;
const options = {
  only: { type: 'string' },
  seconds: text('5'),
  connections: text('1,8,64'),
  rounds: text('3'),
  shipments: text('500000'),
  page: { type: 'string' },
  instances: text('1'),
  limit: text('999999999'),
  streams: text('1000'),
  accounts: text('10'),
  rate: text('10'),
} as const;
await command({ usage, options, signal, allowPositionals: true }, async (values, positionals) => {
  const unknown = positionals.find((part) => !allParts.includes(part));
  if (unknown !== undefined) throw new UsageError(`The parts are ${allParts.join(', ')}, not '${unknown}'`);
  const number = (
    name: 'seconds' | 'rounds' | 'shipments' | 'instances' | 'limit' | 'streams' | 'accounts' | 'rate',
    low: number,
    high: number,
  ) => numberFrom(name, values[name], low, high);
  const chosen = positionals.length > 0 ? positionals : ['peers', 'retries'];
  const { only, page } = values;
  const seconds = number('seconds', 1, 3600);
  const codes: number[] = [];
  if (parts.some((part) => chosen.includes(part))) {
    const connections = values.connections.split(',').map((count) => numberFrom('connections', count, 1, 1000));
    const [rounds, shipments] = [number('rounds', 1, 100), number('shipments', 1000, 100_000_000)];
    codes.push(await measurePeers({ parts: chosen, only, connections, seconds, rounds, shipments, page }, signal));
  }
  for (const group of ['fairness', 'attacks'] as const) {
    if (!chosen.includes(group)) continue;
    const [instances, limit] = [number('instances', 1, 2), number('limit', 1, 999_999_999)];
    codes.push(await measureFairness({ group, only, instances, seconds, limit }, signal));
  }
  if (chosen.includes('streams')) {
    const [streams, accounts] = [number('streams', 1, 100_000), number('accounts', 1, 1000)];
    codes.push(await measureStreams({ streams, accounts, rate: number('rate', 1, 1000), seconds }, signal));
  }
  return Math.max(...codes);
});
