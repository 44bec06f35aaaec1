import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { isTransient, settle } from '../simulate/writes.ts';
import type { Entry } from './journal.ts';

/** How many writes are repeated at once. */
const parallel = 24;
/** In milliseconds. */
const pause = 200;

/** Sends what was given up until it is answered. @returns how many of them had had their effect before */
export async function finish(entries: Entry[]): Promise<number> {
  let done = 0;
  await forEach(entries, async (entry) => {
    const { outcome, replayed } = await settled(entry);
    entry.outcome = outcome;
    if (replayed) done++;
  });
  return done;
}

/** Sends every write once more. @returns what was not answered as the first time */
export async function repeatAll(entries: Entry[]): Promise<string[]> {
  const changed: string[] = [];
  await forEach(entries, async (entry) => {
    const { outcome, replayed } = await settled(entry);
    const what = `${entry.write.operation} ${entry.write.key}`;
    if (!isDeepStrictEqual(outcome, entry.outcome))
      changed.push(`${what}: ${JSON.stringify(outcome)} after ${JSON.stringify(entry.outcome)}`);
    else if (replayed === false) changed.push(`${what}: done again`);
  });
  return changed;
}

async function forEach(entries: Entry[], work: (entry: Entry) => Promise<void>): Promise<void> {
  const waiting = entries.values();
  const worker = async (): Promise<void> => {
    for (const entry of waiting) await work(entry);
  };
  await Promise.all(Array.from({ length: parallel }, worker));
}

async function settled({ write }: Entry): ReturnType<typeof settle> {
  for (;;) {
    try {
      return await settle(write);
    } catch (error) {
      if (!isTransient(error)) throw error;
      await setTimeout(pause);
    }
  }
}
