import { setImmediate } from 'node:timers/promises';
import { dayLength } from '@waybill/contract/duration';
import { type Activity, fairQueue, fairShares } from '../concurrency/fair-queue.ts';
import type { Database } from '../database/database.ts';
import { changedAccounts, type EventPosition, type EventRow, positionOfLast, selectEventsFrom } from './queries.ts';

/** Milliseconds after which an event is found whose notification was lost. */
const pollInterval = 1000;
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
const shareOfReads = { costPerMillisecond: 2, ofAllInstances: true, period: 4 };
/** Readers that get events in one turn of the event loop. Each sends them. */
const readersPerTurn = 32;

/** An event that readers knew does not exist any more: PostgreSQL was replaced by a copy that lacks it. */
export class EventsLost extends Error {}

/** Waits for the events of an account, for one that reads them itself. */
export interface FeedFollower {
  /**
   * Resolves to `events` when there are events after `examined`: the caller then examines all events that there are, before the
   * next call.
   * @throws {EventsLost}, or an error of PostgreSQL
   */
  waitAfter(examined: EventPosition, signal: AbortSignal): Promise<'events' | 'aborted' | 'closed'>;
}

/** The events of all accounts, for readers that wait for the next ones. */
export interface EventFeed {
  /**
   * Resolves to the events of an account after a position as soon as there are any; to none when the signal aborts or the
   * feed is closed. Readers that wait for the same account share their reads: do not change the rows.
   * @throws {EventsLost}, or an error of PostgreSQL
   */
  next(accountId: string, after: EventPosition, signal: AbortSignal): Promise<EventRow[]>;
  follow(accountId: string): FeedFollower;
  /** Wakes the readers of an account, which may have new events: streams, long polls and webhooks. */
  wake(accountId: string): void;
  /** Ends all current and later waits without events. */
  close(): void;
  isClosed(): boolean;
}

interface Reader {
  after: EventPosition;
  resolve(rows: EventRow[]): void;
  reject(error: unknown): void;
}

/** The end of an account's events, as far as this process has read them. */
interface Tail {
  last: EventPosition;
  readers: Set<Reader>;
  isReading: boolean;
  /** There may be events after `last`. */
  mayHaveMore: boolean;
}

const newTail = (last: EventPosition): Tail => ({
  last,
  readers: new Set(),
  isReading: false,
  mayHaveMore: true,
});

export function eventFeed(db: Database, activity: Activity): EventFeed {
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
        tail.last = positionOfLast(rows) ?? tail.last;
        if (rows.length === maxRead) tail.mayHaveMore = true;
        let informed = 0;
        for (const { after, resolve } of tail.readers) {
          const later = rows.filter(({ position }) => position > after.position);
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

  const wake = (accountId: string): void => {
    const tail = tails.get(accountId);
    if (!tail) return;
    tail.mayHaveMore = true;
    void readNew(accountId, tail);
  };

  const poll = async (): Promise<void> => {
    for (const [accountId, { readers }] of tails) if (readers.size === 0) tails.delete(accountId);
    const known = [...tails].map(([account_id, { last }]) => ({
      account_id,
      position: String(last.position),
      created_at: timeIfRetained(last),
    }));
    // A failure is left to the next poll: readers keep waiting while PostgreSQL restarts.
    const accounts = known.length > 0 ? await changedAccounts(db, known).catch(() => []) : [];
    accounts.forEach(wake);
    timer = tails.size > 0 && !isClosed ? setTimeout(poll, pollInterval) : undefined;
  };

  /** Waits for events that no reader of the account has read. */
  const nextOfTail = (accountId: string, after: EventPosition, signal: AbortSignal): Promise<EventRow[]> => {
    if (signal.aborted || isClosed) return Promise.resolve([]);
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
      signal.addEventListener('abort', stop);
      tail.readers.add(reader);
      void readNew(accountId, tail);
    });
  };

  return {
    async next(accountId, after, signal) {
      const { last } = tails.get(accountId) ?? {};
      if (last && after.position < last.position) {
        const read = async () => (signal.aborted || isClosed ? [] : readAfter(db, accountId, after, maxReadBehind));
        const rows = await behind.run(accountId, read, 1, costOfReadBehind);
        if (rows.length > 0) return rows; // otherwise those events have been removed
      }
      return nextOfTail(accountId, after, signal);
    },
    follow(accountId) {
      /** The last event that the feed had read when the last call resolved to `events`. The caller has examined it since. */
      let known: EventPosition | undefined;
      return {
        async waitAfter(examined, signal) {
          // Of equal positions that of the feed, which has the time of its event, as `EventsLost` needs it.
          const after = known && known.position >= examined.position ? known : examined;
          known = undefined; // when this fails: after `EventsLost`, the caller examines earlier events
          const { last } = tails.get(accountId) ?? {};
          const isBehind = last !== undefined && after.position < last.position;
          const later = isBehind ? last : positionOfLast(await nextOfTail(accountId, after, signal));
          known = later ?? after;
          if (later) return 'events';
          return isClosed ? 'closed' : 'aborted';
        },
      };
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

/**
 * Reads the events of an account after a position.
 * @throws {EventsLost} when the event of the position, whose time is known, is not stored although it is still retained
 */
async function readAfter(db: Database, accountId: string, after: EventPosition, limit: number): Promise<EventRow[]> {
  const rows = await selectEventsFrom(db.ofAccount(accountId), accountId, after, limit + 1);
  if (isEventOf(after, rows[0])) return rows.slice(1);
  if (timeIfRetained(after)) throw new EventsLost('The last event is not stored any more.');
  return rows.slice(0, limit);
}

/** Whether a row is the event of a position. */
export const isEventOf = ({ position, createdAt }: EventPosition, row: EventRow | undefined): boolean =>
  row?.position === position && (!createdAt || row.created_at.getTime() === createdAt.getTime());

/** The time of an event that clean-up cannot have removed yet. A day less, because clocks differ. */
const timeIfRetained = ({ createdAt }: EventPosition): Date | null =>
  createdAt && Date.now() - createdAt.getTime() < (eventDays - 1) * dayLength ? createdAt : null;

/** Days for which events are retained. The contract states it. */
export const eventDays = 30;
