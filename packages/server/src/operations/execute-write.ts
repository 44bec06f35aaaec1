import { setTimeout as wait } from 'node:timers/promises';
import { fingerprintOf, isStorable, keyReused, problemResponse, replayOrThrow } from '@waybill/http/idempotency';
import type { OperationResponse, SerializedResponse } from '@waybill/http/operations';
import { Problem } from '@waybill/http/problems';
import type { Kysely, Transaction } from 'kysely';
import { beforeDeadline, orTooSlow, tooSlow } from '../concurrency/time-limit.ts';
import type { Database } from '../database/database.ts';
import { mayBeLockTimeout } from '../database/errors.ts';
import type { Tables } from '../database/tables.ts';
import { appendEvents, type NewEvent } from '../event-feed/append.ts';
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

/** The transaction of a write. */
export interface WriteTransaction {
  db: Transaction<Tables>;
  /** Appends an event when the response is stored. */
  addEvent(event: NewEvent): void;
  /** Runs work when the response is stored: statements that lock what other writes of the account need. */
  beforeCommit(work: () => Promise<void>): void;
}

/** A request with the functions of its operation's `Write` (route-handlers.ts), to which `forWrite` has bound its context. */
interface BoundWrite {
  /** The `Idempotency-Key`, if the request has one. */
  key: string | undefined;
  accountId: string;
  operation: string;
  path: unknown;
  body: unknown;
  /** Runs before the transaction. */
  precheck: ((db: Kysely<Tables>) => Promise<void>) | undefined;
  /** Commits the write in one transaction with concurrent ones, and stores its response if it has a key. */
  commitInGroup: ((keyedRequest: KeyedRequest | undefined) => Promise<GroupResult>) | undefined;
  /** Makes the changes in a transaction of its own. `commitAlone` begins it, stores the response and commits. */
  perform(transaction: WriteTransaction): Promise<PreparedResponse>;
  /** Wakes the readers of the account's events, after the commit. */
  notify(): void;
  /** @throws when the response cannot be sent */
  serialize(response: OperationResponse): SerializedResponse;
  /** Lets other requests of the account start while this one waits for another one with its key. */
  releaseSlots(): void;
}

/** A response and how it is sent. Both are made before the effect is committed. */
export interface PreparedResponse {
  response: OperationResponse;
  serialized: SerializedResponse;
}

/**
 * A write is refused, and what it has done is committed, such as the count of an attempt. Throw it before any other effect.
 */
export class RefusalWithEffect extends Error {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** A refusal with its response, which is stored if the request has a key: with an effect (`RefusalWithEffect`) or by itself. */
interface Refused {
  response: OperationResponse;
  refusal: Problem;
}

/** What has become of a write. */
type Outcome = PreparedResponse | Refused;

/** What has become of a request with a key. The response of an equal one is not serialized: it is a replay. */
type KeyedOutcome = Outcome | { response: StoredResponse };

/**
 * The response when the write is committed. Otherwise nothing is: `key_used` when its key has a stored response, and
 * `commit_alone` when the write needs a transaction of its own. That is so after an error of the group (`groupCommitter`), and
 * for a write that the statement of the group leaves out (`commitShipments`, `commitReports`).
 */
export type GroupResult = PreparedResponse | 'commit_alone' | 'key_used';

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
 * Executes a write: check → begin → run the handler → serialize → store → `beforeCommit` → append events → commit. The
 * writes of some operations do the same in a group, perhaps of one (decision 0021).
 *
 * A key has one effect: effect and stored response commit together, and nothing is committed when the key has a stored
 * response already. The response is serialized before the commit, so that a response that cannot be sent has no effect.
 *
 * There is no search for a stored response before the write: it costs a round trip, and few requests are repeated (decision
 * 0002). The statement that stores the response finds the one of an earlier request, and nothing is committed. Then
 * `outcomeAfterFailure` reads it, and `replayOrThrow` marks it as a replay.
 */
export async function executeWrite(write: BoundWrite, options: Options): Promise<SerializedResponse> {
  const { accountId, key, serialize } = write;
  const { database, running, idempotencyWait, executionTimeout } = options;
  if (key === undefined) {
    const committed = await orTooSlow(commitInGroupOrAlone(write, undefined, database), executionTimeout);
    return serializedOrThrow(committed, serialize);
  }
  const keyedRequest = { accountId, key, fingerprint: fingerprintOf(write) };
  const start = performance.now();
  const waitUntil = start + idempotencyWait;
  const turn = await waitOrStart(running, keyedRequest, waitUntil, write.releaseSlots);
  if ('responseOfEqual' in turn) return serialize(replayOrThrow(turn.responseOfEqual));

  const respondUntil = start + Math.max(idempotencyWait, executionTimeout);
  const commitUntil = Math.min(performance.now() + executionTimeout, respondUntil);
  // Both go on after the deadlines of this request. Equal ones that wait in this process get the response.
  const commit = commitInGroupOrAlone(write, keyedRequest, database);
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

/**
 * Commits a write with concurrent ones if its operation and the database allow it, otherwise alone. First runs its precheck;
 * after the commit, wakes the readers of its events.
 */
async function commitInGroupOrAlone(
  write: BoundWrite,
  keyedRequest: KeyedRequest | undefined,
  database: Database,
): Promise<Outcome> {
  const { commitInGroup, notify, precheck } = write;
  const db = database.ofAccount(write.accountId);
  await precheck?.(db);
  if (!commitInGroup || !(await database.canCommitInGroups())) return commitAlone(write, keyedRequest, db);
  const result = await commitInGroup(keyedRequest);
  if (result === 'commit_alone') return commitAlone(write, keyedRequest, db);
  if (result === 'key_used') throw new KeyConflict(result); // as `commitAlone` throws it, to roll back
  notify(); // a group does not say whether this write has caused an event
  return result;
}

/** Performs a write in a transaction of its own, and commits it. */
async function commitAlone(
  write: BoundWrite,
  keyedRequest: KeyedRequest | undefined,
  db: Kysely<Tables>,
): Promise<Outcome> {
  const events: NewEvent[] = [];
  const committed = await db.transaction().execute(async (trx) => {
    const lastWork: (() => Promise<void>)[] = [];
    const result = await write
      .perform({
        db: trx,
        addEvent: (event) => void events.push(event),
        beforeCommit: (work) => void lastWork.push(work),
      })
      .catch(committedRefusal);
    if (keyedRequest) await storeResponseOrThrow(trx, keyedRequest, result.response);
    for (const work of lastWork) await work();
    await appendEvents(trx, write.accountId, events); // last, because the feed is locked until the commit
    return result;
  });
  if (events.length > 0) write.notify();
  return committed;
}

/** @throws {KeyConflict} */
async function storeResponseOrThrow(
  trx: Transaction<Tables>,
  keyedRequest: KeyedRequest,
  response: OperationResponse,
): Promise<void> {
  const result = await storeResponse(trx, keyedRequest, response);
  if (result !== 'stored') throw new KeyConflict(result);
}

function committedRefusal(error: unknown): Refused {
  if (!(error instanceof RefusalWithEffect)) throw error;
  return { response: problemResponse(error.problem), refusal: error.problem };
}

/** @throws {Problem} of a refusal */
function serializedOrThrow(outcome: KeyedOutcome, serialize: BoundWrite['serialize']): SerializedResponse {
  if ('serialized' in outcome) return outcome.serialized;
  if ('refusal' in outcome) throw outcome.refusal;
  return serialize(replayOrThrow(outcome.response));
}

/** The response could not be stored, and nothing is committed. */
class KeyConflict extends Error {
  readonly keyState: KeyState;
  constructor(keyState: KeyState) {
    super();
    this.keyState = keyState;
  }
}

/**
 * Stores a refusal, if it can be stored. Otherwise finds the response of an equal request that may have caused the failure.
 * @param deadline until when it waits for another transaction that stores a response with the key
 * @throws the failure when there is no such response; {Problem} idempotency_key_reused, idempotency_in_progress, unavailable
 */
async function outcomeAfterFailure(
  db: Kysely<Tables>,
  keyedRequest: KeyedRequest,
  failure: unknown,
  deadline: number,
): Promise<KeyedOutcome> {
  if (failure instanceof KeyConflict) {
    const response = await replayOfConflict(db, keyedRequest, failure.keyState, deadline);
    if (!response) throw new Problem('unavailable'); // it has expired meanwhile: a repeat succeeds
    return { response };
  }
  if (isStorable(failure)) {
    const refusal = problemResponse(failure);
    const result = await storeResponse(db, keyedRequest, refusal);
    if (result === 'stored') return { response: refusal, refusal: failure };
    // An equal request may have succeeded meanwhile and caused this refusal, such as reference_taken.
    const response = await replayOfConflict(db, keyedRequest, result, deadline);
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
  deadline: number,
): Promise<StoredResponse | undefined> =>
  keyState === 'key_used' ? findReplay(db, keyedRequest) : waitForReplay(db, keyedRequest, deadline);

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
  deadline: number,
): Promise<StoredResponse> {
  for (;;) {
    const stored = await findReplay(db, keyedRequest);
    if (stored) return stored;
    if (performance.now() + pollInterval > deadline) throw inProgress();
    await wait(pollInterval);
  }
}
