import { createWriteStream } from 'node:fs';
import type { Entry } from '../simulate/writes.ts';

export type Journal = ReturnType<typeof openJournal>;

/**
 * Records every write of the run, in memory and in a file.
 * @param abandons decides whether the client of an interrupted write stops retrying, as if it had crashed
 * @param signal after it has aborted, writes that were held back are not sent
 */
export function openJournal(file: string, abandons: () => boolean, signal: AbortSignal) {
  const log = createWriteStream(file, { flags: 'a' });
  const append = (line: object): void =>
    void log.write(`${JSON.stringify({ at: new Date().toISOString(), ...line })}\n`);
  const entries: Entry[] = [];
  let inProgress = 0;
  let paused: PromiseWithResolvers<void> | undefined;
  let idle: PromiseWithResolvers<void> | undefined;
  return {
    entries,
    abandons,
    async begin(entry: Entry): Promise<void> {
      while (paused) await paused.promise;
      signal.throwIfAborted();
      const { operation, path, body, key } = entry.write;
      append({ operation, path, body, key });
      entries.push(entry);
      inProgress++;
    },
    end({ write, result }: Entry): void {
      if (result) append({ key: write.key, ...result });
      if (--inProgress === 0) idle?.resolve();
    },
    /** Holds new writes back, and resolves when none is in progress. */
    async pause(): Promise<void> {
      paused ??= Promise.withResolvers();
      idle = Promise.withResolvers();
      if (inProgress > 0) await idle.promise;
    },
    resume(): void {
      paused?.resolve();
      paused = undefined;
    },
  };
}
