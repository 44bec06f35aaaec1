import { createWriteStream } from 'node:fs';
import type { Write, WriteObserver, WriteResult } from '../simulate/writes.ts';

/** A write of the run and what is known about it. */
export interface Entry {
  write: Write;
  /** The final response; undefined while there is none. */
  result?: WriteResult;
  /** A request for it had no final response, so only a retry could show whether it had its effect. */
  interrupted: boolean;
  /** It was interrupted, and a retry showed that the effect had happened. */
  applied: boolean;
  /** Not sent again, as if its client had crashed. */
  abandoned: boolean;
}

/** Records every write of the run, in memory and in a file. */
export interface Journal extends WriteObserver {
  /** By idempotency key. */
  entries: Map<string, Entry>;
  /** Holds new writes back, and resolves when none is in progress. */
  pause(): Promise<void>;
  resume(): void;
  /** Resolves with the next final response. */
  nextResult(): Promise<void>;
}

/**
 * @param abandons decides whether the client of an interrupted write stops retrying
 * @param signal after it has aborted, writes that were held back are not sent
 */
export function openJournal(file: string, abandons: () => boolean, signal: AbortSignal): Journal {
  const log = createWriteStream(file, { flags: 'a' });
  const append = (line: object): void =>
    void log.write(`${JSON.stringify({ at: new Date().toISOString(), ...line })}\n`);
  const entries = new Map<string, Entry>();
  let inProgress = 0;
  let paused: PromiseWithResolvers<void> | undefined;
  let idle: PromiseWithResolvers<void> | undefined;
  let result: PromiseWithResolvers<void> | undefined;
  const entryOf = ({ key }: Write): Entry => {
    const entry = entries.get(key);
    if (!entry) throw new Error(`The journal has no entry for the key ${key}.`);
    return entry;
  };
  const ended = (): void => {
    if (--inProgress === 0) idle?.resolve();
  };
  return {
    entries,
    async beforeSend(write) {
      while (paused) await paused.promise;
      signal.throwIfAborted();
      const { operation, path, body, key } = write;
      append({ operation, path, body, key });
      entries.set(key, { write, interrupted: false, applied: false, abandoned: false });
      inProgress++;
    },
    noResponse(write) {
      const entry = entryOf(write);
      entry.interrupted = true;
      entry.abandoned ||= abandons();
      return !entry.abandoned;
    },
    completed(write, writeResult, replayed) {
      append({ key: write.key, ...writeResult });
      const entry = entryOf(write);
      entry.result = writeResult;
      entry.applied = entry.interrupted && replayed === true;
      ended();
      result?.resolve();
      result = undefined;
    },
    abandoned(write) {
      entryOf(write).abandoned = true;
      ended();
    },
    async pause() {
      paused ??= Promise.withResolvers();
      idle = Promise.withResolvers();
      if (inProgress > 0) await idle.promise;
    },
    resume() {
      paused?.resolve();
      paused = undefined;
    },
    nextResult() {
      result ??= Promise.withResolvers();
      return result.promise;
    },
  };
}
