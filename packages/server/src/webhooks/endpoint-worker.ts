import type { FastifyBaseLogger } from 'fastify';
import { pause, withTimeLimit } from '../concurrency/time-limit.ts';
import type { Database } from '../database/database.ts';
import type { EventFeed, FeedFollower } from '../event-feed/feed.ts';
import type { EventPosition } from '../event-feed/queries.ts';
import { type AttemptServices, attemptDelivery, type DeliveryResult, isFinished } from './attempt.ts';
import {
  beforeAllDeliveries,
  type DeliveryPlace,
  deleteOldDeliveries,
  queueEvents,
  type ScheduledDelivery,
  selectRoom,
  selectScheduled,
  unblockShipments,
} from './delivery-queue.ts';
import { removeFromList } from './endpoints.ts';
import { recordAttempts } from './record-attempts.ts';
import { attemptTimeout } from './send.ts';
import { EndpointStatements, maxErrorPause, type StatementSlots, shortPause } from './statements.ts';

/**
 * Requests to an endpoint at a time. Each needs a socket, too, of which an account has few for a host (`SocketLimits` in
 * sockets.ts).
 *
 * For a receiver that responds to most requests: at first and at least `initial`, at most `most`. Ten deliveries permit one
 * more, a failed attempt one less, so that a few requests without a response do not hold up the others. For a receiver that
 * responds to none: `failing`, from a recorded failure until the next recorded success.
 */
const concurrency = { initial: 16, most: 64, failing: 2 };
/** What a delivery and a failed attempt add, in tenths of a request. */
const adaptation = { success: 1, failure: -10 };
/** Milliseconds of the longest pause. Events, requests and the ends of attempts end it. */
const longPause = 60_000;
/** Milliseconds until an endpoint looks again that has events to queue, but too many pending deliveries. */
const queueFullPause = 5000;
/** Finished deliveries after which old ones are deleted. */
const deletionInterval = 1000;
/** Milliseconds in which the results of the last attempts are stored after a stop. */
export const recordTimeout = 2000;

/** What the workers of all endpoints use. */
export interface WorkerServices extends AttemptServices {
  db: Database;
  feed: Pick<EventFeed, 'follow' | 'isClosed'>;
  log: Pick<FastifyBaseLogger, 'error' | 'warn' | 'info'>;
  /** Those of all endpoints of this instance. */
  statementSlots: StatementSlots;
  /** Call it after an event was committed. */
  notify(accountId: string): void;
  /** Milliseconds in which running attempts may end after a stop. Tests shorten it. */
  stopTimeout?: number | undefined;
}

/** The endpoint of a worker. The instance changes it while the worker runs. */
export interface Assignment {
  readonly accountId: string;
  readonly endpointId: string;
  /** With which the endpoint was listed when the instance looked last. */
  version: string;
  /** Whether the lease lasts for the time of an attempt. */
  mayStartAttempt(): boolean;
}

/** Sends the events of one endpoint. */
export interface EndpointWorker {
  /** Looks for events to queue and for deliveries that are due. */
  wake(): void;
  /** Starts no more attempts, lets the running ones end and stores their results. Ends soon after the time of an attempt. */
  stop(): Promise<void>;
}

/** The state of a worker. */
interface Worker {
  assignment: Assignment;
  services: WorkerServices;
  stopping: AbortController;
  /** Ends the pause after the current round. */
  wakeup: AbortController;
  statements: EndpointStatements;
  follower: FeedFollower;
  /** Whether there may be events to queue. */
  mayHaveEvents: boolean;
  /**
   * Whether more deliveries may be due than may start. Then events wait in the feed: deliveries to a receiver that does not
   * respond would be stored as fast as events happen.
   */
  isSaturated: boolean;
  /** When the next delivery is due that may start; 0 if it may be already. */
  nextDueAt: number;
  /** The position of the endpoint in the feed. Up to it all events are queued. */
  feedPosition: EventPosition;
  /** Events that may be queued before the pending deliveries are counted again. */
  room: number;
  /** When they may be counted again, by `performance.now()`. */
  countRoomAt: number;
  /** Where `unblockShipments` begins or goes on; undefined after its end. */
  unblockAfter: DeliveryPlace | undefined;
  /** Attempts that run or whose results are not recorded yet, by the order key of their delivery: one of each shipment. */
  openAttempts: Map<string, Promise<void>>;
  /** Results to record, in the order in which the attempts ended. */
  results: DeliveryResult[];
  /** Whether the endpoint had `failing_since` when results were recorded or deliveries were selected last. */
  isReceiverFailing: boolean;
  /** How many attempts there may be while the receiver does not fail, in tenths. */
  concurrencyInTenths: number;
  /** Deliveries that have finished since old ones were deleted. */
  finishedSinceDeletion: number;
}

/**
 * Queues the events of an endpoint and sends those that are due, one at a time for each shipment (../README.md follows an event).
 * Its statements read the endpoint anew: of it, the worker stores only `isReceiverFailing`. Only the instance with the lease
 * does so (`mayStartAttempt`).
 */
export function startEndpointWorker(assignment: Assignment, services: WorkerServices): EndpointWorker {
  const { stopTimeout = attemptTimeout } = services;
  const worker: Worker = {
    assignment,
    services,
    stopping: new AbortController(),
    wakeup: new AbortController(),
    statements: new EndpointStatements(assignment.accountId, services.db, services.statementSlots),
    follower: services.feed.follow(assignment.accountId),
    mayHaveEvents: true,
    isSaturated: false,
    nextDueAt: 0,
    feedPosition: { position: 0n },
    room: 0,
    countRoomAt: 0,
    unblockAfter: beforeAllDeliveries,
    openAttempts: new Map(),
    results: [],
    isReceiverFailing: false,
    concurrencyInTenths: 10 * concurrency.initial,
    finishedSinceDeletion: deletionInterval - 1, // how many have finished under the worker before this one is not known
  };
  const running = runUntilStopped(worker, stopTimeout);
  return {
    wake() {
      worker.mayHaveEvents = true; // a request may want a replay
      worker.wakeup.abort();
    },
    async stop() {
      worker.stopping.abort();
      worker.wakeup.abort();
      await withTimeLimit<unknown>(running, stopTimeout + recordTimeout, () => {});
    },
  };
}

/** Runs rounds until the worker stops. Then lets running attempts end and records their results. */
async function runUntilStopped(worker: Worker, stopTimeout: number): Promise<void> {
  while (!worker.stopping.signal.aborted) {
    worker.wakeup = new AbortController(); // what wakes the worker during the round ends the pause after it
    try {
      await pauseUntilWoken(worker, await round(worker));
    } catch (error) {
      warn(worker, error, 'could not send webhooks');
      worker.mayHaveEvents = true; // also after `EventsLost`: PostgreSQL then has an earlier position of the endpoint
      await pause(worker.statements.errorPause(), worker.stopping.signal); // only a stop ends it
    }
  }
  await withTimeLimit<unknown>(Promise.allSettled(worker.openAttempts.values()), stopTimeout, () => {});
  await recordResults(worker).catch((error) => warn(worker, error, 'could not store webhook attempts'));
}

/** Records the results of ended attempts, queues events and starts attempts. @returns milliseconds to pause */
async function round(worker: Worker): Promise<number> {
  await unblockAll(worker);
  await recordResults(worker);
  await deleteOld(worker);
  if (!worker.assignment.mayStartAttempt()) return shortPause;
  if (untilQueueing(worker) <= 0) await queueNext(worker);
  await startDue(worker);
  return untilNextRound(worker);
}

/** Milliseconds until the worker looks again, unless it is woken or there are events to queue. */
function untilNextRound(worker: Worker): number {
  if (worker.isSaturated) return longPause; // the end of an attempt wakes
  return Math.max(0, Math.min(longPause, worker.nextDueAt - Date.now(), untilQueueing(worker)));
}

/** Milliseconds until there may be events to queue and room for them; none while no further attempt may start. */
function untilQueueing({ mayHaveEvents, isSaturated, room, countRoomAt }: Worker): number {
  if (!mayHaveEvents || isSaturated) return Number.POSITIVE_INFINITY;
  return room > 0 ? 0 : countRoomAt - performance.now();
}

/** Ends early when someone wakes the worker, and when there are events to queue. */
async function pauseUntilWoken(worker: Worker, milliseconds: number): Promise<void> {
  const { feedPosition, follower, services, wakeup } = worker;
  if (milliseconds <= 0) return;
  if (worker.mayHaveEvents) return pause(milliseconds, wakeup.signal); // a follower waits when all events have been examined
  const timer = setTimeout(() => wakeup.abort(), milliseconds);
  try {
    // Only a signal: `queueEvents` reads the events itself, under the lock of the endpoint.
    if (await follower.waitAfter(feedPosition, wakeup.signal)) worker.mayHaveEvents = true;
  } finally {
    clearTimeout(timer);
  }
  if (services.feed.isClosed()) await pause(shortPause, wakeup.signal);
}

/** Does nothing after it has succeeded once. */
async function unblockAll(worker: Worker): Promise<void> {
  const { accountId, endpointId } = worker.assignment;
  while (worker.unblockAfter && !worker.stopping.signal.aborted) {
    const after = worker.unblockAfter;
    worker.unblockAfter = await runStatement(worker, (db) => unblockShipments(db, accountId, endpointId, after));
  }
}

/** Records the results of ended attempts. After an error, the next round records them again: each is stored once. */
async function recordResults(worker: Worker): Promise<void> {
  const { accountId, endpointId } = worker.assignment;
  const results = [...worker.results]; // attempts that end meanwhile are recorded next
  if (results.length === 0) return;
  const recorded = await runStatement(worker, (db) => recordAttempts(db, accountId, endpointId, results));
  worker.results.splice(0, results.length);
  for (const { order_key } of results) worker.openAttempts.delete(order_key);
  worker.finishedSinceDeletion += results.filter(isFinished).length;
  worker.isReceiverFailing = recorded?.isReceiverFailing ?? worker.isReceiverFailing;
  if (!recorded?.disabled) return;
  worker.services.notify(accountId);
  worker.services.log.info({ endpointId, reason: recorded.disabled }, 'disabled a webhook endpoint');
}

/** Deletes old deliveries after many have finished. */
async function deleteOld(worker: Worker): Promise<void> {
  const { accountId, endpointId } = worker.assignment;
  if (worker.finishedSinceDeletion < deletionInterval) return;
  worker.finishedSinceDeletion = 0; // before the statement: if it fails, deliveries go on
  await runStatement(worker, (db) => deleteOldDeliveries(db, accountId, endpointId));
}

/** Starts attempts of the deliveries that are due, as many as may start. */
async function startDue(worker: Worker): Promise<void> {
  const { accountId, endpointId } = worker.assignment;
  const limit = countFreeAttempts(worker);
  worker.isSaturated = limit <= 0;
  if (worker.isSaturated) return;
  const { scheduled, isLimitReached, isReceiverFailing } = await runStatement(worker, (db) =>
    selectScheduled(db, accountId, endpointId, [...worker.openAttempts.keys()], limit),
  );
  if (worker.stopping.signal.aborted) return;
  worker.isReceiverFailing = isReceiverFailing ?? worker.isReceiverFailing;
  const now = Date.now();
  const due = scheduled.filter(({ next_attempt_at }) => next_attempt_at.getTime() <= now);
  // Counted again: fewer may start if the receiver has begun to fail.
  for (const delivery of due.slice(0, Math.max(0, countFreeAttempts(worker)))) startAttempt(worker, delivery);
  worker.isSaturated = countFreeAttempts(worker) <= 0;
  const [later] = scheduled.slice(due.length);
  // The limit leaves others out: for deliveries of the same shipments, or while the receiver failed.
  const mayHaveMore = isLimitReached ? 0 : Number.POSITIVE_INFINITY;
  worker.nextDueAt = later?.next_attempt_at.getTime() ?? mayHaveMore;
}

/** How many attempts of the endpoint may start; less than 0 when fewer may be open than are. */
function countFreeAttempts({ isReceiverFailing, concurrencyInTenths, openAttempts }: Worker): number {
  const most = isReceiverFailing ? concurrency.failing : Math.floor(concurrencyInTenths / 10);
  return most - openAttempts.size;
}

/** Starts an attempt. Its end wakes the worker, which records the result. */
function startAttempt(worker: Worker, delivery: ScheduledDelivery): void {
  const { assignment, services, stopping, openAttempts } = worker;
  const { accountId, endpointId, mayStartAttempt } = assignment;
  const { order_key } = delivery;
  const attempt = async (): Promise<void> => {
    const result = await attemptDelivery(accountId, delivery, services, mayStartAttempt, stopping.signal).catch(
      async (error) => {
        services.log.error({ err: error, endpointId, accountId }, 'could not make the request of a webhook');
        await pause(maxErrorPause, stopping.signal); // it would fail again at once
        return undefined;
      },
    );
    if (result) {
      worker.results.push(result);
      worker.concurrencyInTenths = adaptConcurrency(worker.concurrencyInTenths, result);
    } else openAttempts.delete(order_key); // not attempted: the delivery is still due
    worker.wakeup.abort();
  };
  openAttempts.set(order_key, attempt());
}

/** @returns the tenths after an attempt has ended. An expired event changes nothing: no request was sent. */
export function adaptConcurrency(tenths: number, { status, attempted_at }: DeliveryResult): number {
  if (attempted_at === null) return tenths;
  const adapted = tenths + (status === 'delivered' ? adaptation.success : adaptation.failure);
  return Math.max(10 * concurrency.initial, Math.min(10 * concurrency.most, adapted));
}

/** Queues the next events, if there is room for them. */
async function queueNext(worker: Worker): Promise<void> {
  const { assignment, services } = worker;
  const { accountId, endpointId, version } = assignment;
  if (worker.room <= 0) {
    worker.room = await runStatement(worker, (db) => selectRoom(db, accountId, endpointId));
    worker.countRoomAt = performance.now() + queueFullPause;
    if (worker.room <= 0) return;
  }
  worker.mayHaveEvents = false; // before the statement: someone may wake the worker during it
  const queued = await runStatement(worker, (db) => queueEvents(db, accountId, endpointId, worker.room));
  if (!queued) {
    // Disabled or deleted, but perhaps listed: Citus may commit on the node of the endpoint, but not on the coordinator. With
    // the version from before the statement: a request may enable the endpoint after it.
    await removeFromList(services.db, accountId, endpointId, version); // on the coordinator: it needs no slot
    return;
  }
  worker.room -= queued.count;
  worker.feedPosition = queued.feedPosition;
  if (!queued.isComplete) worker.mayHaveEvents = true;
}

const warn = ({ assignment: { accountId, endpointId }, services }: Worker, err: unknown, message: string): void =>
  services.log.warn({ err, endpointId, accountId }, message);

const runStatement = <Result>(
  { statements, isReceiverFailing }: Worker,
  statement: (db: Database) => Promise<Result>,
): Promise<Result> => statements.run(statement, isReceiverFailing);
