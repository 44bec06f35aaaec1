import type { OperationId, OperationRequest, OperationResponse, SerializedResponse } from '@waybill/http/operations';
import type { Kysely } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';
import { appendEvents, eventRow, type NewEventRow } from '../event-feed/append.ts';
import { type KeyedRequest, reserveKey, responseRow, storeResponse } from './stored-responses.ts';
import type { AccountContext, Plan, PlannedWrite, PrecheckContext, Write } from './write.ts';

/** A request of a write. */
interface WriteCall<Id extends OperationId> {
  request: OperationRequest<Id>;
  context: AccountContext;
  /** @throws when the response cannot be sent */
  serialize(response: OperationResponse): SerializedResponse;
}

export interface CommitOptions {
  database: Database;
  /** Wakes the readers of an account's events (event-feed/notifications.ts). */
  notify(accountId: string): void;
}

/** A write that is committed. */
export interface Committed {
  kind: 'committed';
  /** As it is stored. */
  response: OperationResponse;
  result: SerializedResponse;
}

/**
 * Commits a write with its response and its events.
 * @param keyed undefined for a request without a key, whose response is not stored
 * @throws {Problem} of a refusal; {KeyTaken}
 */
export type Commit = (keyed: KeyedRequest | undefined) => Promise<Committed>;

/** Plans a planned write now. @returns the function that commits the write; a promise only if the plan is one */
export const prepareCommit = <Id extends OperationId>(
  handler: Write<Id> | PlannedWrite<Id>,
  call: WriteCall<Id>,
  options: CommitOptions,
): Commit | Promise<Commit> =>
  'plan' in handler
    ? planCommit(handler, call, options)
    : (keyed) => performInTransaction(handler, call, keyed, options);

/**
 * Plans a write, and serializes its response: one that cannot be sent has no effect. A repeated request plans, too: it finds its
 * key when it commits, or when its plan fails, for example because time has passed.
 */
function planCommit<Id extends OperationId>(
  { plan, commit }: PlannedWrite<Id>,
  { request, context, serialize }: WriteCall<Id>,
  { notify }: CommitOptions,
): Commit | Promise<Commit> {
  const commitOf = ({ response, planned }: Plan<Id, unknown>): Commit => {
    const result = serialize(response);
    return async (keyed) => {
      await commit(planned, responseRow(context.accountId, keyed, response));
      notify(context.accountId); // the plan does not say whether it causes an event
      return { kind: 'committed', response, result };
    };
  };
  const failing =
    (error: unknown): Commit =>
    () =>
      Promise.reject(error);
  try {
    const planning = plan(request, context);
    return planning instanceof Promise ? planning.then(commitOf).catch(failing) : commitOf(planning);
  } catch (error) {
    return failing(error);
  }
}

/**
 * Commits a write in a transaction of its own: perform → serialize → store the response → `beforeCommit` → append events →
 * commit. Before it, runs the precheck. A response that cannot be sent has no effect. An equal request may make `perform` fail,
 * because the response is stored after it.
 * @throws {Problem} of a refusal; {KeyTaken}
 */
async function performInTransaction<Id extends OperationId>(
  { precheck, perform }: Write<Id>,
  { request, context, serialize }: WriteCall<Id>,
  keyed: KeyedRequest | undefined,
  { database, notify }: CommitOptions,
): Promise<Committed> {
  const { accountId } = context;
  const db = database.ofAccount(accountId);
  const checked = await precheck?.(request, { ...context, db, countGuess: guessCounter(db, keyed, database) });
  const events: NewEventRow[] = [];
  const outcome = await db.transaction().execute(async (trx): Promise<Committed> => {
    const lastWork: (() => Promise<void>)[] = [];
    const response = await perform(request, {
      ...context,
      db: trx,
      addEvent: (event) => void events.push(eventRow(accountId, event)),
      beforeCommit: (work) => void lastWork.push(work),
      checked,
    });
    const result = serialize(response);
    await storeResponse(trx, responseRow(accountId, keyed, response), database);
    for (const work of lastWork) await work();
    await appendEvents(trx, events); // last, because the feed is locked until the commit
    return { kind: 'committed', response, result };
  });
  if (events.length > 0) notify(accountId);
  return outcome;
}

/** Makes `countGuess` (write.ts): the count commits together with the reservation of the key. */
const guessCounter =
  (db: Kysely<Tables>, keyed: KeyedRequest | undefined, database: Database): PrecheckContext['countGuess'] =>
  (count) =>
    db.transaction().execute(async (trx) => {
      const key = keyed ? await reserveKey(trx, keyed, database) : 'reserved';
      return count(trx, key === 'repeated' ? 0 : 1);
    });
