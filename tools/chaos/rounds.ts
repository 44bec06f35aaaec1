import { setTimeout } from 'node:timers/promises';
import type { Client } from '@waybill/client';
import type { Random } from '../simulate/random.ts';
import { check } from './check.ts';
import type { Book, Entry } from './journal.ts';
import type { Outage } from './outages.ts';
import type { Probe } from './probe.ts';

/** What a round tried, and what it found. */
export interface Round {
  round: number;
  outage: string;
  /** Milliseconds that it lasted. */
  lasted: number;
  /** Milliseconds from its beginning to the first 503; `-` without one. */
  refused: number | '-';
  /** Writes that were acknowledged in it. */
  acknowledged: number;
  /** Writes of which a send had no answer: some had been done, as their repetition told; some were given up. */
  doubtful: number;
  unheard: number;
  abandoned: number;
  /** Milliseconds from its end to the first success. */
  recovered: number;
  lost: number;
  doubled: number;
}

/** Milliseconds of load before the outage and after the recovery. */
const before = [400, 2000] as const;
const after = 600;

/** Lets the load run, through the outage and on after it, stops it, and checks what the round has touched. */
export async function playRound(
  round: number,
  outage: Outage,
  probe: Probe,
  book: Book,
  client: Client,
  random: Random,
  report: (finding: string) => void,
): Promise<Round> {
  const earlier = new Set(book.entries.keys());
  book.resume();
  await setTimeout(random.between(...before));
  const started = performance.now();
  let refused: Round['refused'] = '-';
  void probe.next(503).then((time) => {
    refused = time;
  });
  await outage.begin();
  await setTimeout(random.between(...outage.duration));
  const lasted = Math.round(performance.now() - started);
  const answer = book.nextAnswer();
  const success = probe.next(200);
  await outage.end();
  const recovered = await success;
  const first503 = refused;
  await answer;
  await setTimeout(after);
  await book.pause();

  const touched = [...book.entries].flatMap(([key, entry]) => (earlier.has(key) ? [] : [entry]));
  const subjects = new Set(touched.map(({ write }) => write.subject));
  const { lost, doubled } = await check(client, book.entries.values(), subjects);
  for (const each of [...lost.map((it) => `lost: ${it}`), ...doubled.map((it) => `doubled: ${it}`)]) report(each);
  const count = (holds: (entry: Entry) => boolean): number => touched.filter(holds).length;
  return {
    round,
    outage: outage.name,
    lasted,
    refused: first503,
    acknowledged: count(({ outcome }) => outcome !== undefined),
    doubtful: count((entry) => entry.doubtful),
    unheard: count((entry) => entry.unheard),
    abandoned: count((entry) => entry.abandoned),
    recovered,
    lost: lost.length,
    doubled: doubled.length,
  };
}
