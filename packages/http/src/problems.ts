import { problemDocument } from '@waybill/contract/problem-document';
import { type ProblemMembers, problems } from '@waybill/contract/problems';
import type { components } from '@waybill/contract/types';
import { InvalidRequest, quoted, summaryOf } from '@waybill/contract/validation/invalid-request';

/** Content type of problems. */
export const problemType = 'application/problem+json';

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

  /** Makes the body of the response (RFC 9457). @param path of the request */
  document(path: string, requestId: string): ProblemDocument {
    return problemDocument(this.code, { detail: this.message, path, requestId, members: this.members });
  }
}

function headersOf(code: ProblemCode): Record<string, string> {
  if (code === 'unauthenticated') return { 'WWW-Authenticate': 'Bearer' };
  if (code === 'unavailable') return { 'Retry-After': '2' };
  return {};
}

/** Makes one problem of invalid fields. */
export const fieldProblem = (code: ProblemCode, errors: FieldError[]): Problem =>
  new Problem(code, summaryOf(errors), { errors });

/** @param allowed the methods of the path */
export function methodNotAllowed(method: string, allowed: string[]): Problem {
  const allow = allowed.join(', ');
  return new Problem('method_not_allowed', `Use ${allow} here, not ${method}.`, {}, { Allow: allow });
}

const frameworkCodes: Record<string, ProblemCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_request',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
};

/** Whether an error is temporary, so that its request may succeed when it is sent again. */
export type IsTemporary = (error: Error) => boolean;

/** Converts any thrown value to the problem that the caller gets. Unknown errors become internal_error. */
export function problemFromError(error: unknown, isTemporary: IsTemporary = () => false): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof InvalidRequest) return problemOf(error);
  if (!(error instanceof Error)) return internalError();
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const known = frameworkCodes[code];
  if (known) return new Problem(known, known === 'not_found' ? 'There is nothing at this URL.' : sentenceOf(error));
  if (isTemporary(error)) return new Problem('unavailable', 'The service is temporarily unavailable.');
  if ('statusCode' in error && error.statusCode === 400) return new Problem('malformed_request', sentenceOf(error));
  return internalError();
}

const problemOf = ({ code, message, errors }: InvalidRequest): Problem =>
  new Problem(code, message, errors && { errors });

const internalError = (): Problem => new Problem('internal_error', 'An internal error occurred. It has been logged.');

const sentenceOf = ({ message }: Error): string => `${message.replace(/\.$/, '')}.`;

/** The account has no such resource. It is the same for that of another account. @param id as it was sent */
export const notFound = (resource: string, id: string): Problem =>
  new Problem('not_found', `There is no ${resource} ${quoted(id)}.`);
