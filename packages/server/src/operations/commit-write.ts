import { problemResponse } from '@waybill/http/idempotency';
import type { OperationResponse, SerializedResponse } from '@waybill/http/operations';
import { Problem } from '@waybill/http/problems';
import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';
import { appendEvents, type NewEvent } from '../event-feed/append.ts';
import { type KeyedRequest, type KeyState, storeResponse } from './stored-responses.ts';

/** The functions of an operation's `Write` (route-handlers.ts), to which `forWrite` has bound the request. */
export interface BoundWrite {
  accountId: string;
  /** Runs before the transaction. */
  precheck: ((db: Kysely<Tables>) => Promise<void>) | undefined;
  /** Commits the write in one transaction with concurrent ones, and stores its response if it has a key. */
  commitInGroup: ((keyedRequest: KeyedRequest | undefined) => Promise<GroupResult>) | undefined;
  /** Makes the changes in a transaction of its own. `commitAlone` begins it, stores the response and commits. */
  perform(transaction: WriteTransaction): Promise<PreparedResponse>;
  /** Wakes the readers of the account's events, after the commit. */
  notify(): void;
}

/** The transaction of a write. */
export interface WriteTransaction {
  db: Transaction<Tables>;
  /** Appends an event when the response is stored. */
  addEvent(event: NewEvent): void;
  /** Runs work when the response is stored: statements that lock what other writes of the account need. */
  beforeCommit(work: () => Promise<void>): void;
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
export type Outcome = PreparedResponse | Refused;

/**
 * The response when the write is committed. Otherwise nothing is: `key_used` when its key has a stored response, and
 * `commit_alone` when the write needs a transaction of its own. That is so after an error of the group (`groupCommitter`), and
 * for a write that the statement of the group leaves out (`commitShipments`, `commitReports`).
 */
export type GroupResult = PreparedResponse | 'commit_alone' | 'key_used';

/**
 * The response could not be stored, and nothing is committed. An error, so that the transaction is rolled back. It reaches the
 * caller when the response with which it conflicted has expired meanwhile: a repeat succeeds.
 */
export class KeyConflict extends Problem {
  readonly keyState: KeyState;
  constructor(keyState: KeyState) {
    super('unavailable');
    this.keyState = keyState;
  }
}

/**
 * Commits a write: in a group with concurrent ones if its operation and the database allow it (decision 0021), otherwise
 * alone. First runs its precheck; after the commit, wakes the readers of its events.
 * @throws {KeyConflict}, the error of the operation or of PostgreSQL
 */
export async function commitWrite(
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
  if (result === 'key_used') throw new KeyConflict(result); // as `commitAlone` does
  notify(); // a group does not say whether this write has caused an event
  return result;
}

/**
 * Commits a write in a transaction of its own: perform → store the response → `beforeCommit` → append events → commit. The
 * statement of a group does all of it.
 */
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
