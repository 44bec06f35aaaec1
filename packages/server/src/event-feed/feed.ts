import { setImmediate } from 'node:timers/promises';
import { dayLength } from '@waybill/contract/duration';
import { type Activity, fairQueue, fairShares } from '../concurrency/fair-queue.ts';
import type { Database } from '../database/database.ts';
import { changedAccounts, type EventRef, type EventRow, refOfLast, selectEventsFrom } from './queries.ts';
import type { EventWaker } from './waker.ts';

/** Milliseconds after which readers are examined that have missed an event. */
const examineInterval = 1000;
/** Accounts that are examined at a time: whether they have later events than their readers know, or have lost those. */
const maxKnown = 20;
/** Events that a read for all readers of an account returns at most. */
const maxRead = 200;
/** The same for a reader that is behind the others. */
const maxReadBehind = 50;
/** Reads for readers that are behind. Each account has one slot, so that others do not wait for the many readers of one. */
const readsBehind = {
  slots: 4,
  slotsPerAccount: 1,
  maxWaiting: 20_000,
  maxWaitingPerAccount: 20_000,
  timeout: 3_600_000, // then a stream ends, and its client resumes it
};
/** What such a read costs, with the sending of its events, compared with a small request (operations/admission.ts). */
const costOfReadBehind = 15;
const shareOfReads = { costPerMillisecond: 2, period: 4 };
/** Readers that get events in one turn of the event loop. Each sends them. */
const readersPerTurn = 32;

/** An event that readers knew does not exist any more: PostgreSQL was replaced by a copy that lacks it. */
export class EventsLost extends Error {}

/** Reads the events of all accounts for streams and long polls, which wait for the next ones. */
export interface EventFeed {
  /**
   * Resolves to the events of an account after one as soon as there are any; to none when the signal aborts or the
   * feed is closed. Readers that wait for the same account share their reads: do not change the rows.
   * @param until a time of `performance.now()` at which it resolves to none, too
   * @throws {EventsLost}, or an error of PostgreSQL
   */
  next(accountId: string, after: EventRef, signal: AbortSignal, until?: number): Promise<EventRow[]>;
  /** Ends all current and later waits without events. */
  close(): void;
  isClosed(): boolean;
}

interface WaitingReader {
  after: EventRef;
  resolve(rows: EventRow[]): void;
  reject(error: unknown): void;
}

/** The end of an account's events, as far as this process has read them. */
interface Tail {
  last: EventRef;
  readers: Set<WaitingReader>;
  isReading: boolean;
  /** There may be events after `last`. */
  mayHaveMore: boolean;
}

const newTail = (last: EventRef): Tail => ({
  last,
  readers: new Set(),
  isReading: false,
  mayHaveMore: true,
});

/** @param waker says which accounts may have new events */
export function eventFeed(db: Database, activity: Activity, waker: Pick<EventWaker, 'listen'>): EventFeed {
  /** Those that have waited the longest for `examine` come first. */
  const tails = new Map<string, Tail>();
  const behind = fairQueue({
    ...readsBehind,
    shared: { shares: fairShares({ ...shareOfReads, activity }) },
  });
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const readNew = async (accountId: string, tail: Tail): Promise<void> => {
    if (tail.isReading) return;
    tail.isReading = true;
    try {
      while (tail.mayHaveMore && tail.readers.size > 0) {
        tail.mayHaveMore = false;
        const rows = await readAfter(db, accountId, tail.last, maxRead);
        tail.last = refOfLast(rows) ?? tail.last;
        if (rows.length === maxRead) tail.mayHaveMore = true;
        let informed = 0;
        for (const { after, resolve } of tail.readers) {
          const later = rows.filter(({ number }) => number > after.number);
          if (later.length === 0) continue;
          resolve(later);
          if (++informed % readersPerTurn === 0) await setImmediate();
        }
      }
    } catch (error) {
      if (error instanceof EventsLost) tails.delete(accountId);
      tail.mayHaveMore = true;
      for (const { reject } of tail.readers) reject(error);
    } finally {
      tail.isReading = false;
    }
  };

  const wake = (accountId: string, tail: Tail): void => {
    tail.mayHaveMore = true;
    void readNew(accountId, tail);
  };

  waker.listen((accountId, last) => {
    const tail = tails.get(accountId);
    if (tail && (last === undefined || last > tail.last.number)) wake(accountId, tail);
  });

  /** Wakes readers that have missed something nevertheless, in turn. */
  const examine = async (): Promise<void> => {
    for (const [accountId, { readers }] of tails) if (readers.size === 0) tails.delete(accountId);
    const next = [...tails].slice(0, maxKnown);
    for (const [accountId, tail] of next) {
      tails.delete(accountId);
      tails.set(accountId, tail); // behind the others
    }
    const known = next.map(([account_id, { last }]) => ({
      account_id,
      number: last.number,
      created_at: timeIfRetained(last),
    }));
    if (known.length === 0) return;
    for (const accountId of await changedAccounts(db, known)) {
      const tail = tails.get(accountId);
      if (tail) wake(accountId, tail);
    }
  };

  const examineEachSecond = async (): Promise<void> => {
    await examine().catch(() => {}); // the next one repeats it: readers keep waiting while PostgreSQL restarts
    timer = tails.size > 0 && !isClosed ? setTimeout(examineEachSecond, examineInterval) : undefined;
  };

  /** Waits for events that no reader of the account has read. */
  const nextOfTail = (
    accountId: string,
    after: EventRef,
    signal: AbortSignal,
    until: number | undefined,
  ): Promise<EventRow[]> => {
    if (signal.aborted || isClosed) return Promise.resolve([]);
    const tail = tails.get(accountId) ?? newTail(after);
    tails.set(accountId, tail);
    timer ??= setTimeout(examineEachSecond, examineInterval);
    return new Promise((resolve, reject) => {
      const end = (settle: () => void): void => {
        clearTimeout(timeout);
        tail.readers.delete(reader);
        signal.removeEventListener('abort', stop);
        settle();
      };
      const reader: WaitingReader = {
        after,
        resolve: (rows) => end(() => resolve(rows)),
        reject: (error) => end(() => reject(error)),
      };
      const stop = (): void => reader.resolve([]);
      const timeout = until === undefined ? undefined : setTimeout(stop, Math.max(0, until - performance.now()));
      signal.addEventListener('abort', stop);
      tail.readers.add(reader);
      void readNew(accountId, tail);
    });
  };

  return {
    async next(accountId, after, signal, until) {
      const { last } = tails.get(accountId) ?? {};
      if (last && after.number < last.number) {
        const read = async () => (signal.aborted || isClosed ? [] : readAfter(db, accountId, after, maxReadBehind));
        const rows = await behind.run(accountId, read, 1, costOfReadBehind);
        if (rows.length > 0) return rows; // otherwise those events have been removed
      }
      return nextOfTail(accountId, after, signal, until);
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      for (const { readers } of tails.values()) for (const { resolve } of readers) resolve([]);
    },
    isClosed: () => isClosed,
  };
}

/**
 * Reads the events of an account after one.
 * @throws {EventsLost} when that one, whose time is known, is not stored although it is still retained
 */
async function readAfter(db: Database, accountId: string, after: EventRef, limit: number): Promise<EventRow[]> {
  const rows = await selectEventsFrom(db.ofAccount(accountId), accountId, after, limit + 1);
  if (isEventOf(after, rows[0])) return rows.slice(1);
  if (timeIfRetained(after)) throw new EventsLost('The last event is not stored any more.');
  return rows.slice(0, limit);
}

/** Whether a row is the event that a reader knows. */
export const isEventOf = ({ number, createdAt }: EventRef, row: EventRow | undefined): boolean =>
  row?.number === number && (!createdAt || row.created_at.getTime() === createdAt.getTime());

/** The time of an event that clean-up cannot have removed yet. A day less, because clocks differ. */
const timeIfRetained = ({ createdAt }: EventRef): Date | null =>
  createdAt && Date.now() - createdAt.getTime() < (eventDays - 1) * dayLength ? createdAt : null;

/** Days for which events are retained. The contract states it. */
export const eventDays = 30;
