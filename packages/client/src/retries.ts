import { ConnectionError, ProblemError, UnexpectedResponseError } from './errors.ts';

/** How often and how long a call may try. */
interface Patience {
  /** Attempts after the first one. */
  retries: number;
  /** Milliseconds for all attempts and the waits between them. */
  timeout: number;
  /** Ends a wait, which then rejects with its reason. */
  signal: AbortSignal | undefined;
}

/** The service is busy (429, 503), or a proxy did not reach it (502, 503, 504). */
const passing = [429, 502, 503, 504];

/**
 * Attempts a request until it is answered, as far as repeating it may help. Each wait is what the answer's
 * `Retry-After` says and a random share of a time that doubles, so that many clients do not come back at once. When
 * the wait would outlast the call's time, the last error is thrown at once.
 */
export async function withRetries<T>(attempt: () => Promise<T>, { retries, timeout, signal }: Patience): Promise<T> {
  const end = performance.now() + timeout;
  for (let tried = 0; ; tried++) {
    try {
      return await attempt();
    } catch (error) {
      if (tried >= retries || !mayPass(error)) throw error;
      const wait = retryAfter(error) + Math.min(250 * 2 ** tried, 8_000) * (0.5 + Math.random() / 2);
      if (performance.now() + wait >= end) throw error;
      await pause(wait, signal);
    }
  }
}

function mayPass(error: unknown): error is ConnectionError | ProblemError | UnexpectedResponseError {
  if (error instanceof ProblemError && error.code === 'idempotency_in_progress') return true;
  if (error instanceof ProblemError || error instanceof UnexpectedResponseError) return passing.includes(error.status);
  return error instanceof ConnectionError;
}

/** Milliseconds; a proxy may give a date in place of seconds (RFC 9110, section 10.2.3). */
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
