import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { withTimeLimit } from '../concurrency/time-limit.ts';
import type { Database } from '../database/database.ts';
import type { EventFeed, FeedFollower } from '../event-feed/feed.ts';
import { type AttemptServices, attemptDelivery, type DeliveryResult, isFinished } from './attempt.ts';
import {
  beforeAllDeliveries,
  type DeliveryPlace,
  deleteOldDeliveries,
  queueEvents,
  type ScheduledDelivery,
  type Selection,
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
 * send.ts).
 *
 * For a receiver that responds to most requests: at first and at least `initial`, at most `most`. Ten deliveries permit one
 * more, a failed attempt one less, so that a few requests without a response do not hold up the others. For a receiver that
 * responds to none: `failing`, from a recorded failure until the next recorded success.
 */
const concurrency = { initial: 16, most: 64, failing: 2 };
/** What a delivery and a failed attempt add, in tenths of a request. */
const adaptation = { success: 1, failure: -10 };
/** Milliseconds of a pause that `Wakeup.wake` ends: after them, the loop looks again, whatever has happened. */
const longPause = 60_000;
/** Milliseconds until an endpoint with too many pending deliveries looks again. */
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

/** The state that the two loops of a worker share. */
interface WorkerState {
  assignment: Assignment;
  services: WorkerServices;
  stopping: AbortController;
  /** Of the loop that queues events. Woken, too, by the end of `isSaturated`. */
  queueWakeup: Wakeup;
  /** Of the loop that sends deliveries. Woken, too, by deliveries that were queued, and by the end of an attempt. */
  sendWakeup: Wakeup;
  statements: EndpointStatements;
  /** Set by the loop that sends, with each selection of deliveries. Then it sends few, and the statements of both loops wait apart. */
  isReceiverFailing: boolean;
  /**
   * Whether no attempt may start although one may be due. Set by the loop that sends. The other one then queues nothing:
   * deliveries to a receiver that does not respond would be stored as fast as events happen.
   */
  isSaturated: boolean;
}

/** The state of the loop that queues events. */
interface Queueing {
  /** Events that may be queued before the pending deliveries are counted again. */
  room: number;
  follower: FeedFollower;
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
  unblockAfter: DeliveryPlace | undefined;
}

/**
 * Lets others end the pause of a loop, also that after an error. Both loops are woken by a stop, and by a request that has
 * queued something or enabled the endpoint.
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
 * Queues the events of an endpoint and sends those that are due, one at a time for each shipment (../README.md follows an event).
 * Two loops wait side by side: one for events, the other for deliveries that are due. Their statements usually run one after
 * the other, as an account has one slot; the lock of the endpoint excludes them.
 *
 * Their statements read the endpoint anew: of it, the worker stores only `isReceiverFailing`. Only the instance with the lease sends (`mayStartAttempt`). Without it, a worker still queues events, as
 * `queueEvents` locks the endpoint. While no further attempt may start although one may be due, no events are queued
 * (`isSaturated`): they wait in the feed.
 */
export function startEndpointWorker(assignment: Assignment, services: WorkerServices): EndpointWorker {
  const { stopTimeout = attemptTimeout } = services;
  const state: WorkerState = {
    assignment,
    services,
    stopping: new AbortController(),
    queueWakeup: new Wakeup(),
    sendWakeup: new Wakeup(),
    statements: new EndpointStatements(assignment.accountId, services.db, services.statementSlots),
    isReceiverFailing: false,
    isSaturated: false,
  };
  const wake = (): void => {
    state.queueWakeup.wake();
    state.sendWakeup.wake();
  };
  const loops = Promise.all([queueUntilStopped(state), sendUntilStopped(state, stopTimeout)]);
  return {
    wake,
    async stop() {
      state.stopping.abort();
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
  state: WorkerState,
  wakeup: Wakeup,
  failure: string,
  round: (woken: AbortSignal) => Promise<number>,
): Promise<void> {
  while (!state.stopping.signal.aborted) {
    const woken = wakeup.beginRound();
    const milliseconds = await round(woken).catch((error) => {
      warn(state, error, failure);
      return state.statements.errorPause();
    });
    if (milliseconds > 0) await pause(milliseconds, woken);
  }
}

const warn = ({ assignment: { accountId, endpointId }, services }: WorkerState, err: unknown, message: string): void =>
  services.log.warn({ err, endpointId, accountId }, message);

/** Moves the events of the feed into the queue. */
async function queueUntilStopped(state: WorkerState): Promise<void> {
  const queueing: Queueing = { room: 0, follower: state.services.feed.follow(state.assignment.accountId) };
  await repeat(state, state.queueWakeup, 'could not queue webhooks', (woken) => queueRound(state, queueing, woken));
}

/** Queues events. When there are no more, waits for one. @returns milliseconds to pause */
async function queueRound(state: WorkerState, queueing: Queueing, woken: AbortSignal): Promise<number> {
  const { assignment, services } = state;
  const { accountId, endpointId } = assignment;
  if (state.isSaturated) return longPause; // `setSaturated` wakes
  if (queueing.room <= 0) {
    queueing.room = await runStatement(state, (db) => selectRoom(db, accountId, endpointId));
    if (queueing.room <= 0) return queueFullPause;
  }
  const { version } = assignment; // read before the statement: a request may enable the endpoint after it
  const queued = await runStatement(state, (db) => queueEvents(db, accountId, endpointId, queueing.room));
  if (!queued) {
    // Disabled or deleted, but perhaps listed: Citus may commit on the node of the endpoint, but not on the coordinator.
    await removeFromList(services.db, accountId, endpointId, version); // on the coordinator: it needs no slot
    return longPause; // until the instance has left the endpoint
  }
  queueing.room -= queued.count;
  if (queued.count > 0) state.sendWakeup.wake();
  if (!queued.isComplete) return 0;
  // `queueEvents` reads the events itself, under the lock of the endpoint. It then fails, too, if this fails.
  await queueing.follower.waitAfter(queued.feedPosition, woken);
  return services.feed.isClosed() ? shortPause : 0;
}

/** Sends the deliveries that are due. After a stop, lets running attempts end and records their results. */
async function sendUntilStopped(state: WorkerState, stopTimeout: number): Promise<void> {
  const sending: Sending = {
    openAttempts: new Map(),
    concurrencyInTenths: 10 * concurrency.initial,
    results: [],
    finishedSinceDeletion: deletionInterval - 1, // how many have finished under the worker before this one is not known
    unblockAfter: beforeAllDeliveries,
  };
  await repeat(state, state.sendWakeup, 'could not send webhooks', () => sendRound(state, sending));
  await withTimeLimit<unknown>(Promise.allSettled(sending.openAttempts.values()), stopTimeout, () => {});
  await recordResults(state, sending).catch((error) => warn(state, error, 'could not store webhook attempts'));
}

/** Records the results of ended attempts and starts further ones. @returns milliseconds to pause */
async function sendRound(state: WorkerState, sending: Sending): Promise<number> {
  await unblockAll(state, sending);
  await recordResults(state, sending);
  await deleteOld(state, sending);
  return startDue(state, sending);
}

/** Does nothing after it has succeeded once. */
async function unblockAll(state: WorkerState, sending: Sending): Promise<void> {
  const { accountId, endpointId } = state.assignment;
  while (sending.unblockAfter && !state.stopping.signal.aborted) {
    const after = sending.unblockAfter;
    sending.unblockAfter = await runStatement(state, (db) => unblockShipments(db, accountId, endpointId, after));
  }
}

/** Records the results of ended attempts. After an error, the next round records them again: each is stored once. */
async function recordResults(state: WorkerState, sending: Sending): Promise<void> {
  const { accountId, endpointId } = state.assignment;
  const results = [...sending.results]; // attempts that end meanwhile are recorded next
  if (results.length === 0) return;
  const disabled = await runStatement(state, (db) => recordAttempts(db, accountId, endpointId, results));
  sending.results.splice(0, results.length);
  for (const { order_key } of results) sending.openAttempts.delete(order_key);
  sending.finishedSinceDeletion += results.filter(isFinished).length;
  if (!disabled) return;
  state.services.notify(accountId);
  state.services.log.info({ endpointId, reason: disabled }, 'disabled a webhook endpoint');
}

/** Deletes old deliveries after many have finished. */
async function deleteOld(state: WorkerState, sending: Sending): Promise<void> {
  const { accountId, endpointId } = state.assignment;
  if (sending.finishedSinceDeletion < deletionInterval) return;
  sending.finishedSinceDeletion = 0; // before the statement: if it fails, deliveries go on
  await runStatement(state, (db) => deleteOldDeliveries(db, accountId, endpointId));
}

/** Starts attempts of the deliveries that are due. @returns milliseconds until more may be due */
async function startDue(state: WorkerState, sending: Sending): Promise<number> {
  const { accountId, endpointId, mayStartAttempt } = state.assignment;
  if (!mayStartAttempt()) return shortPause;
  const lookAhead = 1; // shows whether more are due than may start
  const limit = Math.max(0, countFreeAttempts(state, sending)) + lookAhead;
  const selection = await runStatement(state, (db) =>
    selectScheduled(db, accountId, endpointId, [...sending.openAttempts.keys()], limit),
  );
  if (state.stopping.signal.aborted) return 0;
  state.isReceiverFailing = selection.isReceiverFailing ?? state.isReceiverFailing;
  // Counted again: whether the receiver fails may be new, and attempts may have ended.
  const { toStart, isSaturated, milliseconds } = planAttempts(selection, countFreeAttempts(state, sending), Date.now());
  for (const delivery of toStart) startAttempt(state, sending, delivery);
  setSaturated(state, isSaturated);
  return milliseconds;
}

/** How many attempts of the endpoint may start; less than 0 when fewer may be open than are. */
function countFreeAttempts({ isReceiverFailing }: WorkerState, { concurrencyInTenths, openAttempts }: Sending): number {
  const most = isReceiverFailing ? concurrency.failing : Math.floor(concurrencyInTenths / 10);
  return most - openAttempts.size;
}

/** Sets the state, and lets the other loop queue again after its end. */
function setSaturated(state: WorkerState, isSaturated: boolean): void {
  const wasSaturated = state.isSaturated;
  state.isSaturated = isSaturated;
  if (wasSaturated && !isSaturated) state.queueWakeup.wake();
}

/**
 * Decides which deliveries start, and for how many milliseconds the loop then pauses.
 * @param free how many may start; none if it is negative
 */
function planAttempts(
  { scheduled, isLimitReached }: Selection,
  free: number,
  now: number,
): { toStart: ScheduledDelivery[]; isSaturated: boolean; milliseconds: number } {
  const due = scheduled.filter(({ next_attempt_at }) => next_attempt_at.getTime() <= now);
  const toStart = due.slice(0, Math.max(0, free));
  const isSaturated = due.length > toStart.length;
  const [later] = scheduled.slice(due.length);
  const untilMore = (): number => {
    if (isSaturated) return longPause; // the end of an attempt wakes
    if (later) return Math.min(longPause, later.next_attempt_at.getTime() - now);
    // The next selection reads others: not those that start now, of whose shipments it had several rows. And a larger one, if
    // the receiver has just recovered.
    if (isLimitReached) return 0;
    return longPause; // a new delivery wakes
  };
  return { toStart, isSaturated, milliseconds: untilMore() };
}

/** Starts an attempt. Its end wakes the loop, which records the result. */
function startAttempt(state: WorkerState, sending: Sending, delivery: ScheduledDelivery): void {
  const { assignment, services, stopping, sendWakeup } = state;
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
      sending.results.push(result);
      sending.concurrencyInTenths = adaptConcurrency(sending.concurrencyInTenths, result);
    } else sending.openAttempts.delete(order_key); // not attempted: the delivery is still due
    sendWakeup.wake();
  };
  sending.openAttempts.set(order_key, attempt());
}

/** @returns the tenths after an attempt has ended. An expired event changes nothing: no request was sent. */
export function adaptConcurrency(tenths: number, { status, attempted_at }: DeliveryResult): number {
  if (attempted_at === null) return tenths;
  const adapted = tenths + (status === 'delivered' ? adaptation.success : adaptation.failure);
  return Math.max(10 * concurrency.initial, Math.min(10 * concurrency.most, adapted));
}

const runStatement = <Result>(
  { statements, isReceiverFailing }: WorkerState,
  statement: (db: Database) => Promise<Result>,
): Promise<Result> => statements.run(statement, isReceiverFailing);

/** Ends early when the signal aborts. */
const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  wait(milliseconds, undefined, { signal }).catch(() => {});
