import { setTimeout } from 'node:timers/promises';
import type { Client } from '@waybill/client';
import type { Random } from '../simulate/random.ts';
import { check } from './check.ts';
import type { Entry, Journal } from './journal.ts';
import type { Outage } from './outages.ts';
import type { Probe } from './probe.ts';

/** The columns of the printed table, in order. */
export const columns = {
  round: 'round',
  outage: 'outage             ',
  duration: 'duration ms',
  first503: 'first 503 ms',
  acknowledged: 'acknowledged',
  interrupted: 'interrupted',
  applied: 'of them applied',
  abandoned: 'abandoned',
  recovery: 'recovery ms',
  lost: 'lost',
  duplicated: 'duplicated',
  memory: 'server MiB',
};
export type Row = Record<keyof typeof columns, string | number>;

/** Milliseconds of load before the outage and after the recovery. */
const before = [400, 2000] as const;
const after = 600;

/** Runs the load before, during and after an outage, pauses it, and checks every shipment that the round wrote to. */
export async function runRound(
  round: number,
  outage: Outage,
  probe: Probe,
  journal: Journal,
  client: Client,
  random: Random,
  report: (finding: string) => void,
): Promise<Omit<Row, 'memory'>> {
  const earlier = new Set(journal.entries.keys());
  journal.resume();
  await setTimeout(random.between(...before));
  const start = performance.now();
  let first503: number | '-' = '-';
  void probe.next(503).then((time) => {
    first503 = time;
  });
  await outage.begin();
  await setTimeout(random.between(...outage.duration));
  const duration = Math.round(performance.now() - start);
  const result = journal.nextResult();
  const success = probe.next(200);
  await outage.end();
  const recovery = await success;
  const refused = first503;
  await result;
  await setTimeout(after);
  await journal.pause();

  const entries = [...journal.entries].flatMap(([key, entry]) => (earlier.has(key) ? [] : [entry]));
  const references = new Set(entries.map(({ write }) => write.reference));
  const { lost, duplicated } = await check(client, journal.entries.values(), references);
  for (const each of lost) report(`lost: ${each}`);
  for (const each of duplicated) report(`duplicated: ${each}`);
  const count = (condition: (entry: Entry) => boolean): number => entries.filter(condition).length;
  return {
    round,
    outage: outage.name,
    duration,
    first503: refused,
    acknowledged: count(({ result }) => result !== undefined),
    interrupted: count((entry) => entry.interrupted),
    applied: count((entry) => entry.applied),
    abandoned: count((entry) => entry.abandoned),
    recovery,
    lost: lost.length,
    duplicated: duplicated.length,
  };
}
