import type { Schemas } from './operations.ts';

/** Everything this client throws, but for a caller's own abort and mistakes in the arguments (`TypeError`). */
export class WaybillError extends Error {
  override name = 'WaybillError';
}

/**
 * The service refused the request and said why (RFC 9457). Decide by `code`; the codes are listed in the docs'
 * error catalogue and may grow within a major version.
 */
export class ProblemError extends WaybillError {
  override name = 'ProblemError';

  /** The whole problem as it was received, with the members that only some codes have, such as `current_status`. */
  readonly problem: Schemas['Problem'];

  /** The answer's headers. */
  readonly headers: Headers;

  constructor(problem: Schemas['Problem'], headers: Headers) {
    const fields = problem.errors?.map(({ in: part, pointer, detail }) => `\n  ${part}${pointer} ${detail}`) ?? [];
    super(`${problem.title}: ${problem.detail} (${problem.code}, request ${problem.request_id})${fields.join('')}`);
    this.problem = problem;
    this.headers = headers;
  }

  /** What went wrong, for programs to decide by. */
  get code(): Schemas['ProblemCode'] {
    return this.problem.code;
  }

  /** The HTTP status. */
  get status(): number {
    return this.problem.status;
  }

  /** The kind of problem, in words. */
  get title(): string {
    return this.problem.title;
  }

  /** This very problem, in words. */
  get detail(): string {
    return this.problem.detail;
  }

  /** The fields at fault; empty when the problem is not about fields. */
  get errors(): Schemas['FieldError'][] {
    return this.problem.errors ?? [];
  }

  /** Whether this is the outcome of an earlier request with the same idempotency key, told again. */
  get replayed(): boolean {
    return this.headers.get('Idempotent-Replayed') === 'true';
  }

  /** Quote it when you ask for help. */
  get requestId(): string {
    return this.problem.request_id;
  }
}

/**
 * No complete answer arrived: the service cannot be reached, the connection broke, or the time was up. Whether the
 * service acted on the request is not known. `cause` is the reason given by the platform.
 */
export class ConnectionError extends WaybillError {
  override name = 'ConnectionError';
}

/** An answer that the contract does not have, as a proxy or a wrong base URL may give. */
export class UnexpectedResponseError extends WaybillError {
  override name = 'UnexpectedResponseError';

  /** The HTTP status. */
  readonly status: number;

  /** The answer's headers. */
  readonly headers: Headers;

  /** The answer's body as far as it could be read: parsed JSON, else text. */
  readonly body: unknown;

  constructor({ status, headers }: Pick<Response, 'status' | 'headers'>, body: unknown) {
    super(`The answer (status ${status}) is not one of Waybill's; check the base URL.`);
    this.status = status;
    this.headers = headers;
    this.body = body;
  }
}
