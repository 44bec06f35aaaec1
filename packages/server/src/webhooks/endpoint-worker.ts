import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { FairQueue } from '../concurrency/fair-queue.ts';
import { withTimeLimit } from '../concurrency/time-limit.ts';
import type { Database } from '../database/database.ts';
import type { EventFeed } from '../event-feed/feed.ts';
import type { EventPosition } from '../event-feed/queries.ts';
import { type AttemptServices, attemptDelivery, type DeliveryResult, isFinished, recordAttempts } from './attempt.ts';
import {
  type DeliveryPlace,
  deleteOldDeliveries,
  queueEvents,
  type ScheduledDelivery,
  selectRoom,
  selectScheduled,
  startOfOrder,
  unblockShipments,
} from './delivery-queue.ts';
import { attemptTimeout } from './send.ts';

/**
 * Requests to an endpoint at a time: at first, which is also the least, and at most. Ten deliveries permit one more, a failed
 * attempt one less, so that a few requests without a response do not hold up the others. Few from a recorded failure until the
 * next recorded success. Each request needs a socket, too, of which an account has few for a host (`SocketLimits` in send.ts).
 */
const concurrency = { initial: 16, most: 64, failing: 2 };
/** What a delivery and a failed attempt add, in tenths of a request. */
const adaptation = { success: 1, failure: -10 };
/** Milliseconds of a pause that `Wakeup.wake` ends: after them, the loop looks again, whatever has happened. */
const untilWoken = 60_000;
/** Milliseconds until an endpoint with too many pending deliveries looks again. */
const queueFullPause = 5000;
/** Finished deliveries after which old ones are deleted. */
const trimInterval = 1000;
/** Milliseconds of the pause without a lease, with a closed feed and after an error. Further failed statements double it. */
const shortPause = 1000;
const maxErrorPause = 10_000;
/** Milliseconds in which the results of the last attempts are stored after a stop. */
const recordTimeout = 2000;

/** `startWebhookWorkers` (workers.ts) makes `statementQueues`, `unlist` and the inherited `mayStartAttempt`. */
export interface WorkerServices extends AttemptServices {
  db: Database;
  feed: Pick<EventFeed, 'next'>;
  log: Pick<FastifyBaseLogger, 'error' | 'warn' | 'info'>;
  /** They run the statements of all endpoints of this instance. */
  statementQueues: {
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
interface Shared {
  accountId: string;
  endpointId: string;
  services: WorkerServices;
  stopping: AbortController;
  /** Ends the pause of the loop that queues events. */
  queueWakeup: Wakeup;
  /** Ends the pause of the loop that sends deliveries. */
  sendWakeup: Wakeup;
  /** Statements that have failed, or had no slot in time, since the last one that succeeded. Both loops run statements. */
  failedStatements: number;
  /**
   * Whether the endpoint had `failing_since` when a delivery was selected last, and until the next one is. Set by the loop
   * that sends; chooses the queue of both loops' statements.
   */
  isReceiverFailing: boolean;
  /** Whether no attempt may start although one may be due. Set by the loop that sends; the other one then queues none. */
  isAtMaxConcurrency: boolean;
}

/** The state of the loop that queues events. */
interface Queueing {
  /** Events that may be queued before the pending deliveries are counted again. */
  room: number;
  /** The position of the endpoint in the feed. The loop waits for later events. */
  feedPosition: EventPosition;
}

/** The state of the loop that sends deliveries. */
interface Sending {
  /** Attempts that run or whose results are not recorded yet, by the order key of their delivery: one of each shipment. */
  openAttempts: Map<string, Promise<void>>;
  /** How many there may be while the receiver does not fail, in tenths. */
  concurrencyInTenths: number;
  /** Results to record, in the order in which the attempts ended. */
  results: DeliveryResult[];
  /** Deliveries that have finished since old ones were deleted. */
  finishedSinceDeletion: number;
  /** Where `unblockShipments` begins or goes on; undefined after its end. */
  examineAfter: DeliveryPlace | undefined;
}

/**
 * Lets others end the pauses of a loop. A stop wakes both loops, and so does a request that has queued something or changed the
 * endpoint. What wakes the one that sends, too: deliveries that were queued, and the end of an attempt. And the one that
 * queues: the end of `isAtMaxConcurrency`, and during `feed.next` an event.
 */
class Wakeup {
  #controller = new AbortController();

  /** Begins a round of the loop. @returns a signal that aborts when someone calls `wake` during the round */
  beginRound(): AbortSignal {
    this.#controller = new AbortController();
    return this.#controller.signal;
  }

  wake(): void {
    this.#controller.abort();
  }
}

/**
 * Queues the events of an endpoint and sends those that are due, one at a time for each shipment, by two loops. Their
 * statements read the endpoint anew: of it, the worker stores only `isReceiverFailing`, and `feedPosition` to wait for later events.
 * Only the instance with the lease sends (`mayStartAttempt`). Without it, a worker still queues events, as `queueEvents` locks
 * the endpoint.
 *
 * 1. Queue: after the commit of an event, `notify` (event-feed/notifications.ts) wakes the feed, so that `feed.next` returns in
 *    `queueRound`. The next round calls `queueEvents` (delivery-queue.ts), which inserts a delivery. When a request queues a
 *    delivery, it changes the row of the endpoint (`noteChange` in endpoints.ts), and workers.ts wakes both loops in a second.
 * 2. Send: `startDue` selects it, and `attemptDelivery` (attempt.ts) sends it. The next `sendRound` records the result
 *    (`recordAttempts`).
 *    When no further attempt may start although one may be due, `queueRound` stops (`isAtMaxConcurrency`): events wait in the feed.
 * 3. Retry: the result has the next `next_attempt_at`. `planAttempts` computes the time until then, at most `untilWoken`, for
 *    which the loop pauses.
 */
export function startEndpointWorker(accountId: string, endpointId: string, services: WorkerServices): EndpointWorker {
  const { stopTimeout = attemptTimeout } = services;
  const shared: Shared = {
    accountId,
    endpointId,
    services,
    stopping: new AbortController(),
    queueWakeup: new Wakeup(),
    sendWakeup: new Wakeup(),
    failedStatements: 0,
    isReceiverFailing: false,
    isAtMaxConcurrency: false,
  };
  const wake = (): void => {
    shared.queueWakeup.wake();
    shared.sendWakeup.wake();
  };
  const loops = Promise.all([queueUntilStopped(shared), sendUntilStopped(shared, stopTimeout)]);
  return {
    wake,
    async stop() {
      shared.stopping.abort();
      wake();
      await withTimeLimit<unknown>(loops, stopTimeout + recordTimeout, () => {});
    },
  };
}

/**
 * Runs the rounds of a loop until the worker stops.
 * @param round gets a signal that aborts when the loop is woken; returns milliseconds to pause after it
 * @param failure the message of the log when a round fails
 */
async function repeat(
  shared: Shared,
  loop: Wakeup,
  failure: string,
  round: (woken: AbortSignal) => Promise<number>,
): Promise<void> {
  const { accountId, endpointId, services, stopping } = shared;
  while (!stopping.signal.aborted) {
    const woken = loop.beginRound();
    const milliseconds = await round(woken).catch((error) => {
      services.log.warn({ err: error, endpointId, accountId }, failure);
      return errorPauseOf(shared);
    });
    if (milliseconds > 0) await pause(milliseconds, woken);
  }
}

/** Moves the events of the feed into the queue. */
async function queueUntilStopped(shared: Shared): Promise<void> {
  const queueing: Queueing = { room: 0, feedPosition: { position: 0n } };
  await repeat(shared, shared.queueWakeup, 'could not queue webhooks', (woken) => queueRound(shared, queueing, woken));
}

/** Queues events, or waits for one. @returns milliseconds to pause */
async function queueRound(shared: Shared, queueing: Queueing, woken: AbortSignal): Promise<number> {
  const { accountId, endpointId, services } = shared;
  if (shared.isAtMaxConcurrency) return untilWoken; // `setAtMaxConcurrency` wakes
  if (queueing.room <= 0) {
    queueing.room = await runStatement(shared, (db) => selectRoom(db, accountId, endpointId));
    if (queueing.room <= 0) return queueFullPause;
  }
  const queued = await runStatement(shared, (db) => queueEvents(db, accountId, endpointId, queueing.room));
  if (!queued) {
    // Disabled or deleted, but perhaps listed: Citus may commit on the node of the endpoint, but not on the coordinator.
    await services.unlist();
    return untilWoken; // until the instance has left the endpoint
  }
  queueing.room -= queued.count;
  if (queued.count > 0) shared.sendWakeup.wake();
  // Without new events, `queueEvents` returns no time: keep the known one, so that `feed.next` can throw
  // `EventsLost`, after which `repeat` tries again.
  if (queued.feedPosition.position !== queueing.feedPosition.position) queueing.feedPosition = queued.feedPosition;
  if (!queued.isComplete) return 0;
  // Only a signal: `queueEvents` reads them again under the lock of the endpoint.
  const events = await services.feed.next(accountId, queueing.feedPosition, woken);
  const isClosed = events.length === 0 && !woken.aborted;
  return isClosed ? shortPause : 0;
}

/** Sends the deliveries that are due. After a stop, lets running attempts end and records their results. */
async function sendUntilStopped(shared: Shared, stopTimeout: number): Promise<void> {
  const sending: Sending = {
    openAttempts: new Map(),
    concurrencyInTenths: 10 * concurrency.initial,
    results: [],
    finishedSinceDeletion: trimInterval,
    examineAfter: startOfOrder,
  };
  await repeat(shared, shared.sendWakeup, 'could not send webhooks', () => sendRound(shared, sending));
  await withTimeLimit<unknown>(Promise.allSettled(sending.openAttempts.values()), stopTimeout, () => {});
  await recordResults(shared, sending).catch((error) =>
    shared.services.log.warn({ err: error }, 'could not store webhook attempts'),
  );
}

/** Records the results of ended attempts and starts further ones. @returns milliseconds to pause */
async function sendRound(shared: Shared, sending: Sending): Promise<number> {
  const { accountId, endpointId, stopping } = shared;
  // Only in the first round, and after an error in it.
  while (sending.examineAfter && !stopping.signal.aborted) {
    const after = sending.examineAfter;
    sending.examineAfter = await runStatement(shared, (db) => unblockShipments(db, accountId, endpointId, after));
  }
  await recordResults(shared, sending);
  return startDue(shared, sending);
}

/** Records the results of ended attempts. After an error, the next round records them again: each is stored once. */
async function recordResults(shared: Shared, sending: Sending): Promise<void> {
  const { accountId, endpointId, services } = shared;
  const results = [...sending.results]; // attempts that end meanwhile are recorded next
  if (results.length === 0) return;
  const disabled = await runStatement(shared, (db) => recordAttempts(db, accountId, endpointId, results));
  sending.results.splice(0, results.length);
  for (const { order_key } of results) sending.openAttempts.delete(order_key);
  sending.finishedSinceDeletion += results.filter(isFinished).length;
  if (disabled) {
    services.notify(accountId);
    services.log.info({ endpointId, reason: disabled }, 'disabled a webhook endpoint');
  }
  if (sending.finishedSinceDeletion < trimInterval) return;
  sending.finishedSinceDeletion = 0;
  await runStatement(shared, (db) => deleteOldDeliveries(db, accountId, endpointId));
}

/** Starts attempts of the deliveries that are due. @returns milliseconds until more may be due */
async function startDue(shared: Shared, sending: Sending): Promise<number> {
  const { accountId, endpointId, services } = shared;
  const { openAttempts } = sending;
  if (!services.mayStartAttempt()) return shortPause;
  const countFree = (): number => maxAttempts(shared, sending) - openAttempts.size;
  const free = countFree();
  if (free <= 0) {
    setAtMaxConcurrency(shared, true);
    return untilWoken; // the end of an attempt wakes
  }
  const lookAhead = 1; // if more are due than may start, `queueRound` leaves the events in the feed
  const selection = await runStatement(shared, (db) =>
    selectScheduled(db, accountId, endpointId, [...openAttempts.keys()], free + lookAhead),
  );
  if (shared.stopping.signal.aborted) return 0;
  const [first] = selection.scheduled;
  if (first) shared.isReceiverFailing = first.failing_since !== null; // of the endpoint: the same in each
  // Counted again: whether the receiver fails may be new, and attempts may have ended.
  const { toStart, isAtMaxConcurrency, milliseconds } = planAttempts(selection, countFree(), Date.now());
  for (const delivery of toStart) startAttempt(shared, sending, delivery);
  setAtMaxConcurrency(shared, isAtMaxConcurrency);
  return milliseconds;
}

/** How many attempts of the endpoint may be open. */
const maxAttempts = ({ isReceiverFailing }: Shared, { concurrencyInTenths }: Sending): number =>
  isReceiverFailing ? concurrency.failing : Math.floor(concurrencyInTenths / 10);

/** Sets the state, and lets the other loop queue again after its end. */
function setAtMaxConcurrency(shared: Shared, isAtMaxConcurrency: boolean): void {
  const wasAtMaxConcurrency = shared.isAtMaxConcurrency;
  shared.isAtMaxConcurrency = isAtMaxConcurrency;
  if (wasAtMaxConcurrency && !isAtMaxConcurrency) shared.queueWakeup.wake();
}

/**
 * Decides which deliveries start, and for how many milliseconds the loop then pauses.
 * @param scheduled at most one of each shipment, by the time of their attempt
 * @param free how many may start; none if it is negative
 */
function planAttempts(
  { scheduled, mayHaveMore }: Awaited<ReturnType<typeof selectScheduled>>,
  free: number,
  now: number,
): { toStart: ScheduledDelivery[]; isAtMaxConcurrency: boolean; milliseconds: number } {
  const due = scheduled.filter(({ next_attempt_at }) => next_attempt_at.getTime() <= now);
  const toStart = due.slice(0, Math.max(0, free));
  const isAtMaxConcurrency = due.length > toStart.length;
  const later = scheduled[due.length];
  const untilMore = (): number => {
    if (isAtMaxConcurrency) return untilWoken; // the end of an attempt wakes
    if (later) return Math.min(untilWoken, later.next_attempt_at.getTime() - now);
    // Several rows of the selection were of one shipment, which the next selection leaves out. Or the receiver has just
    // recovered, and the next one is larger.
    if (mayHaveMore) return 0;
    return untilWoken; // a new delivery wakes
  };
  return { toStart, isAtMaxConcurrency, milliseconds: untilMore() };
}

/** Starts an attempt. Its end wakes the loop, which records the result. */
function startAttempt(shared: Shared, sending: Sending, delivery: ScheduledDelivery): void {
  const { accountId, endpointId, services, stopping, sendWakeup } = shared;
  const attempt = attemptDelivery(accountId, delivery, services, stopping.signal).then(
    (result) => {
      if (result) {
        sending.results.push(result);
        sending.concurrencyInTenths = adaptConcurrency(sending.concurrencyInTenths, result);
      } else sending.openAttempts.delete(delivery.order_key); // no socket: it has waited for one; no lease: `startDue` pauses
      sendWakeup.wake();
    },
    async (error) => {
      services.log.error({ err: error, endpointId, accountId }, 'could not make the request of a webhook');
      await pause(maxErrorPause, stopping.signal); // it would fail again at once
      sending.openAttempts.delete(delivery.order_key);
      sendWakeup.wake();
    },
  );
  sending.openAttempts.set(delivery.order_key, attempt);
}

/** @returns the tenths after an attempt has ended. An expired event changes nothing: it is not attempted. */
export function adaptConcurrency(tenths: number, { status, attempted_at }: DeliveryResult): number {
  if (attempted_at === null) return tenths;
  const adapted = tenths + (status === 'delivered' ? adaptation.success : adaptation.failure);
  return Math.max(10 * concurrency.initial, Math.min(10 * concurrency.most, adapted));
}

/** What statements cost, compared with a small request (operations/admission.ts). Most insert or read several deliveries. */
const statementCost = 3;
/** Slots that a statement occupies. */
const statementWeight = 1;

/** Runs a statement about the endpoint when the account has a slot. */
async function runStatement<Result>(shared: Shared, statement: (db: Database) => Promise<Result>): Promise<Result> {
  const { accountId, services, failedStatements, isReceiverFailing } = shared;
  const { healthy, failing, afterErrors } = services.statementQueues;
  try {
    const queue = failedStatements > 0 ? afterErrors : isReceiverFailing ? failing : healthy;
    const result = await queue.run(accountId, () => statement(services.db), statementWeight, statementCost);
    shared.failedStatements = 0;
    return result;
  } catch (error) {
    shared.failedStatements++;
    throw error;
  }
}

const errorPauseOf = ({ failedStatements }: Shared): number =>
  Math.min(maxErrorPause, shortPause * 2 ** Math.max(0, failedStatements - 1));

/** Ends early when the signal aborts. */
const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  wait(milliseconds, undefined, { signal }).catch(() => {});
