import { Problem } from './problems.ts';

/**
 * Waits for a promise. What the promise belongs to goes on after the timeout: a write may still have its effect, and a
 * repetition with its Idempotency-Key returns its response.
 * @throws {Problem} unavailable after so many milliseconds
 */
export async function within<Value>(promise: Promise<Value>, milliseconds: number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Problem('unavailable', 'The database is too slow.')), milliseconds);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
