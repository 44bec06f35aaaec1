import { maxFieldErrors } from '@waybill/contract/limits';
import { fieldProblem } from '../http/problems.ts';

const dayLength = 24 * 60 * 60 * 1000;

/**
 * Refuses positions that clean-up would remove at once.
 * @param times each with the pointer of its field in the body
 * @throws {Problem} invalid_request with the earliest timestamp that is accepted
 */
export function requireRetained(times: { at: Date; pointer: string }[], days: number, now: Date): void {
  const earliest = new Date(now.getTime() - days * dayLength);
  const tooOld = times.filter(({ at }) => at < earliest).slice(0, maxFieldErrors);
  if (tooOld.length === 0) return;
  const detail = `must not be before ${earliest.toISOString()}: positions are retained for ${days} days`;
  throw fieldProblem(
    'invalid_request',
    tooOld.map(({ pointer }) => ({ in: 'body', pointer, code: 'too_old', detail })),
  );
}
