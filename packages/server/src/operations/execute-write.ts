import { setTimeout as wait } from 'node:timers/promises';
import type { OperationResponse, SerializedResponse } from '@waybill/http/operations';
import { Problem } from '@waybill/http/problems';
import type { Kysely, Transaction } from 'kysely';
import { beforeDeadline } from '../concurrency/time-limit.ts';
import type { Database } from '../database/database.ts';
import { isCanceled, isRejectedByPostgres } from '../database/errors.ts';
import type { Tables } from '../database/tables.ts';
import { appendEvents, eventRow, type NewEvent } from '../event-feed/append.ts';
import { fingerprintOf, isStorable, replayOrThrow, storedProblem } from './idempotency.ts';
import { inProgress, type RunningRequests, waitOrStart } from './running-requests.ts';
import {
  findStoredResponse,
  type KeyedRequest,
  KeyTaken,
  type ResponseRow,
  reserveKey,
  responseRow,
  storeResponse,
} from './stored-responses.ts';

/** Milliseconds between two searches for a response that another process is about to store. */
const pollInterval = 100;

/** A request with a write. */
export interface WriteRequest {
  accountId: string;
  /** The `Idempotency-Key`, if the request has one. */
  idempotencyKey: string | undefined;
  operation: string;
  path: unknown;
  body: unknown;
  /** A function of its operation, to which `forWrite` (route-handlers.ts) has bound the request. */
  run:
    | ({ plan(): Promise<Plan> } & GroupCommit<unknown>)
    | { perform(transaction: WriteTransaction): Promise<OperationResponse>; precheck?: Precheck };
  /** @throws when the response cannot be sent */
  serialize(response: OperationResponse): SerializedResponse;
  /** Wakes the readers of the account's events, after the commit. */
  notify(): void;
  /** Lets other requests of the account start while this one waits for another one with its key. */
  releaseSlots(): void;
}

/** A write whose response does not depend on stored data. */
export interface Plan<Response extends OperationResponse = OperationResponse, Planned = unknown> {
  response: Response;
  planned: Planned;
}

export interface GroupCommit<Planned> {
  /**
   * Commits a planned write together with concurrent ones (`groupCommit`).
   * @param response is stored if the request has a key
   * @throws {Problem} of a refusal; {KeyTaken}
   */
  commit(planned: Planned, response: ResponseRow): Promise<void>;
}

/** Runs before the transaction of a write. */
type Precheck = (before: BeforeWrite) => Promise<void>;

/** What a write has before its transaction. */
export interface BeforeWrite {
  db: Kysely<Tables>;
  /**
   * Commits the count of a guess of a secret. Compare the secret after that: no failure of the write undoes the count.
   * With a key, nothing is counted or compared if it was used for another request or has a response.
   * @param count gets the points to add: 0 when an equal request is counted and has no response yet
   */
  countGuess<Counted>(count: (db: Transaction<Tables>, points: 0 | 1) => Promise<Counted>): Promise<Counted>;
}

/** The transaction of a write. */
export interface WriteTransaction {
  db: Transaction<Tables>;
  /** Appends an event when the response is stored. */
  addEvent(event: NewEvent): void;
  /** Runs work when the response is stored: statements that lock what other writes of the account need. */
  beforeCommit(work: () => Promise<void>): void;
}

/** What has become of a write. */
interface Outcome {
  /** The stored form of the response. Equal requests get it as a replay. */
  response: OperationResponse;
  /** What the request itself gets. A replay has none. */
  result?: SerializedResponse | Problem;
}

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
 * 0002). The transaction fails with `KeyTaken` when another request has used the key. Then `replayOf` reads its response.
 * @throws {Problem} of a refusal; unavailable at the time limit; idempotency_in_progress when another request with the key runs
 * for too long; idempotency_key_reused
 */
export async function executeWrite(write: WriteRequest, options: Options): Promise<SerializedResponse> {
  const { accountId, idempotencyKey: key, serialize } = write;
  const { database, running, waitUntil, respondUntil } = options;
  if (key === undefined) {
    const committed = await beforeDeadline(commitWrite(write, undefined, database), respondUntil);
    return resultOf(committed, serialize);
  }
  const request = { accountId, key, fingerprint: fingerprintOf(write) };
  const turn = await waitOrStart(running, request, waitUntil, write.releaseSlots);
  if ('responseOfEqual' in turn) return resultOf({ response: turn.responseOfEqual }, serialize);

  const execution = { write, request, database, waitUntil };
  // It goes on after the deadline. Equal requests that wait in this process get its response.
  const outcome = commitWrite(write, request, database).catch((failure) => outcomeAfterFailure(failure, execution));
  turn.endWith(outcome.then(({ response }) => response)); // which handles its errors, too
  return resultOf(await beforeDeadline(outcome, respondUntil), serialize);
}

/** @throws {Problem} of a refusal */
function resultOf({ response, result }: Outcome, serialize: WriteRequest['serialize']): SerializedResponse {
  if (result instanceof Problem) throw result;
  return result ?? serialize(replayOrThrow(response));
}

/**
 * Commits a write with its response, which is serialized before the commit: a response that cannot be sent has no effect.
 * @throws {KeyTaken}
 */
async function commitWrite(
  write: WriteRequest,
  request: KeyedRequest | undefined,
  database: Database,
): Promise<Outcome> {
  const { accountId, run, serialize, notify } = write;
  if ('perform' in run) return performInTransaction(write, run, request, database);
  const { response, planned } = await run.plan();
  const result = serialize(response);
  await run.commit(planned, responseRow(accountId, request, response));
  notify(); // the plan does not say whether it has caused an event
  return { response, result };
}

/**
 * Commits a write in a transaction of its own: perform → serialize → store the response → `beforeCommit` → append events →
 * commit. Before it, runs the precheck.
 */
async function performInTransaction(
  { accountId, serialize, notify }: WriteRequest,
  { perform, precheck }: Extract<WriteRequest['run'], { perform: unknown }>,
  request: KeyedRequest | undefined,
  database: Database,
): Promise<Outcome> {
  const db = database.ofAccount(accountId);
  await precheck?.({
    db,
    countGuess: (count) =>
      db.transaction().execute(async (trx) => {
        const key = request ? await reserveKey(trx, request, database) : 'reserved';
        return count(trx, key === 'repeated' ? 0 : 1);
      }),
  });
  const events: NewEvent[] = [];
  const outcome = await db.transaction().execute(async (trx): Promise<Outcome> => {
    const lastWork: (() => Promise<void>)[] = [];
    const response = await perform({
      db: trx,
      addEvent: (event) => void events.push(event),
      beforeCommit: (work) => void lastWork.push(work),
    });
    const result = serialize(response);
    await storeResponse(trx, responseRow(accountId, request, response), database);
    for (const work of lastWork) await work();
    const rows = events.map((event) => eventRow(accountId, event));
    await appendEvents(trx, rows); // last, because the feed is locked until the commit
    return { response, result };
  });
  if (events.length > 0) notify();
  return outcome;
}

/** A request with a key that is executed. */
interface Execution {
  write: WriteRequest;
  request: KeyedRequest;
  database: Database;
  waitUntil: Options['waitUntil'];
}

/**
 * What becomes of a write that has failed. When its key is taken, it is the response of the other request. A refusal is stored,
 * if it can be stored. Otherwise an equal request may have caused the failure: a refusal that is not stored, such as
 * upload_limit_reached after its upload, or the wait for a lock of a row that it held. After a lost connection nothing is
 * searched: if the write is committed, a repeat finds its response.
 * @throws the failure when there is no response of an equal request; {Problem} those of `replayOf`
 */
async function outcomeAfterFailure(failure: unknown, execution: Execution): Promise<Outcome> {
  const { request, database } = execution;
  const db = database.ofAccount(request.accountId);
  if (failure instanceof KeyTaken) return { response: await replayOf(failure, execution) };
  if (isStorable(failure)) {
    const response = storedProblem(failure);
    const row = responseRow(request.accountId, request, response);
    const stored = db.transaction().execute((trx) => storeResponse(trx, row, database));
    // An equal request may have caused the refusal, such as reference_taken.
    return stored.then(
      () => ({ response, result: failure }),
      (error) => outcomeAfterFailure(error, execution),
    );
  }
  const response = mayBeOfEqual(failure) ? await findStoredResponse(db, request) : undefined;
  if (!response) throw failure;
  return { response };
}

/** Whether an equal request may have caused a failure: a refusal, or an error of PostgreSQL, such as a lock timeout. */
const mayBeOfEqual = (failure: unknown): boolean =>
  failure instanceof Problem ? failure.status < 500 : isRejectedByPostgres(failure) || isCanceled(failure);

/**
 * The response of the request that has used the key, as soon as its transaction has stored it.
 * @throws {Problem} unavailable when it has expired meanwhile: a repeat succeeds; idempotency_in_progress;
 * idempotency_key_reused when the request is another one
 */
async function replayOf({ by }: KeyTaken, execution: Execution): Promise<OperationResponse> {
  const { write, request, database, waitUntil } = execution;
  if (by === 'transaction') write.releaseSlots();
  for (;;) {
    const response = await findStoredResponse(database.ofAccount(request.accountId), request);
    if (response) return response;
    if (by === 'response') throw new Problem('unavailable');
    if (performance.now() + pollInterval > waitUntil) throw inProgress();
    await wait(pollInterval);
  }
}
