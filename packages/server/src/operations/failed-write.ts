import { setTimeout as wait } from 'node:timers/promises';
import type { OperationResponse } from '@waybill/http/operations';
import { Problem } from '@waybill/http/problems';
import type { FastifyRequest } from 'fastify';
import type { Database } from '../database/database.ts';
import { isCanceled, isRejectedByPostgres } from '../database/errors.ts';
import type { Committed } from './commit-write.ts';
import {
  findStoredResponse,
  type KeyedRequest,
  KeyTaken,
  responseRow,
  storedProblem,
  storeResponse,
} from './stored-responses.ts';

/** Milliseconds between two searches for a response that another process is about to store. */
const pollInterval = 100;

/** What has become of a write. Equal requests get the response, in its stored form, as a replay. */
export type Outcome =
  | Committed
  | { kind: 'refused'; response: OperationResponse; problem: Problem }
  | { kind: 'replayed'; response: OperationResponse };

export const inProgress = (): Problem =>
  new Problem(
    'idempotency_in_progress',
    'The first request with this key is still running.',
    {},
    { 'Retry-After': '1' },
  );

/** A request with a key that is executed. */
interface Execution {
  request: FastifyRequest;
  keyed: KeyedRequest;
  database: Database;
  /** When it stops waiting for another one with its key, by `performance.now()`. */
  waitUntil: number;
}

/**
 * What becomes of a write that has failed:
 * - a refusal that can be stored is stored, unless an equal request has a response: a shipment that it has cancelled cannot be
 *   cancelled again;
 * - a taken key, and what an equal request may have caused: its response;
 * - anything else: the failure.
 * @throws the failure; {Problem} those of `responseOfKeyOrThrow`
 */
export async function outcomeAfterFailure(failure: unknown, execution: Execution): Promise<Outcome> {
  if (!isStorable(failure)) return { kind: 'replayed', response: await responseOfEqualOrThrow(failure, execution) };
  const { keyed, database } = execution;
  const response = storedProblem(failure);
  const row = responseRow(keyed.accountId, keyed, response);
  const db = database.ofAccount(keyed.accountId);
  try {
    await db.transaction().execute((trx) => storeResponse(trx, row, database));
  } catch (error) {
    return { kind: 'replayed', response: await responseOfEqualOrThrow(error, execution) };
  }
  return { kind: 'refused', response, problem: failure };
}

/**
 * The response of the equal request that has caused a failure: a taken key, a refusal that is not stored, such as
 * upload_limit_reached after its upload, or the wait for a lock of a row that it held. After a lost connection nothing is
 * searched: if the write is committed, a repeat finds its response.
 * @throws the failure when there is no such response; {Problem} those of `responseOfKeyOrThrow`
 */
async function responseOfEqualOrThrow(failure: unknown, execution: Execution): Promise<OperationResponse> {
  if (failure instanceof KeyTaken) return responseOfKeyOrThrow(failure, execution);
  const { keyed, database } = execution;
  const isPossible = mayBeOfEqual(failure);
  const response = isPossible ? await findStoredResponse(database.ofAccount(keyed.accountId), keyed) : undefined;
  if (!response) throw failure;
  return response;
}

/** Statuses below 500 that are not stored: the request may succeed when it is corrected or repeated. */
const statusesNotStored = [400, 401, 403, 413, 415, 429];
/** Refusals because of the key itself: it has, or will have, the response of another request. */
const codesOfKeys = ['idempotency_in_progress', 'idempotency_key_reused'];

/** Whether a refusal is stored with the key of its request. */
const isStorable = (error: unknown): error is Problem =>
  error instanceof Problem &&
  error.status < 500 &&
  !statusesNotStored.includes(error.status) &&
  !codesOfKeys.includes(error.code);

/** Whether an equal request may have caused a failure: a refusal, or an error of PostgreSQL, such as a lock timeout. */
const mayBeOfEqual = (failure: unknown): boolean =>
  failure instanceof Problem ? failure.status < 500 : isRejectedByPostgres(failure) || isCanceled(failure);

/**
 * The response of the request that has used the key, as soon as its transaction has stored it.
 * @throws {Problem} unavailable when it has expired meanwhile: a repeat succeeds; idempotency_in_progress;
 * idempotency_key_reused when the request is another one
 */
async function responseOfKeyOrThrow({ by }: KeyTaken, execution: Execution): Promise<OperationResponse> {
  const { request, keyed, database, waitUntil } = execution;
  if (by === 'transaction') request.releaseSlots?.();
  for (;;) {
    const response = await findStoredResponse(database.ofAccount(keyed.accountId), keyed);
    if (response) return response;
    if (by === 'response') throw new Problem('unavailable');
    if (performance.now() + pollInterval > waitUntil) throw inProgress();
    await wait(pollInterval);
  }
}
