import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { FairQueue } from '../concurrency/fair-queue.ts';
import { withTimeLimit } from '../concurrency/time-limit.ts';
import type { Database } from '../database/database.ts';
import type { EventFeed } from '../event-feed/feed.ts';
import type { EventPosition } from '../event-feed/queries.ts';
import { type AttemptServices, attemptDelivery, type EndedAttempt, recordAttempts } from './attempt.ts';
import { type DueDelivery, deleteOldDeliveries, type Examined, makeWaitingDue, selectDue } from './due-deliveries.ts';
import { queueEvents, selectRoom } from './queue.ts';
import { attemptTimeout } from './send.ts';

/**
 * Requests to an endpoint at a time: at first, and at most. Ten deliveries permit one more, a failed attempt one less, so that
 * a few requests without a response do not hold up the others. Few while its attempts fail.
 */
const concurrency = { first: 16, most: 64, failing: 2 };
/** What a delivery and a failed attempt add, in tenths of a request. */
const adaptation = { delivered: 1, failed: -10 };
/** Milliseconds after which an endpoint looks for deliveries that are due, at the latest. */
const maxIdle = 60_000;
/** Milliseconds until an endpoint with too many pending deliveries looks again. */
const fullPause = 5000;
/** Finished deliveries after which old ones are deleted. */
const trimInterval = 1000;
/** Milliseconds of the pause without a lease, with a closed feed and after an error, which each further error doubles. */
const shortPause = 1000;
const maxErrorPause = 10_000;
/** Milliseconds in which the results of the last attempts are stored after a stop. */
const recordTimeout = 2000;

export interface WorkerServices extends AttemptServices {
  db: Database;
  feed: Pick<EventFeed, 'next'>;
  log: Pick<FastifyBaseLogger, 'error' | 'warn' | 'info'>;
  /** They run the statements of all endpoints of this instance. */
  statements: {
    healthy: FairQueue;
    /** Of endpoints whose receivers fail. */
    failing: FairQueue;
    /** Of endpoints whose last statement has failed. */
    afterErrors: FairQueue;
  };
  /** Call it after an event was committed. */
  notify(accountId: string): void;
  /** Call it when the endpoint is disabled or deleted. */
  unlist(): Promise<void>;
  /** Milliseconds in which running attempts may end after a stop. Tests shorten it. */
  stopTimeout?: number | undefined;
}

/** Sends the events of one endpoint. */
export interface EndpointWorker {
  /** Looks for events to queue and for deliveries that are due. */
  wake(): void;
  /** Starts no more attempts, lets the running ones end and stores their results. Ends soon after the time of an attempt. */
  stop(): Promise<void>;
}

/** What the two loops of a worker share. */
interface Work {
  accountId: string;
  endpointId: string;
  services: WorkerServices;
  stopping: AbortController;
  /** Ends the pause of the loop that queues events. */
  queueing: Wakeup;
  /** Ends the pause of the loop that sends deliveries. */
  sending: Wakeup;
  /** Errors of the database since its last success. */
  errors: number;
  /** Whether the last attempt has failed. */
  isFailing: boolean;
  /** Whether as many requests are under way as may be. Further events stay in the feed until one ends. */
  isBusy: boolean;
}

/** The state of the loop that sends deliveries. */
interface Sending {
  /** Attempts that are not recorded yet, by the order key of their delivery: one of each shipment. */
  inFlight: Map<string, Promise<void>>;
  /** How many there may be, in tenths. */
  tenths: number;
  /** Results to record, in the order of the ends. */
  ended: EndedAttempt[];
  /** Deliveries that have finished since old ones were deleted. */
  finished: number;
  /** Where the search for waiting deliveries without an earlier pending one goes on. Null when it is over. */
  examined: Examined | undefined | null;
}

/** Lets others end the pauses of a loop. */
interface Wakeup {
  /** Begins a round of the loop. @returns a signal that aborts when someone calls `wake` during the round */
  beginRound(): AbortSignal;
  wake(): void;
}

function wakeup(): Wakeup {
  let controller = new AbortController();
  return {
    beginRound() {
      controller = new AbortController();
      return controller.signal;
    },
    wake: () => controller.abort(),
  };
}

/**
 * Queues the events of an endpoint and sends those that are due, one at a time for each shipment. The worker caches nothing of
 * the endpoint. Only one instance runs it for an endpoint at a time.
 *
 * 1. Queue: `forWrite` (operations/route-handlers.ts) calls `notify` (event-feed/notifications.ts) after the commit of an
 *    event. This ends `nextEvent`, and `queueEvents` inserts a delivery.
 * 2. Send: `startDue` selects it, `attemptDelivery` sends it, and the next round stores the result (`recordAttempts`).
 * 3. Retry: the result has the next `next_attempt_at`. `startDue` returns the time until then, for which the loop pauses.
 */
export function startEndpointWorker(accountId: string, endpointId: string, services: WorkerServices): EndpointWorker {
  const { stopTimeout = attemptTimeout } = services;
  const stopping = new AbortController();
  const state = { queueing: wakeup(), sending: wakeup(), errors: 0, isFailing: false, isBusy: false };
  const work: Work = { accountId, endpointId, services, stopping, ...state };
  const wake = (): void => {
    work.queueing.wake();
    work.sending.wake();
  };
  const running = Promise.all([queueUntilStopped(work), sendUntilStopped(work)]).then(() => {});
  return {
    wake,
    async stop() {
      stopping.abort();
      wake();
      await withTimeLimit(running, stopTimeout + recordTimeout, () => {});
    },
  };
}

/** Moves the events of the feed into the queue. */
async function queueUntilStopped(work: Work): Promise<void> {
  const { accountId, endpointId, stopping, services } = work;
  /** Events that may be queued before the pending deliveries are counted again. */
  let room = 0;
  let last: EventPosition = { position: 0n };
  while (!stopping.signal.aborted) {
    const woken = work.queueing.beginRound();
    try {
      if (work.isBusy) {
        await pause(maxIdle, woken);
        continue;
      }
      if (room <= 0) room = await runStatement(work, (db) => selectRoom(db, accountId, endpointId));
      const queued = room > 0 ? await runStatement(work, (db) => queueEvents(db, accountId, endpointId, room)) : 'full';
      if (queued === 'full') await pause(fullPause, woken);
      else if (!queued) {
        await services.unlist();
        await pause(maxIdle, woken); // until the instance has left the endpoint
      } else {
        room -= queued.count;
        if (queued.count > 0) work.sending.wake();
        if (queued.last.position !== last.position) last = queued.last; // else it lacks the time of the event
        if (queued.isComplete) await nextEvent(work, last, woken);
      }
    } catch (error) {
      services.log.warn({ err: error, endpointId, accountId }, 'could not queue webhooks');
      await pause(errorPauseOf(work), woken);
    }
  }
}

/** Waits for an event after a position. */
async function nextEvent({ accountId, services }: Work, position: EventPosition, woken: AbortSignal): Promise<void> {
  // Only a signal: `queueEvents` reads them again under the lock of the endpoint.
  const events = await services.feed.next(accountId, position, woken);
  if (events.length === 0) await pause(shortPause, woken); // the feed is closed, or `woken` has aborted
}

async function sendUntilStopped(work: Work): Promise<void> {
  const { accountId, endpointId, stopping, services } = work;
  const { stopTimeout = attemptTimeout } = services;
  const sending: Sending = {
    ...{ inFlight: new Map(), tenths: 10 * concurrency.first, ended: [] },
    ...{ finished: trimInterval, examined: undefined },
  };
  while (!stopping.signal.aborted) {
    const woken = work.sending.beginRound();
    try {
      await makeUnblockedDue(work, sending);
      await recordEnded(work, sending);
      await pause(await startDue(work, sending), woken);
    } catch (error) {
      services.log.warn({ err: error, endpointId, accountId }, 'could not send webhooks');
      await pause(errorPauseOf(work), woken);
    }
  }
  const attempts = Promise.allSettled(sending.inFlight.values());
  await withTimeLimit(attempts, stopTimeout, () => []);
  await recordEnded(work, sending).catch((error) =>
    services.log.warn({ err: error }, 'could not store webhook attempts'),
  );
}

/** Makes each waiting delivery due that has no earlier pending one of its shipment. */
async function makeUnblockedDue(work: Work, sending: Sending): Promise<void> {
  const { accountId, endpointId } = work;
  while (sending.examined !== null && !work.stopping.signal.aborted) {
    const after = sending.examined;
    sending.examined = (await runStatement(work, (db) => makeWaitingDue(db, accountId, endpointId, after))) ?? null;
  }
}

/** Stores the results of ended attempts. */
async function recordEnded(work: Work, sending: Sending): Promise<void> {
  const { accountId, endpointId, services } = work;
  const ended = [...sending.ended]; // attempts that end meanwhile are recorded next
  if (ended.length === 0) return;
  const recorded = await runStatement(work, (db) => recordAttempts(db, accountId, endpointId, ended));
  sending.ended.splice(0, ended.length);
  for (const { order_key } of ended) sending.inFlight.delete(order_key);
  sending.finished += ended.filter(({ next_attempt_at }) => next_attempt_at === null).length;
  if (recorded?.disabled) {
    services.notify(accountId);
    services.log.info({ endpointId, reason: recorded.disabled }, 'disabled a webhook endpoint');
  }
  if (sending.finished < trimInterval) return;
  sending.finished = 0;
  await runStatement(work, (db) => deleteOldDeliveries(db, accountId, endpointId));
}

/** Starts deliveries that are due. @returns milliseconds until more may be due */
async function startDue(work: Work, sending: Sending): Promise<number> {
  const { accountId, endpointId } = work;
  const { inFlight } = sending;
  const most = Math.floor(sending.tenths / 10);
  if (inFlight.size >= most) {
    setBusy(work, true);
    return maxIdle; // the end of an attempt wakes
  }
  if (!work.services.hasLease()) return shortPause;
  const limit = most - inFlight.size + 1;
  const next = await runStatement(work, (db) => selectDue(db, accountId, endpointId, [...inFlight.keys()], limit));
  if (next.length > 0) work.isFailing = next.some(({ failing_since }) => failing_since !== null);
  const end = work.isFailing ? concurrency.failing : most;
  const now = Date.now();
  for (const delivery of next) {
    const untilDue = (delivery.next_attempt_at?.getTime() ?? 0) - now;
    if (untilDue > 0) {
      setBusy(work, false);
      return Math.min(maxIdle, untilDue);
    }
    if (inFlight.size >= end) {
      setBusy(work, true);
      return maxIdle;
    }
    // A repeated delivery may be of the same shipment as another one: it follows.
    if (!inFlight.has(delivery.order_key)) startAttempt(work, sending, delivery);
  }
  setBusy(work, false);
  return next.length === limit ? 0 : maxIdle; // those of other shipments may follow those that were left out
}

function setBusy(work: Work, isBusy: boolean): void {
  if (work.isBusy && !isBusy) work.queueing.wake();
  work.isBusy = isBusy;
}

function startAttempt(work: Work, sending: Sending, delivery: DueDelivery): void {
  const { accountId, endpointId, services, stopping } = work;
  const attempt = attemptDelivery(accountId, delivery, services, stopping.signal).then(
    (ended) => {
      if (ended) {
        sending.ended.push(ended);
        const tenths = sending.tenths + adaptation[ended.status === 'delivered' ? 'delivered' : 'failed'];
        sending.tenths = Math.max(10 * concurrency.first, Math.min(10 * concurrency.most, tenths));
      } else sending.inFlight.delete(delivery.order_key);
      work.sending.wake();
    },
    async (error) => {
      services.log.error({ err: error, endpointId, accountId }, 'could not make the request of a webhook');
      await pause(maxErrorPause, stopping.signal); // it would fail again at once
      sending.inFlight.delete(delivery.order_key);
      work.sending.wake();
    },
  );
  sending.inFlight.set(delivery.order_key, attempt);
}

/** What statements cost, compared with a small request (operations/admission.ts). Most insert or read several deliveries. */
const statementCost = 3;

/** Runs statements about the endpoint when the account has a slot. */
async function runStatement<Result>(work: Work, statement: (db: Database) => Promise<Result>): Promise<Result> {
  const { accountId, services, errors, isFailing } = work;
  const { healthy, failing, afterErrors } = services.statements;
  try {
    const queue = errors > 0 ? afterErrors : isFailing ? failing : healthy;
    const result = await queue.run(accountId, () => statement(services.db), 1, statementCost);
    work.errors = 0;
    return result;
  } catch (error) {
    work.errors++;
    throw error;
  }
}

const errorPauseOf = ({ errors }: Work): number => Math.min(maxErrorPause, shortPause * 2 ** Math.max(0, errors - 1));

/** Ends early when the signal aborts. */
const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  wait(milliseconds, undefined, { signal }).catch(() => {});
