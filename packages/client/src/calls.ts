/** What the arguments and the responses of all operations have in common. */
import type { operations } from './generated/types.ts';

/** The id of an operation, which is the name of its method. */
export type OperationId = keyof operations;

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call, which then rejects with an `AbortError`. */
  signal?: AbortSignal | undefined;
  /** Milliseconds for the call, including retries and the pauses between them. Default: the client's `timeout`. */
  timeout?: number | undefined;
  /** Milliseconds for one attempt. Default: the client's `attemptTimeout`. */
  attemptTimeout?: number | undefined;
  /** Maximum number of retries. Default: the client's `maxRetries`. */
  maxRetries?: number | undefined;
  /** Additional request headers. They replace those of the client. */
  headers?: Record<string, string> | undefined;
}

/** Options of a POST. */
export interface PostOptions extends CallOptions {
  /**
   * A unique value, such as a UUID. For 24 hours, the same request with the same key returns the stored response and has no
   * further effect. Default: a random UUID. Null sends none, and the request is not retried.
   */
  idempotencyKey?: string | null | undefined;
}

/** Options of a read that can be conditional. */
export interface ReadOptions<Tag = string | null | undefined> extends CallOptions {
  /** The `etag` of an earlier response. If nothing has changed since, the call resolves with undefined. */
  ifNoneMatch?: Tag;
}

/** Options of a change that can be conditional. */
export interface ChangeOptions extends CallOptions {
  /** The `etag` of an earlier response. If the resource has changed since, the call rejects with `precondition_failed`. */
  ifMatch?: string | null | undefined;
}

/** The response of a call: see `withResponse`. */
export interface ApiResponse<Data> {
  /** What the call resolves with: parsed JSON, a `Blob` for a file, undefined for a response without a body. */
  readonly data: Data;
  /** The HTTP status. */
  readonly status: number;
  /** The response headers. */
  readonly headers: Headers;
  /** The request id, for support requests; null if a proxy removed the header. */
  readonly requestId: string | null;
  /** The number of requests that were sent. */
  readonly attempts: number;
  /** Identifies this state of the resource. Send it as `ifNoneMatch` or `ifMatch`. Null if the response has none. */
  readonly etag: string | null;
  /** Whether this is the stored response to an earlier request with the same idempotency key. */
  readonly replayed: boolean;
}
