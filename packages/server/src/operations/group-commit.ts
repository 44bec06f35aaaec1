import { Problem } from '@waybill/http/problems';
import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../database/database.ts';
import { Conflict, isRejectedByPostgres } from '../database/errors.ts';
import { type BatchOptions, batchesOfNodes, inBatches } from '../database/statements/batches.ts';
import { limitLockWaits } from '../database/statements/expressions.ts';
import type { Tables } from '../database/tables.ts';
import { appendEvents, groupFeedTimeout, type NewEventRow } from '../event-feed/append.ts';
import { type ResponseRow, storeResponse, storeResponses } from './stored-responses.ts';

/** A planned write with its response. */
type Grouped<Planned> = Planned & { response: ResponseRow };

interface GroupOptions<Planned, Write = Grouped<Planned>>
  extends Pick<BatchOptions<Write>, 'name' | 'size' | 'exclusiveKey'> {
  /**
   * Makes the changes of writes of several accounts. It locks in an order that all instances have.
   * @returns their events
   * @throws what refuses one of them: then each is committed alone, and only that one fails
   */
  change(trx: Transaction<Tables>, writes: Write[], isCitus: boolean): Promise<NewEventRow[]>;
  /** Returns what the caller gets for the error that refuses a write alone. It is called after the rollback. */
  refusalOf?(error: unknown, write: Write): Promise<unknown>;
  /**
   * Commits a group on PostgreSQL by one statement instead.
   * @returns the writes that it has left out, which are committed alone
   */
  commitGroup?(writes: Write[]): Promise<Write[]>;
}

/** Two groups run at a time, with so many writes each. */
const groupLimits = { maxRunning: 2, maxItems: 64 };

/**
 * Milliseconds that a group waits for each lock. Its writes rarely wait for one; a write that does must not delay the
 * others, and waits alone. `appendEvents` sets another limit.
 */
export const groupLockTimeout = 50;

/**
 * Makes the function that commits a write together with concurrent ones (decision 0021): they share a transaction, and so its
 * round trip and its flush to disk. On Citus, those of a group have their accounts on one node, so that a node without
 * response delays only its own accounts. When a write of a group is refused, nothing is committed, and each is committed
 * alone, so that none fails because of another: a batch → `tryTogether` → `commitAlone` for what is not committed.
 * @returns a function that resolves when the write is committed. It rejects with what refuses the write, such as `KeyTaken`;
 * with `Overloaded` when too many wait, and after a statement timeout or a lack of resources, which a second attempt would
 * make worse (`isRejectedByPostgres` leaves these out): then the write is not committed. It also rejects after a lost
 * connection: then it may be committed.
 */
export function groupCommit<Planned extends object>(
  database: Database,
  { change, refusalOf, commitGroup, ...options }: GroupOptions<Planned>,
): (planned: Planned, response: ResponseRow) => Promise<void> {
  /**
   * Commits responses, changes and events. The responses are stored first, unlike those of `performInTransaction`, which depend
   * on the changes: a repetition is a taken key, and not a change that the first request has made impossible. Most statements are
   * sent with the commit, which throws the error of the first that fails.
   */
  const commitWrites = (
    db: Kysely<Tables>,
    writes: Grouped<Planned>[],
    store: (trx: Transaction<Tables>, isCitus: boolean) => Promise<void>,
    feedTimeout?: number,
  ): Promise<void> =>
    db.transaction().execute(async (trx) => {
      const isCitus = await database.isCitus();
      await store(trx, isCitus);
      await appendEvents(trx, await change(trx, writes, isCitus), { feedTimeout, isCitus });
    });

  /** @returns the writes that are left out */
  const commitTogether = async (writes: Grouped<Planned>[]): Promise<Grouped<Planned>[]> => {
    if (commitGroup && !(await database.isCitus())) return commitGroup(writes);
    const store = async (trx: Transaction<Tables>, isCitus: boolean): Promise<void> => {
      await limitLockWaits(trx, isCitus, groupLockTimeout);
      const responses = writes.map(({ response }) => response);
      await storeResponses(trx, responses, database, isCitus);
    };
    await commitWrites(database, writes, store, groupFeedTimeout);
    return [];
  };

  /** Unlike in a group, it replaces an expired response, waits longer for locks, and gets the refusal of its caller. */
  const commitAlone = (write: Grouped<Planned>): Promise<void> => {
    const { response } = write;
    const db = database.ofAccount(response.account_id);
    return commitWrites(db, [write], (trx) => storeResponse(trx, response, database)).catch(async (error: unknown) => {
      throw refusalOf ? await refusalOf(error, write) : error;
    });
  };

  /** @returns for each write whether it is committed. A refused group commits none. */
  const tryTogether = async (writes: Grouped<Planned>[]): Promise<boolean[]> => {
    try {
      const leftOut = await commitTogether(writes);
      return writes.map((write) => !leftOut.includes(write));
    } catch (error) {
      if (isRefusal(error)) return writes.map(() => false);
      throw error;
    }
  };

  const batches = batchesOfNodes(database, () =>
    inBatches({ ...options, ...groupLimits }, tryTogether, database.observer),
  );
  return async (planned, response) => {
    const write = { ...planned, response };
    const commitWithOthers = await batches(response.account_id);
    const isCommitted = await commitWithOthers(write);
    if (!isCommitted) await commitAlone(write);
  };
}

/**
 * Whether a write of a group is refused, as opposed to a database that does not work. A lock timeout counts, too: the write
 * waits for the lock alone.
 */
const isRefusal = (error: unknown): boolean =>
  error instanceof Problem || error instanceof Conflict || isRejectedByPostgres(error);
