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
  let search = searchAfter(failure);
  if (isStorable(failure)) {
    const response = problemResponse(failure);
    const result = await storeResponse(db, keyedRequest, response);
    if (result === 'stored') return { response, refusal: failure };
    search = searchOf(result); // an equal request may have caused this refusal, such as reference_taken
  }
  const replay = await replayOf(db, keyedRequest, search, waitUntil);
  if (!replay) throw failure;
  return { response: replay };
}

/** How the response of an equal request is searched: not at all, once, or until it is stored. */
type Search = 'none' | 'once' | 'wait';

const searchOf = (keyState: KeyState): Search => (keyState === 'locked' ? 'wait' : 'once');

/**
 * How the response of an equal request is searched that may be the cause of a failure: it has used the key, or caused a refusal
 * that is not stored, such as upload_limit_reached after its upload, or held the lock of a row. No other failure is searched
 * for. When it is a lost connection and the write is committed, a repeat finds the response.
 */
function searchAfter(failure: unknown): Search {
  if (failure instanceof KeyConflict) return searchOf(failure.keyState);
  const isRefusal = failure instanceof Problem && failure.status < 500;
  return isRefusal || mayBeLockTimeout(failure) ? 'once' : 'none';
}

/** Whether a write or `outcomeAfterFailure` may wait for a transaction that stores a response with the key. */
const mayWaitForOthers = (failure: unknown): boolean => isStorable(failure) || searchAfter(failure) === 'wait';

/** @returns the response that another request has stored with the key; undefined if there is none, or it has expired */
async function replayOf(
  db: Kysely<Tables>,
  keyedRequest: KeyedRequest,
  search: Search,
  waitUntil: number,
): Promise<StoredResponse | undefined> {
  if (search === 'none') return undefined;
  return search === 'once' ? findReplay(db, keyedRequest) : waitForReplay(db, keyedRequest, waitUntil);
}

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
