/** The types that the arguments and responses of all operations have in common. */

/** Options of every call, in addition to the parameters of its operation. */
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

/** An operation on a file takes its token, or the signed URL that contains it. */
export type SignedCall<Path> = CallOptions &
  (
    | {
        /** The token of the file. */
        path: Path;
        url?: undefined;
      }
    | {
        /** The signed URL of the file, such as `signature_url` or `upload_url`. No API key is sent to it. */
        url: string;
        path?: undefined;
      }
  );

/** A read without `ifNoneMatch`, which never returns 304. */
export interface Unconditional {
  ifNoneMatch?: null | undefined;
}

/** The response that a call resolves with. */
export interface ApiResponse<Status extends number, Data> {
  /** The HTTP status. */
  readonly status: Status;
  /** The body: parsed JSON, a `Blob` for a file, undefined if there is none. */
  readonly data: Data;
  /** The response headers. */
  readonly headers: Headers;
  /** The request id, for support requests; null if a proxy removed the header. */
  readonly requestId: string | null;
  /** The number of requests that were sent. */
  readonly attempts: number;
}

/** A response that can be read conditionally. */
export interface Tagged {
  /** Identifies this state. Send it as `ifNoneMatch`. Null if a proxy removed the header. */
  readonly etag: string | null;
}

/** A response to a request with an idempotency key. */
export interface Replayable {
  /** Whether this is the stored response to an earlier request with the same idempotency key. */
  readonly replayed: boolean;
}

/** The response to a conditional read when nothing has changed. */
export interface NotModified extends ApiResponse<304, undefined>, Tagged {}
