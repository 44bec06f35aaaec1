import { setTimeout as wait } from 'node:timers/promises';
import { fingerprintOf, isStorable, keyReused, problemResponse, replayOrThrow } from '@waybill/http/idempotency';
import type { SerializedResponse } from '@waybill/http/operations';
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
  idempotencyKey: string | undefined;
  operation: string;
  path: unknown;
  body: unknown;
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
 * committed when the key has a stored response already.
 *
 * There is no search for a stored response before the write: it costs a round trip, and few requests are repeated (decision
 * 0002). The statement that stores the response finds the one of an earlier request. Then `outcomeAfterFailure` reads it, and
 * `replayOrThrow` marks it as a replay.
 */
export async function executeWrite(write: WriteRequest, options: Options): Promise<SerializedResponse> {
  const { accountId, idempotencyKey: key, serialize } = write;
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
  const mayHaveWaited = hasWaited || (ended.status === 'rejected' && mayWaitForOthers(ended.reason));
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
 * @throws the failure when there is no such response; {Problem} idempotency_key_reused, idempotency_in_progress
 */
async function outcomeAfterFailure(
  db: Kysely<Tables>,
  keyedRequest: KeyedRequest,
  failure: unknown,
  waitUntil: number,
): Promise<KeyedOutcome> {
  const replayOrFailure = async (search: Search): Promise<KeyedOutcome> => {
    const response = await findReplay(db, keyedRequest, search, waitUntil);
    if (!response) throw failure;
    return { response };
  };
  const recovery = recoveryOf(failure);
  if ('search' in recovery) return replayOrFailure(recovery.search);
  const { refusal } = recovery;
  const response = problemResponse(refusal);
  const result = await storeResponse(db, keyedRequest, response);
  if (result === 'stored') return { response, refusal };
  return replayOrFailure(searchOf(result)); // an equal request may have caused the refusal, such as reference_taken
}

/** How the response of an equal request is searched: not at all, once, or until it is stored. */
type Search = 'none' | 'once' | 'wait';
const searchOf = (keyState: KeyState): Search => (keyState === 'locked' ? 'wait' : 'once');

/**
 * What follows a failure: it is a refusal that is stored, or the response of an equal request is searched, which may be the
 * cause: it has used the key, or has led to a refusal that is not stored, such as upload_limit_reached after its upload, or has
 * held the lock of a row. After a lost connection nothing is searched: if the write is committed, a repeat finds its response.
 */
function recoveryOf(failure: unknown): { refusal: Problem } | { search: Search } {
  if (failure instanceof KeyConflict) return { search: searchOf(failure.keyState) };
  if (isStorable(failure)) return { refusal: failure };
  const isRefusal = failure instanceof Problem && failure.status < 500;
  return { search: isRefusal || mayBeLockTimeout(failure) ? 'once' : 'none' };
}

/** Whether a write that failed has waited for another transaction with its key, or `outcomeAfterFailure` may wait for one. */
function mayWaitForOthers(failure: unknown): boolean {
  const recovery = recoveryOf(failure);
  return 'refusal' in recovery || recovery.search === 'wait';
}

/**
 * Finds the stored response of an equal request.
 * @returns undefined when there is none, or it has expired
 * @throws {Problem} idempotency_key_reused when the request with the key is another one, idempotency_in_progress
 */
async function findReplay(
  db: Kysely<Tables>,
  keyedRequest: KeyedRequest,
  search: Search,
  waitUntil: number,
): Promise<StoredResponse | undefined> {
  if (search === 'none') return undefined;
  let stored = await findStoredResponse(db, keyedRequest);
  while (!stored && search === 'wait') {
    if (performance.now() + pollInterval > waitUntil) throw inProgress();
    await wait(pollInterval);
    stored = await findStoredResponse(db, keyedRequest);
  }
  if (stored && !stored.fingerprint.equals(keyedRequest.fingerprint)) throw keyReused();
  return stored;
}
