import { setTimeout as wait } from 'node:timers/promises';
import { fingerprintOf, isStorable, keyReused, problemResponse, replayOrThrow } from '@waybill/http/idempotency';
import type { SerializedResponse } from '@waybill/http/operations';
import { Problem } from '@waybill/http/problems';
import type { Kysely } from 'kysely';
import { beforeDeadline, orTooSlow, tooSlow } from '../concurrency/time-limit.ts';
import type { Database } from '../database/database.ts';
import { mayBeLockTimeout } from '../database/errors.ts';
import type { Tables } from '../database/tables.ts';
import { type BoundWrite, commitWrite, type Outcome } from './commit-write.ts';
import { inProgress, type RunningRequests, waitOrStart } from './running-requests.ts';
import {
  findStoredResponse,
  type KeyedRequest,
  type KeyState,
  type StoredResponse,
  storeResponse,
} from './stored-responses.ts';

/** Milliseconds between two searches for a response that another process is about to store. */
const pollInterval = 100;

/** A request with a write. */
export interface WriteRequest extends BoundWrite {
  /** The `Idempotency-Key`, if the request has one. */
  idempotencyKey: string | undefined;
  operation: string;
  path: unknown;
  body: unknown;
  /** Lets other requests of the account start while this one waits for another one with its key. */
  releaseSlots(): void;
}

/** The response of an equal request, which is not serialized. */
interface Replay {
  kind: 'replay';
  response: StoredResponse;
}

/** What has become of a request with a key. */
type KeyedOutcome = Outcome | Replay;

interface Options {
  database: Database;
  running: RunningRequests;
  /** How long a request waits for another one with its key, in milliseconds. */
  idempotencyWait: number;
  /** How long it waits for all else from now on, in milliseconds. */
  executionTimeout: number;
}

/**
 * Commits a write, and returns its response. A key has one effect: effect and stored response commit together, and nothing is
 * committed when the key has a stored response already.
 *
 * There is no search for a stored response before the write: it costs a round trip, and few requests are repeated (decision
 * 0002). The statement that stores the response finds the one of an earlier request. Then `replayOf` reads it.
 * @throws {Problem} of a refusal; unavailable at the time limit; idempotency_in_progress when another request with the key runs
 * for too long; idempotency_key_reused
 */
export async function executeWrite(write: WriteRequest, options: Options): Promise<SerializedResponse> {
  const { accountId, idempotencyKey: key, serialize } = write;
  const { database, running, idempotencyWait, executionTimeout } = options;
  if (key === undefined) {
    const outcome = await orTooSlow(commitWrite(write, undefined, database), executionTimeout);
    return serializedOrThrow(outcome, serialize);
  }
  const keyedRequest = { accountId, key, fingerprint: fingerprintOf(write) };
  const waitUntil = performance.now() + idempotencyWait;
  const turn = await waitOrStart(running, keyedRequest, waitUntil, write.releaseSlots);
  if ('responseOfEqual' in turn) return serialize(replayOrThrow(turn.responseOfEqual));

  const db = database.ofAccount(accountId);
  // It goes on after the deadline. Equal requests that wait in this process get its response.
  const outcome = commitWrite(write, keyedRequest, database).then<KeyedOutcome, KeyedOutcome>(
    (result) => (result.kind === 'key_taken' ? replayOf(db, keyedRequest, result.keyState, waitUntil) : result),
    (failure) => outcomeAfterFailure(db, keyedRequest, failure, waitUntil),
  );
  turn.endWith(outcome.then(({ response }) => response)); // which handles its errors, too
  return serializedOrThrow(await beforeDeadline(outcome, waitUntil + executionTimeout, tooSlow), serialize);
}

/** @throws {Problem} of a refusal */
function serializedOrThrow(outcome: KeyedOutcome, serialize: WriteRequest['serialize']): SerializedResponse {
  switch (outcome.kind) {
    case 'committed':
      return outcome.serialized;
    case 'refused':
      throw outcome.refusal;
    case 'replay':
      return serialize(replayOrThrow(outcome.response));
  }
}

/**
 * The response of the request that has used the key, or is about to.
 * @throws {Problem} unavailable when it has expired meanwhile: a repeat succeeds; those of `findReplay` and `waitForReplay`
 */
async function replayOf(
  db: Kysely<Tables>,
  keyedRequest: KeyedRequest,
  keyState: KeyState,
  waitUntil: number,
): Promise<Replay> {
  const replay =
    keyState === 'locked' ? await waitForReplay(db, keyedRequest, waitUntil) : await findReplay(db, keyedRequest);
  if (!replay) throw new Problem('unavailable');
  return replay;
}

/**
 * Stores a refusal, if it can be stored. Otherwise finds the response of an equal request that may have caused the failure: a
 * refusal that is not stored, such as upload_limit_reached after its upload, or the wait for a lock of a row that it held.
 * After a lost connection nothing is searched: if the write is committed, a repeat finds its response.
 * @throws the failure when there is no such response; {Problem} those of `replayOf`
 */
async function outcomeAfterFailure(
  db: Kysely<Tables>,
  keyedRequest: KeyedRequest,
  failure: unknown,
  waitUntil: number,
): Promise<KeyedOutcome> {
  if (isStorable(failure)) {
    const response = problemResponse(failure);
    const result = await storeResponse(db, keyedRequest, response);
    if (result === 'stored') return { kind: 'refused', response, refusal: failure };
    // An equal request may have caused the refusal, such as reference_taken.
    return replayOf(db, keyedRequest, result, waitUntil);
  }
  const isRefusal = failure instanceof Problem && failure.status < 500;
  const replay = isRefusal || mayBeLockTimeout(failure) ? await findReplay(db, keyedRequest) : undefined;
  if (!replay) throw failure;
  return replay;
}

/** Finds the stored response of an equal request. @throws {Problem} idempotency_key_reused when the request is another one */
async function findReplay(db: Kysely<Tables>, keyedRequest: KeyedRequest): Promise<Replay | undefined> {
  const response = await findStoredResponse(db, keyedRequest);
  if (response && !response.fingerprint.equals(keyedRequest.fingerprint)) throw keyReused();
  return response && { kind: 'replay', response };
}

/** The same, as soon as another transaction has stored the response. @throws {Problem} idempotency_in_progress, too */
async function waitForReplay(db: Kysely<Tables>, keyedRequest: KeyedRequest, waitUntil: number): Promise<Replay> {
  for (;;) {
    const replay = await findReplay(db, keyedRequest);
    if (replay) return replay;
    if (performance.now() + pollInterval > waitUntil) throw inProgress();
    await wait(pollInterval);
  }
}
