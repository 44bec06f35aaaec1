import { mkdtempDisposable, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** Milliseconds between two flushes: few, so that they take no time from those of PostgreSQL. */
const interval = 50;

/**
 * Writes and flushes 8 KiB on the disk of the database again and again, while something else runs. A commit waits for such a
 * flush, so that no latency of a write is shorter.
 * @returns its result, and the milliseconds of the flushes, ascending
 */
export async function withDiskFlushes<Result>(run: () => Promise<Result>): Promise<[Result, flushes: number[]]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'waybill-flushes-'));
  await using file = await open(join(folder.path, 'blocks'), 'w');
  const times: number[] = [];
  let isRunning = true;
  const flush = async (): Promise<void> => {
    while (isRunning) {
      await file.write(Buffer.alloc(8192, times.length), 0, 8192, 0);
      const start = performance.now();
      await file.datasync();
      times.push(performance.now() - start);
      await setTimeout(interval);
    }
  };
  const flushing = flush();
  try {
    return [await run(), times.sort((a, b) => a - b)];
  } finally {
    isRunning = false;
    await flushing;
  }
}
