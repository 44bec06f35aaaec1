import type { Schemas } from './operations.ts';

/** The base class of all errors of this client, except the caller's abort and invalid arguments (`TypeError`). */
export class WaybillError extends Error {
  override name = 'WaybillError';
}

/**
 * The service returned a problem (RFC 9457). Handle errors by their `code`. The error catalogue in the docs lists all codes;
 * new codes may be added within a major version.
 */
export class ProblemError extends WaybillError {
  override name = 'ProblemError';

  /** The complete problem, including members that only some codes have, such as `current_status`. */
  readonly problem: Schemas['Problem'];

  /** The response headers. */
  readonly headers: Headers;

  constructor(problem: Schemas['Problem'], headers: Headers) {
    const fields = problem.errors?.map(({ in: part, pointer, detail }) => `\n  ${part}${pointer} ${detail}`) ?? [];
    super(`${problem.title}: ${problem.detail} (${problem.code}, request ${problem.request_id})${fields.join('')}`);
    this.problem = problem;
    this.headers = headers;
  }

  /** The machine-readable error code. */
  get code(): Schemas['ProblemCode'] {
    return this.problem.code;
  }

  /** The HTTP status. */
  get status(): number {
    return this.problem.status;
  }

  /** A short summary of the kind of problem. */
  get title(): string {
    return this.problem.title;
  }

  /** An explanation specific to this occurrence. */
  get detail(): string {
    return this.problem.detail;
  }

  /** The invalid fields; empty if the problem does not concern fields. */
  get errors(): Schemas['FieldError'][] {
    return this.problem.errors ?? [];
  }

  /** Whether this is the stored response to an earlier request with the same idempotency key. */
  get replayed(): boolean {
    return this.headers.get('Idempotent-Replayed') === 'true';
  }

  /** The request id, for support requests. */
  get requestId(): string {
    return this.problem.request_id;
  }
}

/**
 * No complete response arrived: the service was not reachable, the connection failed, or the call timed out. The request
 * may or may not have had its effect. `cause` is the error of the platform.
 */
export class ConnectionError extends WaybillError {
  override name = 'ConnectionError';
}

/** A response that is not in the contract, for example from a proxy or because of a wrong base URL. */
export class UnexpectedResponseError extends WaybillError {
  override name = 'UnexpectedResponseError';

  /** The HTTP status. */
  readonly status: number;

  /** The response headers. */
  readonly headers: Headers;

  /** The response body: parsed JSON, else text. */
  readonly body: unknown;

  constructor({ status, headers }: Pick<Response, 'status' | 'headers'>, body: unknown) {
    super(`The response with status ${status} does not come from Waybill. Check the base URL.`);
    this.status = status;
    this.headers = headers;
    this.body = body;
  }
}
