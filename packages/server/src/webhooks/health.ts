import type { RecordedAttempt } from './queue-queries.ts';
import { failingLimit } from './retry-schedule.ts';

/** An attempt that has ended. */
export interface AttemptResult {
  succeeded: boolean;
  recorded: RecordedAttempt;
}

/** The time of the first failed attempt after the last successful one; null when the last one has succeeded. */
export function failingSince(before: Date | null, results: AttemptResult[]): Date | null {
  let since = before;
  for (const { succeeded } of results) since = succeeded ? null : (since ?? new Date());
  return since;
}

/** Why an endpoint is to be disabled after some attempts; undefined when it is not. @param since what failingSince returned */
export function disableReason(results: AttemptResult[], since: Date | null): 'gone' | 'failing' | undefined {
  if (results.some(({ recorded }) => recorded.response_status === 410)) return 'gone';
  if (since !== null && Date.now() - since.getTime() > failingLimit) return 'failing';
  return undefined;
}
