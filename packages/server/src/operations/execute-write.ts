import { hash } from 'node:crypto';
import { operationTable } from '@waybill/contract/operations';
import type { OperationId, OperationResponse, SerializedResponse } from '@waybill/http/operations';
import type { FastifyRequest } from 'fastify';
import canonicalJson from 'safe-stable-stringify';
import { beforeDeadline } from '../concurrency/time-limit.ts';
import type { Database } from '../database/database.ts';
import type { Commit } from './commit-write.ts';
import { inProgress, type Outcome, outcomeAfterFailure } from './failed-write.ts';
import { type KeyedRequest, replayOrThrow } from './stored-responses.ts';

/** A request with a write. */
interface WriteRequest {
  id: OperationId;
  /** It is validated. */
  request: FastifyRequest;
  commit: Commit;
  /** @throws when the response cannot be sent */
  serialize(response: OperationResponse): SerializedResponse;
}

/** The requests with a key that this process executes. Equal ones share one response and one connection. */
export type RunningRequests = Map<string, RunningRequest>;

interface RunningRequest {
  fingerprint: Buffer;
  /** Undefined once the request has left the map, of which V8 keeps removed entries for long (decision 0033). */
  response: Promise<OperationResponse> | undefined;
}

export interface WriteOptions {
  database: Database;
  running: RunningRequests;
  /** How long a request waits for the database altogether, in milliseconds. What it has begun goes on. */
  executionTimeout: number;
  /** The same for a request with an Idempotency-Key, which may wait for another one. */
  keyedTimeout: number;
  /** How long a request waits for another one with its Idempotency-Key, in milliseconds. */
  idempotencyWait: number;
}

/**
 * Commits a write, and returns its response. A key has one effect: effect and stored response commit together, and nothing is
 * committed when the key has a stored response already.
 *
 * There is no search for a stored response before the write: it costs a round trip, and few requests are repeated (decision
 * 0002). The transaction fails with `KeyTaken` when another request has used the key. Then `outcomeAfterFailure` reads its response.
 * @throws {Problem} of a refusal; unavailable at the time limit; idempotency_in_progress when another request with the key runs
 * for too long; idempotency_key_reused
 */
export async function executeWrite(
  { id, request, commit, serialize }: WriteRequest,
  { database, running, executionTimeout, keyedTimeout, idempotencyWait }: WriteOptions,
): Promise<SerializedResponse> {
  const start = performance.now() - request.waited; // for its API key, its slots (operations/admission.ts) and its plan
  const key = idempotencyKey(id, request);
  if (key === undefined) {
    const committed = await beforeDeadline(commit(undefined), start + executionTimeout);
    return committed.result;
  }
  const keyed = { accountId: request.accountId, key, fingerprint: fingerprintOf(id, request) };
  const waitUntil = start + idempotencyWait;
  const execute = (): Promise<Outcome> =>
    commit(keyed).catch((failure) => outcomeAfterFailure(failure, { request, keyed, database, waitUntil }));
  const outcome = executeOnce(execute, keyed, running, (response) => {
    // Other requests of the account may start meanwhile. It takes no slots again: it then waits for a connection, which
    // accounts share, too.
    request.releaseSlots?.();
    return beforeDeadline(response, waitUntil, inProgress);
  });
  return resultOf(await beforeDeadline(outcome, start + keyedTimeout), serialize);
}

/**
 * Executes a request with a key, unless an equal one runs in this process, whose response it gets. While another one with the
 * key runs, it waits, and then tries itself: the other one may have stored no response.
 * @param execute goes on when nobody waits for it any more
 * @param waitFor limits a wait
 */
async function executeOnce(
  execute: () => Promise<Outcome>,
  { accountId, key, fingerprint }: KeyedRequest,
  running: RunningRequests,
  waitFor: <Result>(ended: Promise<Result>) => Promise<Result>,
): Promise<Outcome> {
  const mapKey = `${accountId} ${key}`;
  for (let other = running.get(mapKey); other?.response; other = running.get(mapKey)) {
    if (other.fingerprint.equals(fingerprint)) return { kind: 'replayed', response: await waitFor(other.response) };
    await waitFor(Promise.allSettled([other.response]));
  }
  // No pause since the last look at the map: no other request with the key has come between.
  const outcome = execute();
  const leave = (): void => {
    running.delete(mapKey);
    added.response = undefined;
  };
  const response = outcome.then((ended) => ended.response).finally(leave); // those that wait go on after it has left
  response.catch(() => {}); // `outcome` has its error, too
  const added: RunningRequest = { fingerprint, response };
  running.set(mapKey, added);
  return outcome;
}

/**
 * The `Idempotency-Key` of a request; undefined without one, and for operations that have none in the contract. An access has
 * keys of its own: those of its account contain no line break.
 */
function idempotencyKey(id: OperationId, { access, headers, keyId }: FastifyRequest): string | undefined {
  const names: readonly string[] = operationTable[id].headers;
  const key = headers['idempotency-key'];
  if (typeof key !== 'string' || !names.includes('Idempotency-Key')) return undefined;
  return access ? `${keyId}\n${key}` : key;
}

/** Equal requests have the same operation, path values and body in canonical JSON (RFC 8785). */
const fingerprintOf = (id: OperationId, { params: path, body }: FastifyRequest): Buffer =>
  hash('sha256', [id, canonicalJson(path), canonicalJson(body)].join('\n'), 'buffer');

/** What the request gets. @throws {Problem} of a refusal */
function resultOf(
  outcome: Outcome,
  serialize: (response: OperationResponse) => SerializedResponse,
): SerializedResponse {
  switch (outcome.kind) {
    case 'committed':
      return outcome.result;
    case 'refused':
      throw outcome.problem;
    case 'replayed':
      return serialize(replayOrThrow(outcome.response));
  }
}
