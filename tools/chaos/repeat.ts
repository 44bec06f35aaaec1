import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { isRetryable, sendOnce } from '../simulate/writes.ts';
import type { Entry } from './journal.ts';

/** Writes that are sent concurrently. */
const parallel = 24;
/** Between two attempts, in milliseconds. */
const pause = 200;

/** Sends abandoned writes until each has a final response. @returns how many had had their effect before */
export async function finish(entries: Entry[]): Promise<number> {
  let applied = 0;
  await forEach(entries, async (entry) => {
    const { result, replayed } = await sendUntilFinal(entry);
    entry.result = result;
    if (replayed) applied++;
  });
  return applied;
}

/** Sends every write once more. @returns those whose response differed from the first one */
export async function repeatAll(entries: Entry[]): Promise<string[]> {
  const changed: string[] = [];
  await forEach(entries, async (entry) => {
    const { result, replayed } = await sendUntilFinal(entry);
    const what = `${entry.write.operation} ${entry.write.key}`;
    if (!isDeepStrictEqual(result, entry.result))
      changed.push(`${what}: ${JSON.stringify(result)} after ${JSON.stringify(entry.result)}`);
    else if (replayed === false) changed.push(`${what}: executed again`);
  });
  return changed;
}

async function forEach(entries: Entry[], work: (entry: Entry) => Promise<void>): Promise<void> {
  const pending = entries.values();
  const worker = async (): Promise<void> => {
    for (const entry of pending) await work(entry);
  };
  await Promise.all(Array.from({ length: parallel }, worker));
}

async function sendUntilFinal({ write }: Entry): ReturnType<typeof sendOnce> {
  for (;;) {
    try {
      return await sendOnce(write);
    } catch (error) {
      if (!isRetryable(error)) throw error;
      await setTimeout(pause);
    }
  }
}
