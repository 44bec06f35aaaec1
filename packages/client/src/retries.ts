import { ConnectionError, ProblemError, UnexpectedResponseError } from './errors.ts';

/** The limits of a call with retries. */
interface RetryOptions {
  /** Attempts after the first one. */
  retries: number;
  /** Milliseconds for all attempts and the pauses between them. */
  timeout: number;
  /** Aborts a pause, which then rejects with the signal's reason. */
  signal: AbortSignal | undefined;
}

/** Rate limited or overloaded (429, 503), or not reached by a proxy (502, 503, 504). */
const retryableStatuses = [429, 502, 503, 504];

/**
 * Repeats an attempt after retryable errors. Each pause is the `Retry-After` of the response plus exponential backoff with
 * jitter. If the pause would exceed the timeout, the last error is thrown at once.
 */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  { retries, timeout, signal }: RetryOptions,
): Promise<T> {
  const end = performance.now() + timeout;
  for (let retry = 0; ; retry++) {
    try {
      return await attempt();
    } catch (error) {
      if (retry >= retries || !isRetryable(error)) throw error;
      const delay = retryAfter(error) + Math.min(250 * 2 ** retry, 8_000) * (0.5 + Math.random() / 2);
      if (performance.now() + delay >= end) throw error;
      await pause(delay, signal);
    }
  }
}

function isRetryable(error: unknown): error is ConnectionError | ProblemError | UnexpectedResponseError {
  if (error instanceof ProblemError && error.code === 'idempotency_in_progress') return true;
  if (error instanceof ProblemError || error instanceof UnexpectedResponseError)
    return retryableStatuses.includes(error.status);
  return error instanceof ConnectionError;
}

/** Milliseconds; `Retry-After` may be seconds or a date (RFC 9110, section 10.2.3). */
function retryAfter(error: ConnectionError | ProblemError | UnexpectedResponseError): number {
  const value = 'headers' in error ? error.headers.get('Retry-After') : null;
  if (value === null) return 0;
  const milliseconds = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Math.max(milliseconds || 0, 0);
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
