import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@waybill/client';
import { command, flag, numberFrom, seedFrom } from '../command-line.ts';
import { type NetworkProxy, startProxy } from '../network/proxy.ts';
import { residentMemory } from '../processes/process-tree.ts';
import { seeded } from '../simulate/random.ts';
import { simulate } from '../simulate/simulate.ts';
import { newTally } from '../simulate/tally.ts';
import { stopSignal } from '../start/stop.ts';
import { startEnvironment } from './environment.ts';
import { runFinalCheck } from './final-check.ts';
import { openJournal } from './journal.ts';
import { faults, kills } from './outages.ts';
import { startProbe } from './probe.ts';
import { columns, type Row, runRound } from './rounds.ts';

const usage = `Usage: npx -y pnpm@12 chaos [--faults] [--rounds <n>] [--shipments <n>] [--seed <n>]

Starts a server and a PostgreSQL, and kills and restarts them (kill -9) while simulated clients write. Checks that every
acknowledged write happened exactly once, and that repeating every request changes nothing.

  --faults          instead of kills: delay, cut, refuse or drop connections to PostgreSQL, or suspend PostgreSQL
  --rounds <n>      number of outages (20)
  --shipments <n>   shipments at a time (96)
  --seed <n>        repeats the random choices of an earlier run; random by default
  --help            show this text
`;

/** Simulated seconds per second: a shipment takes one or two real seconds. */
const speed = 10_000;
/** The share of interrupted writes that are abandoned, as if their client had crashed too. */
const abandonedShare = 0.03;
/** Longer than every timeout of the service, in milliseconds. */
const timeout = 20_000;

/** A small heap, so that the table's resident memory shows a leak rather than garbage not yet collected. */
const heapLimit = '--max-old-space-size=96';

const signal = stopSignal();
const options = {
  faults: flag,
  rounds: { type: 'string', default: '20' },
  shipments: { type: 'string', default: '96' },
  seed: { type: 'string' },
} as const;
await command({ usage, options, signal }, async (values) => {
  const last = numberFrom('rounds', values.rounds, 1, 10_000);
  const fleet = numberFrom('shipments', values.shipments, 1, 1_000);
  const seed = seedFrom(values.seed);
  const file = join(await mkdtemp(join(tmpdir(), 'waybill-chaos-')), 'journal.jsonl');
  console.log(`Seed ${seed}; the journal is ${file}`);
  const random = seeded(seed);
  await using stack = new AsyncDisposableStack();
  let proxy: NetworkProxy | undefined;
  const proxied = async (url: string): Promise<string> => {
    if (!values.faults) return url;
    proxy = stack.use(await startProxy(Number(new URL(url).port)));
    return proxy.through(url);
  };
  const environment = stack.use(
    await startEnvironment({ CHECK_RESPONSES: 'true', LOG_LEVEL: 'silent', NODE_OPTIONS: heapLimit }, signal, proxied),
  );
  const outages = proxy ? faults(environment, proxy, random.fork()) : kills(environment);
  const stop = new AbortController();
  signal.addEventListener('abort', () => stop.abort(signal.reason));
  const abandoning = random.fork();
  const journal = openJournal(file, () => abandoning.chance(abandonedShare));
  const tally = newTally();
  const [shipper, carrier] = [environment.shipper, environment.carrier].map((party) => ({
    ...party,
    timeout,
    retries: 12,
  }));
  if (!shipper || !carrier) throw new Error('The environment has no keys.');
  const client = createClient(shipper);
  const fleetSeed = Math.floor(random.next() * 2 ** 32);
  const plan = { shipper, carrier, shipments: fleet, speed, seed: fleetSeed, endless: true, tally, observer: journal };
  const load = simulate({ ...plan, signal: stop.signal });

  let findings = 0;
  const report = (finding: string): void => {
    if (++findings <= 50) console.error(finding);
  };
  const headers = { authorization: `Bearer ${environment.shipper.apiKey}` };
  const probe = stack.use(
    startProbe(async () => {
      const response = await fetch(`${environment.shipper.baseUrl}/shipments?limit=1`, { headers });
      await response.arrayBuffer();
      return response.status;
    }),
  );
  const line = (row: Row): string =>
    `| ${(Object.keys(columns) as (keyof Row)[]).map((name) => String(row[name]).padEnd(columns[name].length)).join(' | ')} |`;
  console.log(line(columns));
  for (let round = 1; round <= last; round++) {
    signal.throwIfAborted();
    // In turn, so that a few rounds cover all outages; only their timing is random.
    const outage = outages[(round - 1) % outages.length];
    if (!outage) continue;
    const result = await runRound(round, outage, probe, journal, client, random, report);
    const [server = 0] = await environment.pids('server');
    console.log(line({ ...result, memory: (await residentMemory(server)) ?? '' }));
  }
  journal.close();
  stop.abort();
  await load;
  const end = await runFinalCheck(environment, journal, client);
  for (const each of [...end.lost, ...end.duplicated, ...end.changed]) report(each);
  for (const [error, times] of tally.errors) report(`${times} × ${error}`);
  console.log(`
${end.writes} writes to ${end.shipments} shipments; ${end.abandoned} were abandoned, of which ${end.applied} had their effect.
Every write was repeated with its key: ${end.changed.length} had a different response or changed something.
Total: ${end.lost.length} lost, ${end.duplicated.length} duplicated.`);
  return findings > 0 ? 1 : 0;
});
