import { setTimeout as wait } from 'node:timers/promises';
import { fingerprintOf, isStorable, keyReused, problemResponse, replayOrThrow } from '@waybill/http/idempotency';
import type { OperationResponse, SerializedResponse } from '@waybill/http/operations';
import { Problem } from '@waybill/http/problems';
import type { Kysely, Transaction } from 'kysely';
import { orTooSlow, tooSlow, withTimeLimit } from '../concurrency/time-limit.ts';
import type { Database } from '../database/database.ts';
import { isLockTimeout } from '../database/errors.ts';
import type { Tables } from '../database/tables.ts';
import { appendEvents, type NewEvent } from '../event-feed/append.ts';
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
  /** Runs the write in a transaction of its own, which `commitAlone` begins and commits. */
  execute(transaction: WriteTransaction): Promise<PreparedResponse>;
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

/** A refusal, whose response is stored if the request has a key: with an effect (`RefusalWithEffect`), otherwise by itself. */
interface Refused {
  response: OperationResponse;
  refusal: Problem;
}

/** What a write commits: its effect and its response, or a refusal with an effect. */
type Committed = PreparedResponse | Refused;

/** What has become of a request with a key. The response of an equal one is not serialized: it is a replay. */
type Outcome = Committed | { response: StoredResponse };

/**
 * The response when the write is committed. Otherwise nothing is: `key_used` when its key has a stored response, and
 * `commit_alone` when the write needs a transaction of its own. That is so for an operation without groups
 * (`commitInGroupOrAlone`), on Citus, after an error of the group (both in `groupWrites`), and for a write that the statement
 * of the group leaves out (`commitShipments`, `commitReports`).
 */
export type GroupResult = PreparedResponse | 'commit_alone' | 'key_used';

interface Options {
  database: Database;
  running: RunningRequests;
  /** How long a request waits for another one with its key, in milliseconds. */
  idempotencyWait: number;
  /** How long a request waits for its own effect, in milliseconds. */
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
  const { database, running } = options;
  if (key === undefined)
    return serializedOrThrow(
      await orTooSlow(commitInGroupOrAlone(write, undefined, database), options.executionTimeout),
      serialize,
    );

  const keyedRequest = { accountId, key, fingerprint: fingerprintOf(write) };
  const deadlines = deadlinesFromNow(options);
  const turn = await waitOrStart(running, keyedRequest, deadlines.waitUntil, write.releaseSlots);
  if ('responseOfEqual' in turn) return serialize(replayOrThrow(turn.responseOfEqual));

  let mayHaveWaited = turn.hasWaited;
  const onMayWait = (): void => {
    mayHaveWaited = true;
  };
  // Execution and outcome go on when this request has reached a deadline. Equal ones that wait in this process get the response.
  const execution = commitInGroupOrAlone(write, keyedRequest, database);
  const outcome = execution.catch(
    (failure: unknown): Promise<Outcome> =>
      outcomeAfterFailure(database.ofAccount(accountId), keyedRequest, failure, onMayWait, deadlines.waitUntil),
  );
  turn.publishResponse(outcome.then(({ response }) => response));

  const executeUntil = Math.min(performance.now() + options.executionTimeout, deadlines.end);
  const timeout = () => (mayHaveWaited ? inProgress() : tooSlow());
  // The execution has until `executeUntil`. When it has failed in time, `outcome` has the rest until `end`.
  await beforeDeadline(Promise.allSettled([execution]), executeUntil, timeout);
  return serializedOrThrow(await beforeDeadline(outcome, deadlines.end, timeout), serialize);
}

/**
 * Of a request with a key, as times of `performance.now()`. It waits for other requests with its key, then executes, for at
 * most `executionTimeout`, and after a failure searches for the response of an equal request. At a deadline it ends with
 * idempotency_in_progress when it may have waited for another request with its key, otherwise with unavailable.
 */
interface Deadlines {
  /** Until when it waits for another request with its key, in this process or in another one. */
  waitUntil: number;
  /** Until when it has its own response. */
  end: number;
}

function deadlinesFromNow({ idempotencyWait, executionTimeout }: Options): Deadlines {
  const start = performance.now();
  return { waitUntil: start + idempotencyWait, end: start + Math.max(idempotencyWait, executionTimeout) };
}

/**
 * Commits a write with concurrent ones if its operation and PostgreSQL allow it, otherwise alone. First runs its precheck;
 * after the commit, wakes the readers of its events.
 */
async function commitInGroupOrAlone(
  write: BoundWrite,
  keyedRequest: KeyedRequest | undefined,
  database: Database,
): Promise<Committed> {
  const db = database.ofAccount(write.accountId);
  await write.precheck?.(db);
  const result = (await write.commitInGroup?.(keyedRequest)) ?? 'commit_alone';
  if (result === 'key_used') throw new KeyConflict('key_used'); // only with a key
  if (result === 'commit_alone') return commitAlone(write, keyedRequest, db);
  write.notify(); // also for reports of positions that have caused no event: a group does not say which
  return result;
}

/** Executes a write in a transaction of its own, and commits it. */
async function commitAlone(
  write: BoundWrite,
  keyedRequest: KeyedRequest | undefined,
  db: Kysely<Tables>,
): Promise<Committed> {
  const events: NewEvent[] = [];
  const committed = await db.transaction().execute(async (trx) => {
    const lastWork: (() => Promise<void>)[] = [];
    const result = await write
      .execute({
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

function committedRefusal(error: unknown): Committed {
  if (!(error instanceof RefusalWithEffect)) throw error;
  return { response: problemResponse(error.problem), refusal: error.problem };
}

/** @throws {Problem} of a refusal */
function serializedOrThrow(outcome: Outcome, serialize: BoundWrite['serialize']): SerializedResponse {
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
 * @param onMayWait called before it may wait for a transaction that stores a response with the key
 * @throws the failure when there is no such response; {Problem} idempotency_key_reused, idempotency_in_progress, unavailable
 */
async function outcomeAfterFailure(
  db: Kysely<Tables>,
  keyedRequest: KeyedRequest,
  failure: unknown,
  onMayWait: () => void,
  deadline: number,
): Promise<Outcome> {
  const searchOrThrow = async (keyState: KeyState, otherwise: unknown): Promise<Outcome> => {
    const response = await searchResponse(db, keyedRequest, keyState, deadline);
    if (!response) throw otherwise;
    return { response };
  };
  if (failure instanceof KeyConflict) {
    if (failure.keyState === 'locked') onMayWait(); // it has waited already
    // Without a response, it has expired meanwhile: a repeat succeeds.
    return searchOrThrow(failure.keyState, new Problem('unavailable'));
  }
  if (isStorable(failure)) {
    onMayWait();
    const response = problemResponse(failure);
    const result = await storeResponse(db, keyedRequest, response);
    if (result === 'stored') return { response, refusal: failure };
    // An equal request may have succeeded meanwhile and caused this refusal, such as reference_taken.
    return searchOrThrow(result, failure);
  }
  if (mayBeCausedByEqualRequest(failure)) return searchOrThrow('key_used', failure);
  throw failure;
}

/**
 * Whether an equal request that succeeded may be the cause of a failure that is not stored: of a refusal, such as
 * upload_limit_reached after its upload, or of a wait for a lock of a row that it held. No other failure stores or searches
 * anything. When it is a lost connection and the write is committed, a repeat finds the response.
 */
const mayBeCausedByEqualRequest = (failure: unknown): boolean =>
  isLockTimeout(failure) || (failure instanceof Problem && failure.status < 500);

/**
 * Searches for the response that is stored with the key of a request: once, or until the deadline if the key is `locked`.
 * @throws {Problem} idempotency_key_reused, or idempotency_in_progress at the deadline
 */
async function searchResponse(
  db: Kysely<Tables>,
  keyedRequest: KeyedRequest,
  keyState: KeyState,
  deadline: number,
): Promise<StoredResponse | undefined> {
  let stored = await findStoredResponse(db, keyedRequest);
  while (!stored && keyState === 'locked') {
    if (performance.now() + pollInterval > deadline) throw inProgress();
    await wait(pollInterval);
    stored = await findStoredResponse(db, keyedRequest);
  }
  if (stored && !stored.fingerprint.equals(keyedRequest.fingerprint)) throw keyReused();
  return stored;
}

/** The requests with a key that this process executes. Equal ones share one response and one connection. */
export type RunningRequests = Map<string, RunningRequest>;

interface RunningRequest {
  fingerprint: Buffer;
  /** Undefined when the request has ended, and is no longer in the map. */
  response: Promise<OperationResponse> | undefined;
}

/** A request that no other one with its key runs beside in this process. */
interface Turn {
  /** Call it with a promise of the response, which equal requests that wait get, too. When it settles, the turn ends. */
  publishResponse: PromiseWithResolvers<OperationResponse>['resolve'];
  /** Whether the request has waited for another one with its key. */
  hasWaited: boolean;
}

/**
 * Waits while requests with the same key run, and then adds the request. The last check and the addition are one
 * synchronous step, so that no other request comes between them.
 * @returns the response of an equal request that ran, or the turn of this one
 * @param onWait called when it waits
 * @throws {Problem} idempotency_in_progress at the deadline, or the error of the equal request
 */
async function waitOrStart(
  running: RunningRequests,
  keyedRequest: KeyedRequest,
  deadline: number,
  onWait: () => void,
): Promise<{ responseOfEqual: OperationResponse } | Turn> {
  const mapKey = `${keyedRequest.accountId} ${keyedRequest.key}`;
  let hasWaited = false;
  for (let other = running.get(mapKey); other?.response; other = running.get(mapKey)) {
    hasWaited = true;
    onWait();
    if (!other.fingerprint.equals(keyedRequest.fingerprint)) {
      // Its key may be free again: the other request may fail, and then stores no response.
      await beforeDeadline(Promise.allSettled([other.response]), deadline, inProgress);
      continue;
    }
    const ownTimeout = inProgress();
    try {
      return { responseOfEqual: await beforeDeadline(other.response, deadline, () => ownTimeout) };
    } catch (error) {
      if (error === ownTimeout || !isInProgress(error)) throw error;
      // The other request has reached its own deadline (`searchResponse`) and has removed its entry: look again.
    }
  }
  const { promise, resolve } = Promise.withResolvers<OperationResponse>();
  const added: RunningRequest = { fingerprint: keyedRequest.fingerprint, response: promise };
  running.set(mapKey, added);
  const remove = (): void => {
    running.delete(mapKey);
    added.response = undefined; // V8 keeps removed entries of a map until its next full collection (decision 0033)
  };
  promise.then(remove, remove);
  return { publishResponse: resolve, hasWaited };
}

const inProgress = (): Problem =>
  new Problem(
    'idempotency_in_progress',
    'The first request with this key is still running.',
    {},
    { 'Retry-After': '1' },
  );

const isInProgress = (error: unknown): boolean => error instanceof Problem && error.code === 'idempotency_in_progress';

/** Waits for a promise. @throws {Problem} at the deadline */
const beforeDeadline = <Value>(promise: Promise<Value>, deadline: number, problem: () => Problem): Promise<Value> =>
  withTimeLimit(promise, deadline - performance.now(), () => {
    throw problem();
  });
