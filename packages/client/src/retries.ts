import { ConnectionError, UnexpectedResponseError, type WaybillClientError, WaybillError } from './errors.ts';

/** Upper limits of the pauses before retries in milliseconds: they double from the first to the last. */
const [firstPause, longestPause] = [250, 4_000];

/** Whether the same request may succeed later: no connection, not processed, too many requests, an error of a server. */
export function isRetryable(error: unknown): error is WaybillClientError {
  if (error instanceof ConnectionError) return true;
  if (error instanceof WaybillError && error.code === 'idempotency_in_progress') return true;
  if (!(error instanceof WaybillError || error instanceof UnexpectedResponseError)) return false;
  return error.status === 408 || error.status === 429 || error.status >= 500;
}

/** Milliseconds until the next attempt: `Retry-After` and exponential backoff with full jitter. */
export function retryDelay(error: WaybillClientError, attempt: number): number {
  const backoff = Math.min(firstPause * 2 ** (attempt - 1), longestPause) * Math.random();
  return backoff + ('headers' in error ? retryAfter(error.headers as Headers) : 0);
}

/** Milliseconds; `Retry-After` may be seconds or a date (RFC 9110, section 10.2.3). */
function retryAfter(headers: Headers): number {
  const value = headers.get('Retry-After');
  if (value === null) return 0;
  const milliseconds = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Math.max(milliseconds || 0, 0);
}
