import type { OperationId } from './calls.ts';
import type { WaybillClientError } from './errors.ts';

/** A request that is about to be sent. */
export interface RequestEvent {
  /** The operation id. */
  readonly operation: OperationId;
  /** The HTTP method. */
  readonly method: string;
  /** The URL. Do not log that of `putProofFile` and `getProofFile`: it contains a token. */
  readonly url: string;
  /** The request headers without `Authorization`. A hook may set more, such as `traceparent`. */
  readonly headers: Headers;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** Null if the request has none. */
  readonly idempotencyKey: string | null;
}

/** A response of any status that has arrived. */
export interface ResponseEvent extends RequestEvent {
  /** The HTTP status. */
  readonly status: number;
  /** The response headers. */
  readonly responseHeaders: Headers;
  /** The request id; null if unknown. */
  readonly requestId: string | null;
  /** Milliseconds since the request was sent. */
  readonly duration: number;
}

/** An attempt that failed and will be repeated. */
export interface RetryEvent {
  /** The operation id. */
  readonly operation: OperationId;
  /** The attempt that failed: 1 for the first one. */
  readonly attempt: number;
  /** Milliseconds until the next attempt. */
  readonly delay: number;
  /** Why the attempt failed. */
  readonly error: WaybillClientError;
}

/** Functions that observe every attempt, for logs, metrics and traces. What they throw rejects the call. */
export interface Hooks {
  /** Called before each request. */
  onRequest?: ((event: RequestEvent) => void) | undefined;
  /** Called when a response has arrived completely. */
  onResponse?: ((event: ResponseEvent) => void) | undefined;
  /** Called before the pause of a retry. */
  onRetry?: ((event: RetryEvent) => void) | undefined;
}
