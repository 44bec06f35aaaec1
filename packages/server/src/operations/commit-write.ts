import { storedProblem } from '@waybill/http/idempotency';
import type { OperationResponse, SerializedResponse } from '@waybill/http/operations';
import type { Problem } from '@waybill/http/problems';
import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';
import { appendEvents, type NewEvent } from '../event-feed/append.ts';
import {
  type KeyedRequest,
  type ResponseColumns,
  responseColumns,
  storeResponse,
  type TakenBy,
} from './stored-responses.ts';

/** The functions of an operation's `Write` (route-handlers.ts), to which `forWrite` has bound the request. */
export interface BoundWrite {
  accountId: string;
  /** Runs before the transaction. */
  precheck: ((db: Kysely<Tables>) => Promise<void>) | undefined;
  planForGroup: (() => Promise<GroupPlan>) | undefined;
  /** Makes the changes in a transaction, which `commitAlone` begins and commits. */
  perform(transaction: WriteTransaction): Promise<OperationResponse>;
  /** @throws when the response cannot be sent */
  serialize(response: OperationResponse): SerializedResponse;
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

/** A write to commit in one transaction with concurrent ones. */
export interface GroupPlan<Response extends OperationResponse = OperationResponse> {
  /** It does not depend on stored data. */
  response: Response;
  /**
   * Waits until the group is committed.
   * @param responseRow the response, which is stored if the request has a key
   */
  joinGroup(responseRow: ResponseColumns): Promise<GroupResult>;
}

/**
 * Whether the group has committed a write. If not, its key has a stored response (`key_taken`), or the write needs a transaction
 * of its own: after an error of the group (`writeGroups`), and when the statement of the group leaves it out
 * (`insertShipmentGroup`, `insertReportGroup`).
 */
export type GroupResult = 'committed' | 'key_taken' | 'commit_alone';

/** The response of a committed write. It is serialized before the commit: a response that cannot be sent has no effect. */
interface Committed {
  kind: 'committed';
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
  kind: 'refused';
  response: OperationResponse;
  refusal: Problem;
}

/** What has become of a write. */
export type Outcome = Committed | Refused;

/** Nothing is committed, because another request has used the key, or is about to. */
interface KeyTaken {
  kind: 'key_taken';
  by: TakenBy;
}

/**
 * Commits a write: in a group if its operation and the database allow it (decision 0021), otherwise alone. First runs its
 * precheck; after the commit, wakes the readers of its events.
 */
export function commitWrite(write: BoundWrite, keyedRequest: undefined, database: Database): Promise<Outcome>;
export function commitWrite(
  write: BoundWrite,
  keyedRequest: KeyedRequest,
  database: Database,
): Promise<Outcome | KeyTaken>;
export async function commitWrite(
  write: BoundWrite,
  keyedRequest: KeyedRequest | undefined,
  database: Database,
): Promise<Outcome | KeyTaken> {
  await write.precheck?.(database.ofAccount(write.accountId));
  if (write.planForGroup && (await database.canCommitInGroups())) {
    const outcome = await commitInGroup(write, await write.planForGroup(), keyedRequest);
    if (outcome.kind !== 'commit_alone') return outcome;
  }
  return commitAlone(write, keyedRequest, database);
}

/** Commits a write in one transaction with concurrent ones, or leaves it to `commitAlone`. */
async function commitInGroup(
  { notify, serialize }: BoundWrite,
  { response, joinGroup }: GroupPlan,
  keyedRequest: KeyedRequest | undefined,
): Promise<Committed | KeyTaken | { kind: 'commit_alone' }> {
  const serialized = serialize(response);
  const result = await joinGroup(responseColumns(keyedRequest, response));
  switch (result) {
    case 'committed':
      notify(); // the group does not say whether this write has caused an event
      return { kind: 'committed', response, serialized };
    case 'key_taken':
      return { kind: 'key_taken', by: 'response' };
    case 'commit_alone':
      return { kind: 'commit_alone' };
  }
}

/**
 * Commits a write in a transaction of its own: perform → serialize → store the response → `beforeCommit` → append events →
 * commit. The statement of a group does the same after `serialize`.
 */
async function commitAlone(
  write: BoundWrite,
  keyedRequest: KeyedRequest | undefined,
  database: Database,
): Promise<Outcome | KeyTaken> {
  const db = database.ofAccount(write.accountId);
  const events: NewEvent[] = [];
  try {
    const outcome = await db.transaction().execute(async (trx) => {
      const lastWork: (() => Promise<void>)[] = [];
      const performed = await write
        .perform({
          db: trx,
          addEvent: (event) => void events.push(event),
          beforeCommit: (work) => void lastWork.push(work),
        })
        .then((response): Outcome => {
          return { kind: 'committed', response, serialized: write.serialize(response) };
        }, refusedWithEffect);
      const result = keyedRequest && (await storeResponse(trx, keyedRequest, performed.response, database));
      if (result && result !== 'stored') throw new KeyTakenError(result);
      for (const work of lastWork) await work();
      await appendEvents(trx, write.accountId, events); // last, because the feed is locked until the commit
      return performed;
    });
    if (events.length > 0) write.notify();
    return outcome;
  } catch (error) {
    if (error instanceof KeyTakenError) return { kind: 'key_taken', by: error.by };
    throw error;
  }
}

/** Rolls a transaction back whose response could not be stored. */
class KeyTakenError extends Error {
  readonly by: TakenBy;
  constructor(by: TakenBy) {
    super();
    this.by = by;
  }
}

/** @throws every other error */
function refusedWithEffect(error: unknown): Refused {
  if (!(error instanceof RefusalWithEffect)) throw error;
  return { kind: 'refused', response: storedProblem(error.problem), refusal: error.problem };
}
