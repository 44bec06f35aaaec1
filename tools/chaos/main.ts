import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createClient } from '@waybill/client';
import { command, numberFrom } from '../command-line.ts';
import { type NetworkProxy, startProxy } from '../network/proxy.ts';
import { residentMemory } from '../processes/family.ts';
import { seeded } from '../simulate/random.ts';
import { simulate } from '../simulate/simulate.ts';
import { newTally } from '../simulate/tally.ts';
import { stopSignal } from '../start/stop.ts';
import { startEnvironment } from './environment.ts';
import { playFinale } from './finale.ts';
import { openBook } from './journal.ts';
import { faults, kills } from './outages.ts';
import { startProbe } from './probe.ts';
import { playRound } from './rounds.ts';
import { header, line } from './table.ts';

const usage = `Usage: npx -y pnpm@12 chaos [--faults] [--rounds <n>] [--shipments <n>] [--seed <n>]

Kills a server and a PostgreSQL of its own (kill -9) while a simulated fleet writes, restarts them, and checks from a
journal that every acknowledged write is there once and that repeating every request changes nothing.

  --faults          instead of kills: the network to PostgreSQL delays, cuts, refuses or swallows, or PostgreSQL freezes
  --rounds <n>      kills or faults (20)
  --shipments <n>   how many are on their way at once (96)
  --seed <n>        the same trips and moments again, as far as time allows; a random one by default
  --help            this text
`;

/** Simulated seconds per second: a trip takes one or two. */
const speed = 10_000;
/** How many of the unanswered writes are given up, as if their client had died too. */
const givenUp = 0.03;
/** Longer than the service waits for anything, in milliseconds. */
const timeout = 20_000;

const signal = stopSignal();
await command(usage, signal, async () => {
  const args = process.argv.slice(2).filter((arg) => arg !== '--');
  const text = { type: 'string' } as const;
  const options = {
    rounds: text,
    shipments: text,
    seed: text,
    faults: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  const {
    faults: withFaults = false,
    rounds = '20',
    shipments = '96',
    seed: chosen,
    help,
  } = parseArgs({ args, options }).values;
  const last = numberFrom('rounds', rounds, 1, 10_000);
  const fleet = numberFrom('shipments', shipments, 1, 1_000);
  const seed = chosen === undefined ? Math.floor(Math.random() * 2 ** 32) : numberFrom('seed', chosen, 0, 2 ** 32 - 1);
  if (help) {
    console.log(usage);
    return 0;
  }
  const file = join(await mkdtemp(join(tmpdir(), 'waybill-chaos-')), 'journal.jsonl');
  console.log(`Seed ${seed}; the journal is ${file}`);
  const random = seeded(seed);
  await using building = new AsyncDisposableStack();
  let proxy: NetworkProxy | undefined;
  const through = async (url: string): Promise<string> => {
    if (!withFaults) return url;
    proxy = building.use(await startProxy(Number(new URL(url).port)));
    return proxy.through(url);
  };
  const environment = building.use(
    await startEnvironment({ CHECK_RESPONSES: 'true', LOG_LEVEL: 'silent' }, signal, through),
  );
  const outages = proxy ? faults(environment, proxy, random.fork()) : kills(environment);
  const stop = new AbortController();
  signal.addEventListener('abort', () => stop.abort(signal.reason));
  const moods = random.fork();
  const book = openBook(file, () => moods.chance(givenUp));
  const tally = newTally();
  const [shipper, carrier] = [environment.shipper, environment.carrier].map((party) => ({
    ...party,
    timeout,
    retries: 12,
  }));
  if (!shipper || !carrier) throw new Error('There are two parties.');
  const client = createClient(shipper);
  const fleetSeed = Math.floor(random.next() * 2 ** 32);
  const plan = { shipper, carrier, shipments: fleet, speed, seed: fleetSeed, endless: true, tally, journal: book };
  const load = simulate({ ...plan, signal: stop.signal });

  let bad = 0;
  const report = (finding: string): void => {
    if (++bad <= 50) console.error(finding);
  };
  const headers = { authorization: `Bearer ${environment.shipper.apiKey}` };
  const probe = building.use(
    startProbe(async () => {
      const response = await fetch(`${environment.shipper.baseUrl}/shipments?limit=1`, { headers });
      await response.arrayBuffer();
      return response.status;
    }),
  );
  console.log(header);
  for (let round = 1; round <= last; round++) {
    signal.throwIfAborted();
    // Each in turn, so that a few rounds have tried them all; the moment is the random part.
    const outage = outages[(round - 1) % outages.length];
    if (!outage) continue;
    const result = await playRound(round, outage, probe, book, client, random, report);
    const [server = 0] = await environment.pids('server');
    console.log(line({ ...result, memory: await residentMemory(server) }));
  }
  book.close();
  stop.abort();
  await load;
  const end = await playFinale(environment, book, client);
  for (const each of [...end.lost, ...end.doubled, ...end.changed]) report(each);
  for (const [fault, times] of tally.faults) report(`${times} × ${fault}`);
  console.log(`
${end.writes} writes about ${end.shipments} shipments; ${end.abandoned} were given up, and of these ${end.recovered} were done.
Every write was repeated with its key: ${end.changed.length} had another answer or changed something.
At the end ${end.lost.length} lost, ${end.doubled.length} doubled.`);
  return bad > 0 ? 1 : 0;
});
