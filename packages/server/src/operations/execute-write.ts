import { setTimeout as wait } from 'node:timers/promises';
import type { OperationResponse, SerializedResponse } from '@waybill/http/operations';
import { Problem } from '@waybill/http/problems';
import { beforeDeadline, tooSlow } from '../concurrency/time-limit.ts';
import type { Database } from '../database/database.ts';
import { isCanceled, isRejectedByPostgres } from '../database/errors.ts';
import { type BoundWrite, commitWrite, type Outcome } from './commit-write.ts';
import { fingerprintOf, isStorable, replayOrThrow, storedProblem } from './idempotency.ts';
import { inProgress, type RunningRequests, waitOrStart } from './running-requests.ts';
import { findStoredResponse, type KeyedRequest, storeResponse, type TakenBy } from './stored-responses.ts';

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
  response: OperationResponse;
}

/** What has become of a request with a key. */
type KeyedOutcome = Outcome | Replay;

interface Options {
  database: Database;
  running: RunningRequests;
  /** When the request stops waiting for another one with its key, by `performance.now()`. */
  waitUntil: number;
  /** When it gets a response at the latest. What it has begun goes on. */
  respondUntil: number;
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
  const { database, running, waitUntil, respondUntil } = options;
  if (key === undefined) {
    const outcome = await beforeDeadline(commitWrite(write, undefined, database), respondUntil, tooSlow);
    return serializedOrThrow(outcome, serialize);
  }
  const keyedRequest = { accountId, key, fingerprint: fingerprintOf(write) };
  const turn = await waitOrStart(running, keyedRequest, waitUntil, write.releaseSlots);
  if ('responseOfEqual' in turn) return serialize(replayOrThrow(turn.responseOfEqual));

  const execution = { keyedRequest, database, waitUntil, releaseSlots: write.releaseSlots };
  // It goes on after the deadline. Equal requests that wait in this process get its response.
  const outcome = commitOrReplay(write, execution);
  turn.endWith(outcome.then(({ response }) => response)); // which handles its errors, too
  return serializedOrThrow(await beforeDeadline(outcome, respondUntil, tooSlow), serialize);
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

/** A request with a key that is executed, and how it finds the response of another one. */
interface KeyedExecution {
  keyedRequest: KeyedRequest;
  database: Database;
  waitUntil: Options['waitUntil'];
  releaseSlots(): void;
}

/** Commits a write, unless its key is taken. Then the outcome is the response of the other request. */
function commitOrReplay(write: WriteRequest, execution: KeyedExecution): Promise<KeyedOutcome> {
  const { keyedRequest, database } = execution;
  return commitWrite(write, keyedRequest, database).then<KeyedOutcome, KeyedOutcome>(
    (outcome) => (outcome.kind === 'key_taken' ? replayOf(outcome.by, execution) : outcome),
    (failure) => outcomeAfterFailure(failure, execution),
  );
}

/**
 * The response of the request that has used the key, or is about to.
 * @throws {Problem} unavailable when it has expired meanwhile: a repeat succeeds; those of `findReplay` and `waitForReplay`
 */
async function replayOf(takenBy: TakenBy, execution: KeyedExecution): Promise<Replay> {
  const replay = takenBy === 'transaction' ? await waitForReplay(execution) : await findReplay(execution);
  if (!replay) throw new Problem('unavailable');
  return replay;
}

/**
 * Stores a refusal, if it can be stored. Otherwise finds the response of an equal request that may have caused the failure: a
 * refusal that is not stored, such as upload_limit_reached after its upload, or the wait for a lock of a row that it held.
 * After a lost connection nothing is searched: if the write is committed, a repeat finds its response.
 * @throws the failure when there is no such response; {Problem} those of `replayOf`
 */
async function outcomeAfterFailure(failure: unknown, execution: KeyedExecution): Promise<KeyedOutcome> {
  if (isStorable(failure)) {
    const { database, keyedRequest } = execution;
    const response = storedProblem(failure);
    const db = database.ofAccount(keyedRequest.accountId);
    const result = await storeResponse(db, keyedRequest, response, database);
    if (result === 'stored') return { kind: 'refused', response, refusal: failure };
    // An equal request may have caused the refusal, such as reference_taken.
    return replayOf(result, execution);
  }
  const replay = mayBeOfEqual(failure) ? await findReplay(execution) : undefined;
  if (!replay) throw failure;
  return replay;
}

/** Whether an equal request may have caused a failure: a refusal, or an error of PostgreSQL, such as a lock timeout. */
const mayBeOfEqual = (failure: unknown): boolean =>
  failure instanceof Problem ? failure.status < 500 : isRejectedByPostgres(failure) || isCanceled(failure);

/** Finds the stored response of an equal request. @throws {Problem} idempotency_key_reused when the request is another one */
async function findReplay({ database, keyedRequest }: KeyedExecution): Promise<Replay | undefined> {
  const response = await findStoredResponse(database.ofAccount(keyedRequest.accountId), keyedRequest);
  return response && { kind: 'replay', response };
}

/** The same, as soon as another transaction has stored the response. @throws {Problem} idempotency_in_progress, too */
async function waitForReplay(execution: KeyedExecution): Promise<Replay> {
  execution.releaseSlots();
  for (;;) {
    const replay = await findReplay(execution);
    if (replay) return replay;
    if (performance.now() + pollInterval > execution.waitUntil) throw inProgress();
    await wait(pollInterval);
  }
}
