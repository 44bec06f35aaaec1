import type { ScheduledDelivery, StoredDelivery } from '../queue/delivery-queue.ts';
import type { AttemptOutcome } from './send.ts';

/** Seconds between the attempts of a delivery, about three days together. */
const delays = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 43_200, 43_200, 43_200, 43_200, 28_800];
/** The largest part that is added to a delay, so that deliveries that failed together are not all retried together. */
const jitter = 0.1;
/** Milliseconds of the longest pause that a receiver gets by `Retry-After`. */
const maxRetryPause = Math.max(...delays) * 1000;

/**
 * Milliseconds until the next attempt: the pause, or a longer `Retry-After` of 429 and 503 (Standard Webhooks). Undefined when
 * none follows.
 * @param attempts that have failed
 */
function retryDelay(attempts: number, { responseStatus, retryAfter = 0 }: AttemptOutcome): number | undefined {
  const delay = delays[attempts - 1];
  if (delay === undefined) return undefined;
  const asked = responseStatus === 429 || responseStatus === 503 ? Math.min(retryAfter, maxRetryPause) : 0;
  return Math.max(delay * 1000, asked) * (1 + jitter * Math.random());
}

/** The status by which a receiver ends its endpoint: Gone. */
export const gone = 410;

/**
 * What is stored in a delivery after an attempt, which `attempts` includes, or when its event has expired. With the status
 * `pending`, it is retried at `next_attempt_at`.
 */
export type DeliveryResult = Omit<StoredDelivery, 'event_number' | 'event_created_at' | 'type'>;

/** Whether a request was sent, or could not be: not for an expired event (`resultOfExpired`). */
export const isAttempted = (result: DeliveryResult): result is DeliveryResult & { attempted_at: Date } =>
  result.attempted_at !== null;

/** @returns the result of an attempt that was made. `recordAttempts` retries one that has failed at an old URL. @param now the time of the request */
export function resultOfAttempt(
  { id, order_key, attempts, url }: Pick<ScheduledDelivery, 'id' | 'order_key' | 'attempts' | 'url'>,
  outcome: AttemptOutcome,
  now: Date,
): DeliveryResult {
  const { succeeded, responseStatus, responseBody, error, milliseconds } = outcome;
  const mayRetry = !succeeded && responseStatus !== gone;
  const delay = mayRetry ? retryDelay(attempts + 1, outcome) : undefined; // undefined, too, after the last attempt
  return {
    id,
    order_key,
    attempts: attempts + 1,
    status: succeeded ? 'delivered' : delay === undefined ? 'failed' : 'pending',
    next_attempt_at: delay === undefined ? null : new Date(now.getTime() + milliseconds + delay),
    attempted_at: now,
    attempt_url: url,
    attempt_ms: milliseconds,
    response_status: responseStatus ?? null,
    response_body: responseBody ?? null,
    error: error ?? null,
  };
}

/**
 * The result for an event that is no longer retained: it would hold up the later ones of its shipment. It is counted as
 * an attempt although no request was sent, so that a late result of another instance is ignored.
 */
export const resultOfExpired = ({ id, order_key, attempts }: ScheduledDelivery): DeliveryResult => ({
  id,
  order_key,
  attempts: attempts + 1,
  status: 'failed',
  next_attempt_at: null,
  attempted_at: null,
  attempt_url: null,
  attempt_ms: null,
  response_status: null,
  response_body: null,
  error: null,
});
