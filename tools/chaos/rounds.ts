import { setTimeout } from 'node:timers/promises';
import { residentMemory } from '../processes/process-tree.ts';
import type { Random } from '../simulate/random.ts';
import type { Entry } from '../simulate/writes.ts';
import { check, type Run } from './check.ts';
import type { Outage } from './outages.ts';
import type { Probe } from './probe.ts';

/** The columns of the printed table. */
export const columns: string[] = [
  'round',
  'outage             ',
  'duration ms',
  'first 503 ms',
  'acknowledged',
  'interrupted',
  'of them applied',
  'abandoned',
  'recovery ms',
  'lost',
  'duplicated',
  'server MiB',
];

/** What a round needs of its environment. */
export interface RunningServer {
  /** Process ids, of which the first one is a server's. */
  pids(part: 'server'): Promise<number[]>;
}

/** The sum over rounds whose outage must be seamless. */
export interface SeamlessRounds {
  rounds: number;
  /** Writes, and requests of the probe. */
  requests: number;
  failed: number;
  lost: number;
  duplicated: number;
  seconds: number;
}

export const newSeamlessRounds = (): SeamlessRounds => {
  return { rounds: 0, requests: 0, failed: 0, lost: 0, duplicated: 0, seconds: 0 };
};

interface Tools {
  environment: RunningServer;
  probe: Probe;
  random: Random;
  /** Updated by a round whose outage must be seamless. */
  seamless: SeamlessRounds;
}

/** Milliseconds of load before the outage and after the recovery. */
const before = [400, 2000] as const;
const after = 600;
/** Longer than every timeout of the service and of PostgreSQL, in milliseconds. */
const recoveryTimeout = 120_000;

/**
 * Runs the load before, during and after an outage, pauses it, and checks every shipment that the round wrote to.
 * @returns the cells of the table
 */
export async function runRound(
  round: number,
  outage: Outage,
  run: Run,
  { environment, probe, random, seamless }: Tools,
): Promise<(string | number)[]> {
  const { journal, signal, report } = run;
  const pause = (ms: number): Promise<void> => setTimeout(ms, undefined, { signal });
  const earlier = journal.entries.length;
  journal.resume();
  await pause(random.between(...before));
  const start = performance.now();
  const { sent: sentBefore, failed: failedBefore } = probe.counts();
  let first503: number | '-' = '-';
  void probe.next(503).then((time) => {
    first503 = time;
  });
  await outage.begin();
  await pause(random.between(...outage.duration));
  const duration = Math.round(performance.now() - start);
  const recovered = probe.next(200);
  await outage.end();
  const timeout = setTimeout(recoveryTimeout, undefined, { signal, ref: false }).then(() => {
    throw new Error(`The service has not recovered ${recoveryTimeout / 1000} s after the outage '${outage.name}'.`);
  });
  const recovery = await Promise.race([recovered, timeout]);
  const refused = first503;
  await pause(after);
  await Promise.race([journal.pause(), timeout]);

  const entries = journal.entries.slice(earlier);
  const references = new Set(entries.map(({ write }) => write.reference));
  const { lost, duplicated } = await check(run, references);
  for (const each of lost) report(`lost: ${each}`);
  for (const each of duplicated) report(`duplicated: ${each}`);
  const count = (condition: (entry: Entry) => boolean): number => entries.filter(condition).length;
  if (outage.isSeamless) {
    const { sent, failed: failedReads } = probe.counts();
    const failed = failedReads - failedBefore + count(({ interrupted }) => interrupted);
    if (failed > 0) report(`${outage.name}: ${failed} requests failed`);
    for (const { write, error } of entries) if (error) report(`${outage.name}: ${write.operation}: ${error}`);
    seamless.rounds++;
    seamless.requests += sent - sentBefore + entries.length;
    seamless.failed += failed;
    seamless.lost += lost.length;
    seamless.duplicated += duplicated.length;
    seamless.seconds += Math.round((performance.now() - start) / 1000);
  }
  const [server = 0] = await environment.pids('server');
  return [
    round,
    outage.name,
    duration,
    refused,
    count(({ result }) => result !== undefined),
    count(({ interrupted }) => interrupted),
    count(({ applied }) => applied),
    count(({ result }) => result === undefined),
    recovery,
    lost.length,
    duplicated.length,
    (await residentMemory(server)) ?? '',
  ];
}
