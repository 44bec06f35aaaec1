import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { accountsWithNewEvents, type EventRow, maxRead, selectEvents, selectLastPosition } from './queries.ts';

/** Milliseconds after which an event is found whose notification was lost. */
const pollInterval = 1000;

/** The events of all accounts, for readers that wait for the next ones. */
export interface EventFeed {
  /**
   * Resolves to the events of an account after a position as soon as there are any, at most `maxRead`; to none when the
   * signal aborts or the feed is closed. Readers that wait for the same account share their reads: do not change the rows.
   * @throws an error of PostgreSQL
   */
  next(accountId: string, after: bigint, signal: AbortSignal): Promise<EventRow[]>;
  /** Tells the readers of an account that it may have new events. */
  wake(accountId: string): void;
  /** Lets all readers go, now and later. */
  close(): void;
  isClosed(): boolean;
}

interface Reader {
  after: bigint;
  resolve(rows: EventRow[]): void;
  reject(error: unknown): void;
}

/** The end of an account's events, as far as this process has read them. */
interface Tail {
  last: bigint;
  readers: Set<Reader>;
  isReading: boolean;
  /** There may be events after `last`. */
  mayHaveMore: boolean;
  /** Whether `last` is known to be the position of an event, and not only the one that a reader named. */
  isRead: boolean;
}

const newTail = (after: bigint): Tail => ({
  last: after,
  readers: new Set(),
  isReading: false,
  mayHaveMore: true,
  isRead: false,
});

export function eventFeed(db: Kysely<Tables>): EventFeed {
  const tails = new Map<string, Tail>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const readOn = async (accountId: string, tail: Tail): Promise<void> => {
    if (tail.isReading) return;
    tail.isReading = true;
    try {
      while (tail.mayHaveMore && tail.readers.size > 0) {
        tail.mayHaveMore = false;
        const rows = await selectEvents(db, accountId, tail.last, maxRead);
        tail.last = rows.at(-1)?.position ?? tail.last;
        if (rows.length === 0 && !tail.isRead) await findLast(accountId, tail);
        tail.isRead = true;
        if (rows.length === maxRead) tail.mayHaveMore = true;
        for (const { after, resolve } of tail.readers) {
          const later = rows.filter(({ position }) => position > after);
          if (later.length > 0) resolve(later);
        }
      }
    } catch (error) {
      tail.mayHaveMore = true;
      for (const { reject } of tail.readers) reject(error);
    } finally {
      tail.isReading = false;
    }
  };

  /** A reader may name a position that no event has yet. The other readers must not miss the events until then. */
  const findLast = async (accountId: string, tail: Tail): Promise<void> => {
    const last = await selectLastPosition(db, accountId);
    if (last >= tail.last) return;
    tail.last = last;
    for (const { after } of tail.readers) if (after < tail.last) tail.last = after;
    tail.mayHaveMore = true;
  };

  const wake = (accountId: string): void => {
    const tail = tails.get(accountId);
    if (!tail) return;
    tail.mayHaveMore = true;
    void readOn(accountId, tail);
  };

  const poll = async (): Promise<void> => {
    for (const [accountId, { readers }] of tails) if (readers.size === 0) tails.delete(accountId);
    const known = [...tails].map(([account_id, { last }]) => ({ account_id, position: String(last) }));
    // A failure is left to the next poll: readers keep waiting while PostgreSQL restarts.
    const accounts = known.length > 0 ? await accountsWithNewEvents(db, known).catch(() => []) : [];
    accounts.forEach(wake);
    timer = tails.size > 0 && !isClosed ? setTimeout(poll, pollInterval) : undefined;
  };

  return {
    async next(accountId, after, signal) {
      const ahead = tails.get(accountId);
      if (ahead && after < ahead.last) {
        const rows = await selectEvents(db, accountId, after, maxRead);
        if (rows.length > 0) return rows; // otherwise those events have been removed
      }
      const tail = tails.get(accountId) ?? newTail(after);
      tails.set(accountId, tail);
      timer ??= setTimeout(poll, pollInterval);
      return new Promise((resolve, reject) => {
        const end = (settle: () => void): void => {
          tail.readers.delete(reader);
          signal.removeEventListener('abort', stop);
          settle();
        };
        const reader: Reader = {
          after,
          resolve: (rows) => end(() => resolve(rows)),
          reject: (error) => end(() => reject(error)),
        };
        const stop = (): void => reader.resolve([]);
        if (signal.aborted || isClosed) return resolve([]);
        signal.addEventListener('abort', stop);
        tail.readers.add(reader);
        void readOn(accountId, tail);
      });
    },
    wake,
    close() {
      isClosed = true;
      clearTimeout(timer);
      for (const { readers } of tails.values()) for (const { resolve } of readers) resolve([]);
    },
    isClosed: () => isClosed,
  };
}
