import { hash } from 'node:crypto';
import { operationTable } from '@waybill/contract/operations';
import type { OperationId, OperationResponse } from '@waybill/http/operations';
import { Problem } from '@waybill/http/problems';
import type { FastifyRequest } from 'fastify';
import canonicalJson from 'safe-stable-stringify';

/** The `Idempotency-Key` of a request; undefined without one, and for operations that have none in the contract. */
export function idempotencyKey(id: OperationId, { headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const names: readonly string[] = operationTable[id].headers;
  const key = names.includes('Idempotency-Key') ? headers['idempotency-key'] : undefined;
  return typeof key === 'string' ? key : undefined;
}

/** Statuses below 500 that are not stored: the request may succeed when it is corrected or repeated. */
const statusesNotStored = [400, 401, 403, 413, 415, 429];
/** Refusals because of the key itself: it has, or will have, the response of another request. */
const codesOfKeys = ['idempotency_in_progress', 'idempotency_key_reused'];

/** A write. Those with the same `Idempotency-Key` and fingerprint have one effect. */
interface KeyedOperation {
  operation: string;
  path: unknown;
  body: unknown;
}

/** Equal requests have the same operation, path values and body in canonical JSON (RFC 8785). */
export const fingerprintOf = ({ operation, path, body }: KeyedOperation): Buffer =>
  hash('sha256', [operation, canonicalJson(path), canonicalJson(body)].join('\n'), 'buffer');

export const keyReused = (): Problem => new Problem('idempotency_key_reused', 'This key was used for another request.');

/** Whether a refusal is stored with the key of its request. */
export const isStorable = (error: unknown): error is Problem =>
  error instanceof Problem &&
  error.status < 500 &&
  !statusesNotStored.includes(error.status) &&
  !codesOfKeys.includes(error.code);

/** The form in which a problem is stored. */
export const storedProblem = ({ status, code, message, members }: Problem): OperationResponse => ({
  status,
  body: { code, detail: message, members },
});

/**
 * Returns a stored response, marked as a replay.
 * @throws {Problem} when a problem is stored
 */
export function replayOrThrow({ status, headers, body }: OperationResponse): OperationResponse {
  if (status < 400) return { status, headers: { ...headers, 'idempotent-replayed': 'true' }, body };
  const { code, detail, members } = body as Pick<Problem, 'code' | 'members'> & { detail: string };
  throw new Problem(code, detail, members, { 'Idempotent-Replayed': 'true' });
}
