import type { OperationId } from './generated/operations.ts';
import type { FieldError, KnownProblemCode, Problem, ProblemMembers } from './generated/schemas.ts';
import { problemMembers } from './generated/table.ts';

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
  override name = 'WaybillClientError';
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

/** An enumeration, because its values are strings but none of the known codes: comparisons narrow the error. */
declare enum UnknownCode {
  any = '(unknown)',
}
/** A code that this version of the client does not know. It is any string. Compare it as `error.problem.code`. */
export type UnknownProblemCode = UnknownCode;

/** The members of every `WaybillError`. */
export interface ProblemErrorMembers extends WaybillClientError {
  /** The complete problem (RFC 9457). */
  readonly problem: Problem;
  /** The HTTP status. */
  readonly status: number;
  /** The response headers. */
  readonly headers: Headers;
  /** A short summary of the kind of problem. */
  readonly title: string;
  /** An explanation specific to this occurrence. */
  readonly detail: string;
  /** The invalid fields; empty if the problem does not concern fields. */
  readonly errors: FieldError[];
  /** Whether this is the stored response to an earlier request with the same idempotency key. */
  readonly replayed: boolean;
}

/** The additional members of the problems with a code. */
type Additional<Code> = Code extends keyof ProblemMembers
  ? Readonly<Required<Pick<Problem, ProblemMembers[Code]>>>
  : unknown;

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

class ProblemError extends WaybillClientError {
  override name = 'WaybillError';
  readonly problem: Problem;
  readonly status: number;
  readonly headers: Headers;
  readonly errors: FieldError[] = [];

  constructor(problem: Problem, response: { status: number; headers: Headers }, context: CallContext) {
    const { title, detail, code, request_id = context.requestId, errors } = problem;
    const fields = Array.isArray(errors)
      ? errors.map((error) => `\n  ${error.in}${error.pointer} ${error.detail}`)
      : [];
    super(`${title}: ${detail} (${code}, request ${request_id})${fields.join('')}`, {
      ...context,
      requestId: request_id,
    });
    for (const member of problemMembers) {
      if (member in problem) Object.assign(this, { [member]: problem[member as keyof Problem] });
    }
    this.problem = problem;
    this.status = response.status;
    this.headers = response.headers;
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
}

/** The class of problems. Its instances are a union, so that a comparison of `code` narrows them. */
export const WaybillError: {
  new (problem: Problem, response: { status: number; headers: Headers }, context: CallContext): WaybillError;
  readonly prototype: WaybillError;
} = ProblemError as never;

/**
 * No complete response arrived: the service was not reachable or the connection failed. The request may or may not have
 * had its effect; repeat it with `idempotencyKey`. `cause` is the error of the platform.
 */
export class ConnectionError extends WaybillClientError {
  override name = 'ConnectionError';
}

/** No complete response arrived in time. The request may or may not have had its effect. */
export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError';
}

/** The caller aborted the call. `cause` is the signal's reason. The request may or may not have had its effect. */
export class AbortError extends WaybillClientError {
  override name = 'AbortError';
}

/** A response that is not in the contract, for example from a proxy or because of a wrong base URL. */
export class UnexpectedResponseError extends WaybillClientError {
  /** The HTTP status. */
  readonly status: number;

  /** The response headers. */
  readonly headers: Headers;

  /** The response body: parsed JSON, else text. */
  readonly body: unknown;

  constructor(response: { status: number; headers: Headers }, body: unknown, context: CallContext) {
    super(
      `${context.operation}: the response with status ${response.status} does not come from Waybill. Check the base URL.`,
      context,
    );
    this.status = response.status;
    this.headers = response.headers;
    this.body = body;
  }

  override name = 'UnexpectedResponseError';
}
