import type { OperationResponse, SerializedResponse } from '@waybill/http/operations';
import type { Problem } from '@waybill/http/problems';
import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';
import { appendEvents, type NewEvent } from '../event-feed/append.ts';
import {
  type KeyedRequest,
  type ResponseColumns,
  reserveKey,
  responseColumns,
  storeResponse,
  type TakenBy,
} from './stored-responses.ts';

/** The functions of an operation's `Write` (route-handlers.ts), to which `forWrite` has bound the request. */
export interface BoundWrite {
  accountId: string;
  /** Runs before the transaction. */
  precheck: ((before: BeforeWrite) => Promise<void>) | undefined;
  planForGroup: (() => Promise<GroupPlan>) | undefined;
  /** Makes the changes in a transaction, which `commitAlone` begins and commits. */
  perform(transaction: WriteTransaction): Promise<OperationResponse>;
  /** @throws when the response cannot be sent */
  serialize(response: OperationResponse): SerializedResponse;
  /** Wakes the readers of the account's events, after the commit. */
  notify(): void;
}

/** What a write has before its transaction. */
export interface BeforeWrite {
  db: Kysely<Tables>;
  /**
   * Commits the count of an attempt at a secret. Compare the secret after that: no failure of the write undoes the count.
   * With a key, nothing is counted or compared if it was used for another request or has a response.
   * @param count gets the points to add: 0 when an equal request is counted and has no response yet
   */
  countAttempt<Counted>(count: (db: Transaction<Tables>, points: 0 | 1) => Promise<Counted>): Promise<Counted>;
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

/** A refusal with its response, which is stored if the request has a key. */
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
export function commitWrite(write: BoundWrite, keyedRequest: undefined, database: Database): Promise<Committed>;
export function commitWrite(
  write: BoundWrite,
  keyedRequest: KeyedRequest,
  database: Database,
): Promise<Committed | KeyTaken>;
export async function commitWrite(
  write: BoundWrite,
  keyedRequest: KeyedRequest | undefined,
  database: Database,
): Promise<Committed | KeyTaken> {
  try {
    await write.precheck?.(beforeWrite(write, keyedRequest, database));
    if (write.planForGroup && (await database.canCommitInGroups())) {
      const outcome = await commitInGroup(write, await write.planForGroup(), keyedRequest);
      if (outcome.kind !== 'commit_alone') return outcome;
    }
    return await commitAlone(write, keyedRequest, database);
  } catch (error) {
    if (error instanceof KeyTakenError) return { kind: 'key_taken', by: error.by };
    throw error;
  }
}

function beforeWrite(
  { accountId }: BoundWrite,
  keyedRequest: KeyedRequest | undefined,
  database: Database,
): BeforeWrite {
  const db = database.ofAccount(accountId);
  return {
    db,
    countAttempt: (count) =>
      db.transaction().execute(async (trx) => {
        const key = keyedRequest ? await reserveKey(trx, keyedRequest, database) : 'reserved';
        if (key === 'reserved' || key === 'repeated') return count(trx, key === 'repeated' ? 0 : 1);
        throw new KeyTakenError(key);
      }),
  };
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
): Promise<Committed> {
  const db = database.ofAccount(write.accountId);
  const events: NewEvent[] = [];
  const committed = await db.transaction().execute(async (trx): Promise<Committed> => {
    const lastWork: (() => Promise<void>)[] = [];
    const response = await write.perform({
      db: trx,
      addEvent: (event) => void events.push(event),
      beforeCommit: (work) => void lastWork.push(work),
    });
    const serialized = write.serialize(response);
    const result = keyedRequest && (await storeResponse(trx, keyedRequest, response, database));
    if (result && result !== 'stored') throw new KeyTakenError(result);
    for (const work of lastWork) await work();
    await appendEvents(trx, write.accountId, events); // last, because the feed is locked until the commit
    return { kind: 'committed', response, serialized };
  });
  if (events.length > 0) write.notify();
  return committed;
}

/** Rolls a transaction back whose key is taken. */
class KeyTakenError extends Error {
  readonly by: TakenBy;
  constructor(by: TakenBy) {
    super();
    this.by = by;
  }
}
