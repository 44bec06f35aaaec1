import { Problem } from '@waybill/http/problems';
import { withTimeLimit } from '../timing/time-limit.ts';

/**
 * Waits for a promise. What the promise belongs to goes on after the timeout: a write may still have its effect, and a
 * repetition with its Idempotency-Key returns its response.
 * @throws {Problem} unavailable after so many milliseconds
 */
export const within = <Value>(promise: Promise<Value>, milliseconds: number): Promise<Value> =>
  withTimeLimit(promise, milliseconds, () => {
    throw new Problem('unavailable', 'The database is too slow.');
  });
