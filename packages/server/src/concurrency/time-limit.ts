import { setTimeout as wait } from 'node:timers/promises';
import { Problem } from '@waybill/http/problems';

/**
 * Waits for a promise, at most so many milliseconds: 0 or less end the wait at once, unless it has ended. What the promise
 * belongs to goes on after that.
 * @param onTimeout its result takes the place of the promise's: it returns a value or throws
 */
export async function withTimeLimit<Value>(
  promise: Promise<Value>,
  milliseconds: number,
  onTimeout: () => Value,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.max(milliseconds, 0));
  });
  try {
    return await Promise.race([promise, timeout.then(onTimeout)]);
  } finally {
    clearTimeout(timer);
  }
}

/** PostgreSQL has not responded in the time of a request. */
const tooSlow = (): Problem => new Problem('unavailable', 'The database is too slow.');

/** Waits for a promise. @param deadline by `performance.now()` @throws {Problem} at the deadline */
export const beforeDeadline = <Value>(
  promise: Promise<Value>,
  deadline: number,
  problem: () => Problem = tooSlow,
): Promise<Value> =>
  withTimeLimit(promise, deadline - performance.now(), () => {
    throw problem();
  });

/** Calls a function with a value: at once, or when the promise resolves. Most requests then wait for no promise. */
export const andThen = <Value, Result>(
  value: Value | Promise<Value>,
  next: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> => (value instanceof Promise ? value.then(next) : next(value));

/**
 * Waits for a promise of the database.
 * @throws {Problem} unavailable after so many milliseconds
 */
export const orTooSlow = <Value>(promise: Promise<Value>, milliseconds: number): Promise<Value> =>
  beforeDeadline(promise, performance.now() + milliseconds);

/** Waits so many milliseconds, or until the signal aborts. */
export const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  wait(milliseconds, undefined, { signal }).catch(() => {});
