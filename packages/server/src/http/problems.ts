import { problemDocument } from '@waybill/contract/problem-document';
import { type ProblemMembers, problems } from '@waybill/contract/problems';
import type { components } from '@waybill/contract/types';
import { summaryOf } from '@waybill/contract/validation/invalid-request';

/** Content type of problems. */
export const problemType = 'application/problem+json';

/** Headers of every response. */
export const commonHeaders = (requestId: string): Record<string, string> => ({
  'x-request-id': requestId,
  'x-content-type-options': 'nosniff',
});

type ProblemDocument = components['schemas']['Problem'];
export type ProblemCode = components['schemas']['ProblemCode'];
export type FieldError = components['schemas']['FieldError'];
/** Additional members of some problems. */
type Members = Pick<ProblemDocument, ProblemMembers[keyof ProblemMembers]>;

/** An error with a code of the contract's error catalogue. Throw it anywhere; `sendProblem` sends it. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly members: Members;
  readonly headers: Record<string, string>;

  constructor(code: ProblemCode, detail?: string, members: Members = {}, headers: Record<string, string> = {}) {
    super(detail ?? problems[code].title);
    this.code = code;
    this.members = members;
    this.headers = { ...headersOf(code), ...headers };
  }

  get status(): number {
    return problems[this.code].status;
  }

  /** Makes the body of the response (RFC 9457). @param instance the path of the request */
  document(instance: string, requestId: string): ProblemDocument {
    return problemDocument(this.code, { detail: this.message, instance, requestId, members: this.members });
  }
}

function headersOf(code: ProblemCode): Record<string, string> {
  if (code === 'unauthenticated') return { 'WWW-Authenticate': 'Bearer' };
  if (code === 'unavailable') return { 'Retry-After': '2' };
  return {};
}

/** The account has no such shipment. It is the same for a shipment of another account. */
export const noShipment = (): Problem => new Problem('not_found', 'There is no such shipment.');

/** Makes one problem of invalid fields. */
export const fieldProblem = (code: ProblemCode, errors: FieldError[]): Problem =>
  new Problem(code, summaryOf(errors), { errors });
