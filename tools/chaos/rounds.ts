import { setTimeout } from 'node:timers/promises';
import type { Client } from '@waybill/client';
import type { Random } from '../simulate/random.ts';
import { check } from './check.ts';
import type { House, Part } from './house.ts';
import type { Book, Entry } from './journal.ts';

/** What a round tried, and what it found. */
export interface Round {
  round: number;
  killed: string;
  /** Writes that were acknowledged in it. */
  acknowledged: number;
  /** Writes of which a send had no answer: some had been done, as their repetition told; some were given up. */
  doubtful: number;
  unheard: number;
  abandoned: number;
  /** Milliseconds from the kill to the first acknowledged write after the restart. */
  recovered: number;
  lost: number;
  doubled: number;
}

const targets: [Part[], ...Part[][]] = [['server'], ['PostgreSQL'], ['server', 'PostgreSQL']];

/** Milliseconds of load before the kill and after the recovery, and how long the dead stay dead. */
const before = [400, 2000] as const;
const after = 600;
const dead = [0, 500] as const;

/** Lets the load run, kills, restarts, lets it run on, stops it, and checks what the round has touched. */
export async function playRound(
  round: number,
  house: House,
  book: Book,
  client: Client,
  random: Random,
  report: (finding: string) => void,
): Promise<Round> {
  const earlier = new Set(book.entries.keys());
  book.resume();
  await setTimeout(random.between(...before));
  // Each in turn, so that a few rounds have tried them all; the moment is the random part.
  const parts = targets[(round - 1) % targets.length] ?? targets[0];
  const killed = performance.now();
  await house.kill(parts);
  await setTimeout(random.between(...dead));
  const answer = book.nextAnswer();
  await house.revive(parts);
  await answer;
  const recovered = Math.round(performance.now() - killed);
  await setTimeout(after);
  await book.pause();

  const touched = [...book.entries].flatMap(([key, entry]) => (earlier.has(key) ? [] : [entry]));
  const subjects = new Set(touched.map(({ write }) => write.subject));
  const { lost, doubled } = await check(client, book.entries.values(), subjects);
  for (const each of [...lost.map((it) => `lost: ${it}`), ...doubled.map((it) => `doubled: ${it}`)]) report(each);
  const count = (holds: (entry: Entry) => boolean): number => touched.filter(holds).length;
  return {
    round,
    killed: parts.join(' + '),
    acknowledged: count(({ outcome }) => outcome !== undefined),
    doubtful: count((entry) => entry.doubtful),
    unheard: count((entry) => entry.unheard),
    abandoned: count((entry) => entry.abandoned),
    recovered,
    lost: lost.length,
    doubled: doubled.length,
  };
}
