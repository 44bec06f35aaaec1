import type { Database } from '../database/database.ts';
import { lastTakenNumber, selectNewest } from './queries.ts';

/** Milliseconds after which an event is found whose notification was lost. */
const pollInterval = 1000;
/**
 * Milliseconds that a transaction may need to commit after it has taken the numbers of its events. All accounts share one
 * sequence of numbers, so that an event may become visible after one with a later number. Each poll therefore examines again
 * what was taken since this time. What becomes visible even later is found by `examine`: of readers in feed.ts, of webhooks in
 * webhooks/examination.ts.
 */
const commitTime = 10_000;

/** Is called for each account that may have new events. @param last the number of the last one; undefined if it is not known */
type Listener = (accountId: string, last: number | undefined) => void;

/** Says which accounts may have new events: to the readers of the feed, and to webhooks. */
export interface EventWaker {
  /** Calls a listener from now on, perhaps several times for an event. */
  listen(listener: Listener): void;
  /** Calls the listeners for an account, which may have new events. */
  wake(accountId: string): void;
  /** Milliseconds since the last poll for new events; there is one each second. */
  lag(): number;
  /** Ends the polls. Only `wake` calls listeners from then on. */
  close(): void;
}

export function eventWaker(db: Database): EventWaker {
  const listeners: Listener[] = [];
  /** The last number that was taken, at each poll: the newest one before `commitTime`, and all later ones. */
  const taken: { time: number; number: number }[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  /** By `performance.now()`. */
  let polledAt = performance.now();

  const wake = (accountId: string, last?: number): void => {
    for (const listener of listeners) listener(accountId, last);
  };

  /** Wakes the accounts of all events that may have become visible since the last poll, by two statements for all accounts. */
  const wakeNewest = async (): Promise<void> => {
    const number = await lastTakenNumber(db);
    const time = performance.now();
    while (taken[1] && taken[1].time <= time - commitTime) taken.shift();
    taken.push({ time, number });
    const [{ number: after } = { number }] = taken;
    if (number !== after) for (const { accountId, last } of await selectNewest(db, after)) wake(accountId, last);
    polledAt = time;
  };

  const poll = async (): Promise<void> => {
    await wakeNewest().catch(() => {}); // the next poll repeats it: listeners keep waiting while PostgreSQL restarts
    timer = isClosed ? undefined : setTimeout(poll, pollInterval);
  };

  return {
    listen(listener) {
      listeners.push(listener);
      timer ??= setTimeout(poll, 0); // the first poll finds the number with which later ones are compared
    },
    wake,
    lag: () => (timer === undefined ? 0 : performance.now() - polledAt),
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
