import type { Entry } from '@waybill/sandbox/simulate/writes';

export type Journal = ReturnType<typeof createJournal>;

/**
 * Records every write of the run.
 * @param abandons decides whether the client of an interrupted write stops retrying, as if it had crashed
 * @param signal after it has aborted, writes that were held back are not sent
 */
export function createJournal(abandons: () => boolean, signal: AbortSignal) {
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
      entries.push(entry);
      inProgress++;
    },
    end(): void {
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
