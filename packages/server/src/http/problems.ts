import { problems } from '@waybill/contract/problems';
import type { components } from '@waybill/contract/types';

type ProblemDocument = components['schemas']['Problem'];
export type ProblemCode = components['schemas']['ProblemCode'];
export type FieldError = components['schemas']['FieldError'];
/** Members that some problems carry beside the usual ones. */
type Members = Pick<ProblemDocument, 'errors' | 'current_status' | 'allowed' | 'shipment_id'>;

/** An error with a code of the contract's catalogue. Throw it where it is known; `replyWithProblem` sends it. */
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

  /** The body of the answer (RFC 9457). */
  document(instance: string, requestId: string): ProblemDocument {
    const { status, title } = problems[this.code];
    return {
      type: `/docs/errors/${this.code}`,
      title,
      status,
      detail: this.message,
      instance,
      code: this.code,
      request_id: requestId,
      ...this.members,
    };
  }
}

function headersOf(code: ProblemCode): Record<string, string> {
  if (code === 'unauthenticated') return { 'WWW-Authenticate': 'Bearer' };
  if (code === 'unavailable') return { 'Retry-After': '2' };
  return {};
}

/** The account has no such shipment; whether another has one is nobody's business. */
export const noShipment = (): Problem => new Problem('not_found', 'There is no such shipment.');

/** Fields at fault → one problem. */
export function fieldProblem(code: ProblemCode, errors: FieldError[]): Problem {
  const [first] = errors;
  const detail =
    errors.length === 1 && first
      ? `${first.in}${first.pointer && ` ${first.pointer}`} ${first.detail}.`
      : `${errors.length} fields are at fault.`;
  return new Problem(code, detail.slice(0, 1000), { errors });
}

const frameworkCodes: Record<string, ProblemCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_request',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
  FST_UNDER_PRESSURE: 'unavailable',
};

/**
 * PostgreSQL error classes that say "not now" (PostgreSQL manual, appendix A), a server that is read-only because another
 * is the primary by now (25006), and what a lost connection throws.
 */
const unavailable =
  /^(08...|25006|25P0[34]|26000|28...|3D000|40001|40003|40P01|53...|55P03|57014|57P0[1-5]|58...|ENOSPC|EDQUOT|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/;
/** The last two have no code of their own: a worker of Citus that is gone, a statement from before a migration. */
const lostConnection =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|failure on connection|cached plan must not change)/;

/** Any thrown value → the problem that the caller sees. What is not known is a fault of ours. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (!(error instanceof Error)) return new Problem('internal_error', 'A fault of ours. It has been logged.');
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const known = frameworkCodes[code];
  if (known) return new Problem(known, known === 'not_found' ? 'There is nothing at this address.' : sentence(error));
  if (unavailable.test(code) || lostConnection.test(error.message)) {
    return new Problem('unavailable', 'The service cannot answer right now.');
  }
  if ('statusCode' in error && error.statusCode === 400) return new Problem('malformed_request', sentence(error));
  return new Problem('internal_error', 'A fault of ours. It has been logged.');
}

const sentence = ({ message }: Error): string => `${message.replace(/\.$/, '')}.`;
