import { setTimeout as wait } from 'node:timers/promises';
import { fingerprintOf, isStorable, keyReused, problemResponse, replayOrThrow } from '@waybill/http/idempotency';
import type { OperationResponse, SerializedResponse } from '@waybill/http/operations';
import { Problem } from '@waybill/http/problems';
import type { Kysely } from 'kysely';
import { beforeDeadline, orTooSlow, tooSlow } from '../concurrency/time-limit.ts';
import type { Database } from '../database/database.ts';
import { mayBeLockTimeout } from '../database/errors.ts';
import type { Tables } from '../database/tables.ts';
import { type BoundWrite, commitWrite, KeyConflict, type Outcome } from './commit-write.ts';
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
  key: string | undefined;
  operation: string;
  path: unknown;
  body: unknown;
  /** @throws when the response cannot be sent */
  serialize(response: OperationResponse): SerializedResponse;
  /** Lets other requests of the account start while this one waits for another one with its key. */
  releaseSlots(): void;
}

/** What has become of a request with a key. The response of an equal one is not serialized: it is a replay. */
type KeyedOutcome = Outcome | { response: StoredResponse };

interface Options {
  database: Database;
  running: RunningRequests;
  /** How long a request waits for another one with its key, in milliseconds. */
  idempotencyWait: number;
  /**
   * How long a request waits for its own effect, in milliseconds. With a key it waits for both together no longer than for the
   * longer one.
   */
  executionTimeout: number;
}

/**
 * Commits a write, and returns its response. A key has one effect: effect and stored response commit together, and nothing is
 * committed when the key has a stored response already. The response is serialized before the commit, so that a response that
 * cannot be sent has no effect.
 *
 * There is no search for a stored response before the write: it costs a round trip, and few requests are repeated (decision
 * 0002). The statement that stores the response finds the one of an earlier request. Then `outcomeAfterFailure` reads it, and
 * `replayOrThrow` marks it as a replay.
 */
export async function executeWrite(write: WriteRequest, options: Options): Promise<SerializedResponse> {
  const { accountId, key, serialize } = write;
  const { database, running, idempotencyWait, executionTimeout } = options;
  if (key === undefined) {
    const outcome = await orTooSlow(commitWrite(write, undefined, database), executionTimeout);
    return serializedOrThrow(outcome, serialize);
  }
  const keyedRequest = { accountId, key, fingerprint: fingerprintOf(write) };
  const start = performance.now();
  const waitUntil = start + idempotencyWait;
  const turn = await waitOrStart(running, keyedRequest, waitUntil, write.releaseSlots);
  if ('responseOfEqual' in turn) return serialize(replayOrThrow(turn.responseOfEqual));

  const respondUntil = start + Math.max(idempotencyWait, executionTimeout);
  const commitUntil = Math.min(performance.now() + executionTimeout, respondUntil);
  // Both go on after the deadlines of this request. Equal ones that wait in this process get the response.
  const commit = commitWrite(write, keyedRequest, database);
  const outcome = commit.catch((failure: unknown): Promise<KeyedOutcome> => {
    return outcomeAfterFailure(database.ofAccount(accountId), keyedRequest, failure, waitUntil);
  });
  turn.publishResponse(outcome.then(({ response }) => response));

  return serializedOrThrow(
    await inTime(commit, outcome, { commitUntil, respondUntil, hasWaited: turn.hasWaited }),
    serialize,
  );
}

/**
 * Waits for the outcome of a write with a key, in two steps: the commit ends as early as that of a write without a key. After
 * it has failed, the search for the response of an equal request may take longer.
 * @throws {Problem} at a deadline: idempotency_in_progress if the write may have waited for another one with its key, otherwise
 * unavailable
 */
async function inTime(
  commit: Promise<unknown>,
  outcome: Promise<KeyedOutcome>,
  { commitUntil, respondUntil, hasWaited }: { commitUntil: number; respondUntil: number; hasWaited: boolean },
): Promise<KeyedOutcome> {
  const [ended] = await beforeDeadline(Promise.allSettled([commit]), commitUntil, hasWaited ? inProgress : tooSlow);
  const mayHaveWaited = hasWaited || (ended.status === 'rejected' && waitsForOthers(ended.reason));
  return beforeDeadline(outcome, respondUntil, mayHaveWaited ? inProgress : tooSlow);
}

/** @throws {Problem} of a refusal */
function serializedOrThrow(outcome: KeyedOutcome, serialize: WriteRequest['serialize']): SerializedResponse {
  if ('serialized' in outcome) return outcome.serialized;
  if ('refusal' in outcome) throw outcome.refusal;
  return serialize(replayOrThrow(outcome.response));
}

/**
 * Stores a refusal, if it can be stored. Otherwise finds the response of an equal request that may have caused the failure.
 * @param waitUntil until when it waits for another transaction that stores a response with the key
 * @throws the failure when there is no such response; {Problem} idempotency_key_reused, idempotency_in_progress, unavailable
 */
async function outcomeAfterFailure(
  db: Kysely<Tables>,
  keyedRequest: KeyedRequest,
  failure: unknown,
  waitUntil: number,
): Promise<KeyedOutcome> {
  if (failure instanceof KeyConflict) {
    const response = await replayOfConflict(db, keyedRequest, failure.keyState, waitUntil);
    if (!response) throw new Problem('unavailable'); // it has expired meanwhile: a repeat succeeds
    return { response };
  }
  if (isStorable(failure)) {
    const refusal = problemResponse(failure);
    const result = await storeResponse(db, keyedRequest, refusal);
    if (result === 'stored') return { response: refusal, refusal: failure };
    // An equal request may have succeeded meanwhile and caused this refusal, such as reference_taken.
    const response = await replayOfConflict(db, keyedRequest, result, waitUntil);
    if (response) return { response };
  } else if (mayBeCausedByEqualRequest(failure)) {
    const response = await findReplay(db, keyedRequest);
    if (response) return { response };
  }
  throw failure;
}

/**
 * Whether `outcomeAfterFailure` may wait for a transaction that stores a response with the key, or the failed write has done
 * so.
 */
const waitsForOthers = (failure: unknown): boolean =>
  failure instanceof KeyConflict ? failure.keyState === 'locked' : isStorable(failure);

/**
 * Whether an equal request that succeeded may be the cause of a failure that is not stored: of a refusal, such as
 * upload_limit_reached after its upload, or of a wait for a lock of a row that it held. No other failure stores or searches
 * anything. When it is a lost connection and the write is committed, a repeat finds the response.
 */
const mayBeCausedByEqualRequest = (failure: unknown): boolean =>
  mayBeLockTimeout(failure) || (failure instanceof Problem && failure.status < 500);

/** @returns the response that another request has stored with the key, or is about to store; undefined if it has expired */
const replayOfConflict = (
  db: Kysely<Tables>,
  keyedRequest: KeyedRequest,
  keyState: KeyState,
  waitUntil: number,
): Promise<StoredResponse | undefined> =>
  keyState === 'key_used' ? findReplay(db, keyedRequest) : waitForReplay(db, keyedRequest, waitUntil);

/** Finds the stored response of an equal request. @throws {Problem} idempotency_key_reused when the request is another one */
async function findReplay(db: Kysely<Tables>, keyedRequest: KeyedRequest): Promise<StoredResponse | undefined> {
  const stored = await findStoredResponse(db, keyedRequest);
  if (stored && !stored.fingerprint.equals(keyedRequest.fingerprint)) throw keyReused();
  return stored;
}

/** The same, until another transaction has stored the response. @throws {Problem} idempotency_in_progress, too */
async function waitForReplay(
  db: Kysely<Tables>,
  keyedRequest: KeyedRequest,
  waitUntil: number,
): Promise<StoredResponse> {
  for (;;) {
    const stored = await findReplay(db, keyedRequest);
    if (stored) return stored;
    if (performance.now() + pollInterval > waitUntil) throw inProgress();
    await wait(pollInterval);
  }
}
