import type { Database } from '../database.ts';
import type { DatabaseObserver } from '../driver.ts';
import { Overloaded } from '../errors.ts';

/** Items that may wait for a batch. Further ones are rejected. */
const maxWaiting = 2_000;
/**
 * When a batch fails, items that have waited longer than this many milliseconds fail, too: the next batch could fail
 * after a timeout of its own.
 */
const maxWaitOnFailure = 1_000;

export interface BatchOptions<Item> {
  /** Names the batches in metrics and traces. */
  name: string;
  /** Batches that run at the same time. Items that arrive meanwhile form the next batch. */
  maxRunning: number;
  /** Items of a batch. */
  maxItems: number;
  /** Total size of a batch. An item that is larger is a batch of its own. */
  size?: { max: number; of(item: Item): number };
  /** So many waiting items start a batch at once. By default it starts when the requests that have arrived are read. */
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

/**
 * Makes the functions that batch the items of accounts: one for all accounts, and on Citus one for each node, so that a batch
 * is on one node, and a node without response delays only its own accounts.
 */
export function batchesOfNodes<Item, Result>(
  database: Pick<Database, 'nodeOf'>,
  newBatches: () => (item: Item) => Promise<Result>,
): (accountId: string) => Promise<(item: Item) => Promise<Result>> {
  const ofNodes = new Map<string, (item: Item) => Promise<Result>>();
  return async (accountId) => {
    const node = await database.nodeOf(accountId);
    const found = ofNodes.get(node) ?? newBatches();
    ofNodes.set(node, found);
    return found;
  };
}
