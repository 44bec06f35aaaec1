import type { OperationId } from './calls.ts';
import { problemMembers } from './generated/table.ts';
import type { FieldError, KnownProblemCode, Problem } from './generated/types.ts';

/** What every error states about its call. */
export interface CallContext {
  /** The operation that failed. */
  readonly operation: OperationId;
  /** The idempotency key that was sent, also if it was generated. Repeat the request with it. Null if none was sent. */
  readonly idempotencyKey: string | null;
  /** The number of requests that were sent. */
  readonly attempts: number;
  /** The request id of the last response, for support requests; null if unknown. */
  readonly requestId: string | null;
}

/** The base class of all errors of this client, except those of invalid arguments (`TypeError`). */
export class WaybillClientError extends Error implements CallContext {
  static {
    WaybillClientError.prototype.name = 'WaybillClientError';
  }
  readonly operation: OperationId;
  readonly idempotencyKey: string | null;
  readonly attempts: number;
  readonly requestId: string | null;

  constructor(message: string, context: CallContext, options?: { cause?: unknown }) {
    super(message, options);
    this.operation = context.operation;
    this.idempotencyKey = context.idempotencyKey;
    this.attempts = context.attempts;
    this.requestId = context.requestId;
  }
}

/** The status and the headers of a response. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: Headers;
}

/** An enumeration, because its values are strings but none of the known codes: comparisons narrow the error. */
declare enum UnknownCode {
  any = '(unknown)',
}
/** A code that this version of the client does not know. It is any string. Compare it as `error.problem.code`. */
export type UnknownProblemCode = UnknownCode;

/** The members of every `WaybillError`. */
interface ProblemErrorMembers extends WaybillClientError {
  /** The complete problem (RFC 9457). */
  readonly problem: Problem;
  /** The HTTP status. */
  readonly status: number;
  /** The response headers. */
  readonly headers: Headers;
  /** Milliseconds until the request can succeed (`Retry-After`), as every 429 has; null if the response has none. */
  readonly retryAfter: number | null;
  /** A short summary of the kind of problem. */
  readonly title: string;
  /** An explanation specific to this occurrence. */
  readonly detail: string;
  /** The invalid fields; empty if the problem does not concern fields. */
  readonly errors: FieldError[];
  /** Whether this is the stored response to an earlier request with the same idempotency key. */
  readonly replayed: boolean;
}

type Members = typeof problemMembers;
/** The additional members of the problems with a code. */
type Additional<Code> = Code extends keyof Members ? Readonly<Required<Pick<Problem, Members[Code][number]>>> : unknown;

type KnownProblemError = {
  [Code in KnownProblemCode]: ProblemErrorMembers & {
    /** The machine-readable error code. */
    readonly code: Code;
  } & Additional<Code>;
}[KnownProblemCode];

interface UnknownProblemError extends ProblemErrorMembers {
  /** The machine-readable error code. */
  readonly code: UnknownProblemCode;
}

/**
 * The service returned a problem. Handle errors by their `code`, which also tells the additional members:
 * `if (error instanceof WaybillError && error.code === 'reference_taken') use(error.shipment_id)`.
 * New codes may be added within a major version.
 */
export type WaybillError = KnownProblemError | UnknownProblemError;

/** The class of problems. Its instances are a union, so that a comparison of `code` narrows them. */
export const WaybillError: {
  new (problem: Problem, response: ResponseHead, context: CallContext, hint?: string): WaybillError;
  readonly prototype: WaybillError;
} = class WaybillError extends WaybillClientError {
  static {
    WaybillError.prototype.name = 'WaybillError';
  }
  readonly problem: Problem;
  readonly status: number;
  readonly headers: Headers;
  readonly retryAfter: number | null;
  readonly errors: FieldError[] = [];

  constructor(problem: Problem, response: ResponseHead, context: CallContext, hint = '') {
    const { title, detail, code, request_id = context.requestId, errors } = problem;
    const fields = Array.isArray(errors)
      ? errors.map((error) => `\n  ${error.in}${error.pointer} ${error.detail}`)
      : [];
    super(`${title}: ${detail} (${code}, request ${request_id})${fields.join('')}${hint}`, {
      ...context,
      requestId: request_id,
    });
    for (const member of Object.values(problemMembers).flat()) {
      if (member in problem) Object.assign(this, { [member]: problem[member] });
    }
    this.problem = problem;
    this.status = response.status;
    this.headers = response.headers;
    this.retryAfter = retryAfter(response.headers);
  }

  get code(): string {
    return this.problem.code;
  }

  get title(): string {
    return this.problem.title;
  }

  get detail(): string {
    return this.problem.detail;
  }

  get replayed(): boolean {
    return this.headers.get('Idempotent-Replayed') === 'true';
  }
} as never;

/**
 * No complete response arrived: the service was not reachable or the connection failed. The request may or may not have
 * had its effect; repeat it with `idempotencyKey`. `cause` is the error of the platform.
 */
export class ConnectionError extends WaybillClientError {
  static {
    ConnectionError.prototype.name = 'ConnectionError';
  }
}

/** No complete response arrived in time. The request may or may not have had its effect. */
export class TimeoutError extends ConnectionError {
  static {
    TimeoutError.prototype.name = 'TimeoutError';
  }
}

/** The caller aborted the call. `cause` is the signal's reason. The request may or may not have had its effect. */
export class AbortError extends WaybillClientError {
  static {
    AbortError.prototype.name = 'AbortError';
  }
}

/** A response that is not in the contract, for example from a proxy or because of a wrong base URL. */
export class UnexpectedResponseError extends WaybillClientError {
  static {
    UnexpectedResponseError.prototype.name = 'UnexpectedResponseError';
  }

  /** The HTTP status. */
  readonly status: number;

  /** The response headers. */
  readonly headers: Headers;

  /** Milliseconds until the request can succeed (`Retry-After`); null if the response has none. */
  readonly retryAfter: number | null;

  /** The response body: parsed JSON, else text. */
  readonly body: unknown;

  constructor(response: ResponseHead, body: unknown, context: CallContext, hint = ' Check the base URL.') {
    super(
      `${context.operation}: the response with status ${response.status} does not come from Waybill.${hint}`,
      context,
    );
    this.status = response.status;
    this.headers = response.headers;
    this.retryAfter = retryAfter(response.headers);
    this.body = body;
  }
}

/** Milliseconds; `Retry-After` may be seconds or a date (RFC 9110, section 10.2.3). Null if it is absent or malformed. */
function retryAfter(headers: Headers): number | null {
  const value = headers.get('Retry-After') ?? '';
  const milliseconds = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(milliseconds) ? null : Math.max(milliseconds, 0);
}
