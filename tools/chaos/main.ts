import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@waybill/client';
import { command, numberFrom, seedFrom } from '../command-line.ts';
import { Random } from '../simulate/random.ts';
import { simulate } from '../simulate/simulate.ts';
import { stopSignal } from '../start/stop.ts';
import { startEnvironment } from './environment.ts';
import { runFinalCheck } from './final-check.ts';
import { openJournal } from './journal.ts';
import { kills } from './outages.ts';
import { startProbe } from './probe.ts';
import { columns, runRound } from './rounds.ts';

const usage = `Usage: npx -y pnpm@12 chaos [--rounds <n>] [--shipments <n>] [--seed <n>]

Starts a server and a PostgreSQL, and kills and restarts them (kill -9) while simulated clients write. Checks that every
acknowledged write happened exactly once, and that repeating every request changes nothing.

  --rounds <n>      number of outages (20)
  --shipments <n>   shipments at a time (96)
  --seed <n>        repeats the random choices of an earlier run; random by default
  --help            show this text
`;

/** Simulated seconds per second: a shipment takes one or two real seconds. */
const speed = 10_000;
/** The share of interrupted writes that are abandoned, as if their client had crashed too. */
const abandonedShare = 0.03;
/** Of a request; longer than every timeout of the service, in milliseconds. */
const timeout = 20_000;

/** A small heap, so that the table's resident memory shows a leak rather than garbage not yet collected. */
const NODE_OPTIONS = '--max-old-space-size=96';

const signal = stopSignal();
const options = {
  rounds: { type: 'string', default: '20' },
  shipments: { type: 'string', default: '96' },
  seed: { type: 'string' },
} as const;
await command({ usage, options, signal }, async (values) => {
  const rounds = numberFrom('rounds', values.rounds, 1, 10_000);
  const shipments = numberFrom('shipments', values.shipments, 1, 1_000);
  const seed = seedFrom(values.seed);
  const file = join(await mkdtemp(join(tmpdir(), 'waybill-chaos-')), 'journal.jsonl');
  console.log(`Seed ${seed}; the journal is ${file}`);
  const random = new Random(seed);
  const settings = { CHECK_RESPONSES: 'true', LOG_LEVEL: 'silent', NODE_OPTIONS };
  await using environment = await startEnvironment(settings, signal);
  const outages = kills(environment);
  const shipper = { ...environment.shipper, timeout };
  const completed = new AbortController();
  const loadSignal = AbortSignal.any([environment.signal, completed.signal]);
  const abandoning = random.fork();
  const journal = openJournal(file, () => abandoning.chance(abandonedShare), loadSignal);
  const load = simulate({
    shipper,
    carrier: { ...environment.carrier, timeout },
    shipments,
    speed,
    seed: Math.floor(random.next() * 2 ** 32),
    endless: true,
    observer: journal,
    signal: loadSignal,
  });

  let findings = 0;
  const report = (finding: string): void => {
    if (++findings <= 50) console.error(finding);
  };
  const print = (cells: (string | number)[]): void => {
    const padded = cells.map((cell, index) => String(cell).padEnd(columns[index]?.length ?? 0));
    console.log(`| ${padded.join(' | ')} |`);
  };
  try {
    await using probe = startProbe(`${shipper.baseUrl}/shipments?limit=1`, shipper.apiKey);
    const run = { client: createClient(shipper), journal, signal: environment.signal, report };
    print(columns);
    for (let round = 1; round <= rounds; round++) {
      // In turn, so that a few rounds cover all outages; only their timing is random.
      const outage = outages[(round - 1) % outages.length];
      if (outage) print(await runRound(round, outage, run, { environment, probe, random }));
    }
    completed.abort();
    journal.resume();
    const { errors } = await load;
    for (const [error, times] of errors) report(`${times} × ${error}`);
    const checked = await runFinalCheck(run, environment.databaseUrl);
    console.log(`
${checked.writes} writes to ${checked.shipments} shipments; ${checked.abandoned} were abandoned, of which ${checked.applied} had their effect.
Every write was repeated with its key: ${checked.changed} had a different response or changed something.
Total: ${checked.lost} lost, ${checked.duplicated} duplicated.`);
    return findings > 0 ? 1 : 0;
  } catch (error) {
    environment.signal.throwIfAborted(); // the reason, rather than what followed from it
    throw error;
  }
});
