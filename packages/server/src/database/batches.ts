import type { Expression, QueryCreator } from 'kysely';
import type { Database } from './database.ts';
import type { DatabaseObserver } from './driver.ts';
import { isRejectedByPostgres, Overloaded } from './errors.ts';
import { setLockTimeout } from './expressions.ts';
import type { Tables } from './tables.ts';

/** Items that may wait for a batch. Further ones are rejected. */
const maxWaiting = 2_000;
/**
 * When a batch fails, items that have waited longer than this many milliseconds fail, too: the next batch could fail
 * after a timeout of its own.
 */
const maxWaitOnFailure = 1_000;

interface BatchOptions<Item> {
  /** Names the batches in metrics and traces. */
  name: string;
  /** Batches that run at the same time. Items that arrive meanwhile form the next batch. */
  maxRunning: number;
  /** Items of a batch. */
  maxItems: number;
  /** Total size of a batch. An item that is larger is a batch of its own. */
  size?: { max: number; of(item: Item): number };
  /** So many waiting items start a batch while further requests are read. By default it starts after all have been read. */
  startAt?: number;
  /** Returns a key: items with the same one run one after the other, never in one batch. */
  exclusiveKey?: (item: Item) => string | undefined;
}

interface Waiting<Item, Result> {
  item: Item;
  exclusiveKey: string | undefined;
  /** The trace span of its request, for the observer. */
  caller: unknown;
  since: number;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Collects items that arrive concurrently and runs them in batches. No item waits for others to arrive: the first one starts
 * a batch in the same turn of the event loop, and what arrives while all batches are running forms the next one, except
 * items whose `exclusiveKey` is in a running batch.
 * @param run returns the results in the order of the items
 * @returns a function that resolves to the result of its item, and rejects with the error of its batch; with Overloaded when too
 * many items wait, and when it has waited for long and the batch before it fails
 */
export function inBatches<Item, Result>(
  options: BatchOptions<Item>,
  run: (items: Item[]) => Promise<Result[]>,
  observer?: DatabaseObserver,
): (item: Item) => Promise<Result> {
  const { startAt = Number.POSITIVE_INFINITY, size = { max: Number.POSITIVE_INFINITY, of: () => 0 } } = options;
  let waiting: Waiting<Item, Result>[] = [];
  let running = 0;
  let isScheduled = false;
  /** The exclusive keys of the items in running batches. */
  const busy = new Set<string>();

  const rejectLongWaits = (): void => {
    const earliest = performance.now() - maxWaitOnFailure;
    const isLong = ({ since }: Waiting<Item, Result>): boolean => since < earliest;
    for (const { reject } of waiting.filter(isLong)) reject(new Overloaded('The batch before this one has failed.'));
    waiting = waiting.filter((each) => !isLong(each));
  };

  /** Removes the items of the next batch from those that wait. */
  const takeBatch = (): Waiting<Item, Result>[] => {
    const batch: Waiting<Item, Result>[] = [];
    const rest: Waiting<Item, Result>[] = [];
    let total = 0;
    for (const each of waiting) {
      const { item, exclusiveKey } = each;
      const increased = total + size.of(item);
      const fits = batch.length === 0 || (batch.length < options.maxItems && increased <= size.max);
      if (fits && (exclusiveKey === undefined || !busy.has(exclusiveKey))) {
        if (exclusiveKey !== undefined) busy.add(exclusiveKey);
        total = increased;
        batch.push(each);
      } else rest.push(each);
    }
    waiting = rest;
    return batch;
  };

  const runObserved = (batch: Waiting<Item, Result>[]): Promise<Result[]> => {
    const items = batch.map(({ item }) => item);
    if (!observer) return run(items);
    const callers = batch.map(({ caller }) => caller);
    return observer.runBatch(options.name, callers, () => run(items));
  };

  const runBatch = async (batch: Waiting<Item, Result>[]): Promise<void> => {
    try {
      const results = await runObserved(batch);
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
      rejectLongWaits();
    }
    running--;
    for (const { exclusiveKey } of batch) if (exclusiveKey !== undefined) busy.delete(exclusiveKey);
    startBatches();
  };

  const startBatches = (): void => {
    isScheduled = false;
    while (running < options.maxRunning && waiting.length > 0) {
      const batch = takeBatch();
      if (batch.length === 0) return;
      running++;
      void runBatch(batch);
    }
  };

  return (item) => {
    if (waiting.length >= maxWaiting) return Promise.reject(new Overloaded('Too many requests wait for the database.'));
    return new Promise((resolve, reject) => {
      const exclusiveKey = options.exclusiveKey?.(item);
      waiting.push({ item, exclusiveKey, caller: observer?.callerOf(), since: performance.now(), resolve, reject });
      if (running >= options.maxRunning) return;
      if (waiting.length >= startAt) return startBatches();
      if (isScheduled) return;
      isScheduled = true;
      setImmediate(startBatches);
    });
  };
}

/** Two groups run at a time, with so many writes each. */
const groupLimits = { maxRunning: 2, maxItems: 64 };

/**
 * Makes the function with which a write joins a group of concurrent ones: they share a transaction, and so its round trips
 * and its flush to disk. When PostgreSQL rejects a write of a group, nothing is committed and each is committed alone, so
 * that none fails because of another.
 * @param commit commits the group in one transaction, perhaps by a single statement; returns a result for each item
 * @returns a function that resolves, when the group of its item is committed, to the result that `commit` has returned for
 * the item; to `commit_alone` when the item is not committed, because PostgreSQL has rejected the group or `commit` has left
 * it out.
 *
 * It rejects with `Overloaded` when too many wait, and after a statement timeout or a lack of resources, which a second
 * attempt would make worse (not `isRejectedByPostgres`): then the write is not committed. It also rejects after a lost connection: then
 * it may be committed.
 */
export const writeGroups = <Item, Result>(
  database: Database,
  options: Omit<BatchOptions<Item>, keyof typeof groupLimits>,
  commit: (items: Item[]) => Promise<(Result | 'commit_alone')[]>,
): ((item: Item) => Promise<Result | 'commit_alone'>) =>
  inBatches<Item, Result | 'commit_alone'>(
    { ...options, ...groupLimits },
    (items) =>
      commit(items).catch((error: unknown) => {
        if (isRejectedByPostgres(error)) return items.map(() => 'commit_alone');
        throw error;
      }),
    database.observer,
  );

/**
 * Milliseconds that a group waits for each lock. Its writes rarely wait for one; a write that does must not delay the
 * others, and waits alone.
 */
const groupLockTimeout = '50';

/** A row to select from before a group takes its locks: it limits the wait for each. `lockFeedsOf` sets another limit. */
export const limitLockWaits = (db: QueryCreator<Tables>): Expression<{ lock_timeout: unknown }> =>
  db.selectNoFrom(setLockTimeout(groupLockTimeout).as('lock_timeout'));
