import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@waybill/client';
import { Random } from '../simulate/random.ts';
import { simulate } from '../simulate/simulate.ts';
import type { Party } from './environment.ts';
import { startEventReaders } from './event-readers.ts';
import { type FinalCheck, runFinalCheck } from './final-check.ts';
import { openJournal } from './journal.ts';
import type { Outage } from './outages.ts';
import { startProbe } from './probe.ts';
import { columns, newSeamlessRounds, type RunningServer, runRound, type SeamlessRounds } from './rounds.ts';
import { startWebhookReader } from './webhook-reader.ts';

/** Simulated seconds per second: a shipment takes one or two real seconds. */
const speed = 10_000;
/** The share of interrupted writes that are abandoned, as if their client had crashed too. */
const abandonedShare = 0.03;
/** The share of webhooks that their receiver refuses. */
const refusedShare = 0.3;
/** Of a request; longer than every timeout of the service, in milliseconds. */
const timeouts = { timeout: 20_000, attemptTimeout: 20_000 };

/** Settings of the servers. With a small heap, the table's resident memory shows a leak rather than garbage. */
export const chaosSettings = {
  CHECK_RESPONSES: 'true',
  LOG_LEVEL: 'silent',
  WEBHOOK_ALLOW_LOOPBACK: 'true',
  NODE_OPTIONS: '--max-old-space-size=96',
};

interface ChaosEnvironment extends RunningServer {
  shipper: Party;
  carrier: Party;
  databaseUrl: string;
  signal: AbortSignal;
}

interface ChaosOptions {
  rounds: number;
  /** At a time. */
  shipments: number;
  seed: number;
}

export interface ChaosResult extends FinalCheck {
  /** The rounds whose outage must be seamless. */
  seamless: SeamlessRounds;
  /** Everything that is wrong; 0 for a passed run. */
  findings: number;
}

/**
 * Causes outages in turn while simulated clients write, and checks after each that no acknowledged write is lost or
 * duplicated. Prints a table and what is wrong.
 */
export async function runChaos(
  environment: ChaosEnvironment,
  outages: Outage[],
  { rounds, shipments, seed }: ChaosOptions,
): Promise<ChaosResult> {
  const file = join(await mkdtemp(join(tmpdir(), 'waybill-chaos-')), 'journal.jsonl');
  console.log(`Seed ${seed}; the journal is ${file}`);
  const random = new Random(seed);
  const shipper = { ...environment.shipper, ...timeouts };
  const completed = new AbortController();
  const loadSignal = AbortSignal.any([environment.signal, completed.signal]);
  const over = new AbortController();
  const refusing = random.fork();
  await using webhooks = await startWebhookReader(shipper, environment.databaseUrl, () =>
    refusing.chance(refusedShare),
  );
  const readers = [...startEventReaders(shipper, AbortSignal.any([environment.signal, over.signal])), webhooks];
  const abandoning = random.fork();
  const journal = openJournal(file, () => abandoning.chance(abandonedShare), loadSignal);
  const load = simulate({
    shipper,
    carrier: { ...environment.carrier, ...timeouts },
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
    const seamless = newSeamlessRounds();
    const run = { client: createClient(shipper), journal, signal: environment.signal, report };
    print(columns);
    for (let round = 1; round <= rounds; round++) {
      // In turn, so that a few rounds cover all outages; only their timing is random.
      const outage = outages[(round - 1) % outages.length];
      if (outage) print(await runRound(round, outage, run, { environment, probe, random, seamless }));
    }
    completed.abort();
    journal.resume();
    const { errors } = await load;
    for (const [error, times] of errors) report(`${times} × ${error}`);
    const checked = await runFinalCheck(run, environment.databaseUrl, readers);
    console.log(`
${checked.writes} writes to ${checked.shipments} shipments; ${checked.abandoned} were abandoned, of which ${checked.applied} had their effect.
Every write was repeated with its key: ${checked.changed} had a different response or changed something.
Total: ${checked.lost} lost, ${checked.duplicated} duplicated.`);
    for (const { name, events, lost, duplicated } of checked.events) {
      console.log(`${events} events through ${name}: ${lost} lost or in another order, ${duplicated} received twice.`);
    }
    return { ...checked, findings, seamless };
  } catch (error) {
    environment.signal.throwIfAborted(); // the reason, rather than what followed from it
    throw error;
  } finally {
    over.abort();
  }
}
