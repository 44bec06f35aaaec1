import { InvalidRequest } from '@waybill/contract/validation/invalid-request';
import { Problem, type ProblemCode } from './problems.ts';

const frameworkCodes: Record<string, ProblemCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_request',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
  FST_UNDER_PRESSURE: 'unavailable',
};

/**
 * Codes of temporary errors: PostgreSQL error classes (PostgreSQL manual, appendix A), a server that has become a replica
 * (25006), and errors of connections, of full queues and of the storage.
 */
const unavailableCode =
  /^(08...|25006|25P0[34]|26000|28...|3D000|40001|40003|40P01|53...|55P03|57014|57P0[1-5]|58...|ENOSPC|EDQUOT|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|QUEUE_FULL|STORAGE_UNAVAILABLE)$/;
/**
 * Messages of temporary errors without a code. Before the last one, a stale statement, they are those of a Citus worker
 * that is unreachable or has just stopped (libpq, fe-misc.c and fe-secure.c).
 */
const unavailableMessage =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|failure on connection|server closed the connection|SSL SYSCALL error|could not (receive data from|send data to) server|cached plan must not change)/;

/** Converts any thrown value to the problem that the caller gets. Unknown errors become internal_error. */
export function problemFromError(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof InvalidRequest) return problemOf(error);
  if (!(error instanceof Error)) return internalError();
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const known = frameworkCodes[code];
  if (known) return new Problem(known, known === 'not_found' ? 'There is nothing at this URL.' : sentenceOf(error));
  if (unavailableCode.test(code) || unavailableMessage.test(error.message)) {
    return new Problem('unavailable', 'The service is temporarily unavailable.');
  }
  if ('statusCode' in error && error.statusCode === 400) return new Problem('malformed_request', sentenceOf(error));
  return internalError();
}

const problemOf = ({ code, message, errors }: InvalidRequest): Problem =>
  new Problem(code, message, errors && { errors });

const internalError = (): Problem => new Problem('internal_error', 'An internal error occurred. It has been logged.');

const sentenceOf = ({ message }: Error): string => `${message.replace(/\.$/, '')}.`;
