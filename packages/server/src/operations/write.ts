import type { OperationId, OperationRequest } from '@waybill/http/operations';
import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '../database/tables.ts';
import type { NewEvent } from '../event-feed/append.ts';
import type { ResponseOf } from './serialize.ts';
import type { ResponseRow } from './stored-responses.ts';

/** Returns a documented success of its operation, and throws a Problem for every other response. */
export type Handler<Id extends OperationId, Context> = (
  request: OperationRequest<Id>,
  context: Context,
) => Promise<ResponseOf<Id>>;

export interface AccountContext {
  /** The uuid of the access of the request; null for a request with an API key. */
  accessId: string | null;
  accountId: string;
  now: Date;
}

/** A write has its transaction only: no second connection, and no effect outside the database. */
export interface WriteContext extends AccountContext {
  db: Transaction<Tables>;
  /** Appends an event when the response is stored. */
  addEvent(event: NewEvent): void;
  /** Runs work when the response is stored: statements that lock what other writes of the account need. */
  beforeCommit(work: () => Promise<void>): void;
  /** What `precheck` has returned. */
  checked: unknown;
}

/** What a write has before its transaction. */
export interface PrecheckContext extends AccountContext {
  db: Kysely<Tables>;
  /**
   * Commits the count of a guess of a secret. Compare the secret after that: no failure of the write undoes the count.
   * With a key, nothing is counted or compared if it was used for another request or has a response.
   * @param count gets the points to add: 0 when an equal request is counted and has no response yet
   */
  countGuess<Counted>(count: (db: Transaction<Tables>, points: 0 | 1) => Promise<Counted>): Promise<Counted>;
}

export interface Write<Id extends OperationId> {
  /**
   * Checks what the caller may do, also before a stored response is returned.
   * @throws {Problem} insufficient_scope
   */
  authorize?(request: OperationRequest<Id>, scopes: string[]): void;
  /**
   * Checks the write before its transaction: what waits for something else, and would occupy a connection, or compares a secret.
   * @returns what `perform` gets as `checked`
   * @throws what `perform` would throw
   */
  precheck?(request: OperationRequest<Id>, context: PrecheckContext): Promise<unknown>;
  /** Makes the changes of the write in a transaction of its own. `performInTransaction` stores the response and commits. */
  perform: Handler<Id, WriteContext>;
}

/** What a planned write will commit. */
export interface Plan<Id extends OperationId, Planned> {
  response: ResponseOf<Id>;
  planned: Planned;
}

/** A write that is committed together with concurrent ones. Its response does not depend on stored data. */
export interface PlannedWrite<Id extends OperationId, Planned = unknown> {
  /** Stores nothing, and usually waits for nothing. */
  plan(request: OperationRequest<Id>, context: AccountContext): Plan<Id, Planned> | Promise<Plan<Id, Planned>>;
  /** Is made by `groupCommit` (group-commit.ts). */
  commit(planned: Planned, response: ResponseRow): Promise<void>;
}
