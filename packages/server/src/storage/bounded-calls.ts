import { StorageError } from './storage.ts';

/** Runs one call. @param discard gets the result of a call that has ended after its timeout */
export type RunCall = <Result>(call: () => Promise<Result>, discard?: (result: Result) => void) => Promise<Result>;

/** A call that has not ended in time, and may still have its effect. */
export class TimeoutError extends StorageError {}

/**
 * Calls of the file system that may run at a time: fewer than the 4 threads of Node. A call that hangs cannot be aborted and
 * occupies its thread, and new connections to the database need threads, too.
 */
const maxRunning = 3;

/**
 * Limits the number of concurrent calls and the duration of each, including its wait for others.
 * @param timeout in milliseconds
 * @returns a function that runs a call; it throws a StorageError after the timeout and for every error of the system but
 * ENOENT
 */
export function boundedCalls(timeout: number): RunCall {
  let running = 0;
  const waiting = new Set<() => void>();
  const startNext = (): void => {
    const [next] = waiting;
    if (!next || running >= maxRunning) return;
    waiting.delete(next);
    next();
  };
  return (call, discard) =>
    new Promise((resolve, reject) => {
      let isLate = false;
      const start = async (): Promise<void> => {
        running++;
        try {
          const result = await call();
          if (isLate) discard?.(result);
          else resolve(result);
        } catch (error) {
          reject(storageErrorFrom(error));
        } finally {
          clearTimeout(timer);
          running--;
          startNext();
        }
      };
      const timer = setTimeout(() => {
        isLate = true;
        waiting.delete(start);
        reject(new TimeoutError(`The file system did not respond within ${timeout} ms.`));
      }, timeout);
      waiting.add(start);
      startNext();
    });
}

/** The caller handles a missing file, and errors that are not of the system. */
function storageErrorFrom(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || error.code === 'ENOENT') return error;
  return new StorageError(error.message, { cause: error });
}
