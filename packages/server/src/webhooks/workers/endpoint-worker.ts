import type { FastifyBaseLogger } from 'fastify';
import { pause, withTimeLimit } from '../../concurrency/time-limit.ts';
import type { Database } from '../../database/database.ts';
import { type AttemptServices, attemptDelivery } from '../attempts/attempt.ts';
import { AttemptLimit } from '../attempts/attempt-limit.ts';
import type { DeliveryResult } from '../attempts/attempt-result.ts';
import { recordAttempts } from '../attempts/record-attempts.ts';
import { attemptTimeout } from '../attempts/send.ts';
import { type EndpointRef, removeFromList } from '../endpoints/endpoint-list.ts';
import { deleteOldDeliveries, type ScheduledDelivery, selectScheduled } from '../queue/delivery-queue.ts';
import { EventQueue } from '../queue/queue-events.ts';
import { EndpointStatements, type StatementSlots } from '../queue/statement-slots.ts';

/** Milliseconds of a short pause, also of that after a failed statement. Further failed statements double that. */
const shortPause = 1000;
const maxErrorPause = 10_000;
/** Milliseconds of the longest pause before a retry, so that it follows the clock. Events, requests and ends of attempts end it. */
const longPause = 600_000;
/** Finished deliveries after which old ones are deleted. */
const deletionInterval = 1000;
/** Milliseconds in which running attempts end and are recorded after a stop. */
export const stopTimeout = attemptTimeout + 2000;

/** An endpoint of this instance, which changes it while the endpoint's worker runs. */
export interface Assignment extends EndpointRef {
  /** That of the endpoint in the list, as the instance has read it last. */
  version: string;
  /** Whether the lease lasts for the time of an attempt. */
  mayStartAttempt(): boolean;
}

/** What the workers of all endpoints use. */
export interface WorkerServices extends AttemptServices {
  db: Database;
  log: Pick<FastifyBaseLogger, 'error' | 'warn' | 'info'>;
  /** Call it after an event was committed. */
  notify(accountId: string): void;
  /** Those of all endpoints of this instance. */
  statementSlots: StatementSlots;
  /** Another `stopTimeout`, for tests. */
  stopTimeout?: number | undefined;
}

/** What follows a round: the next one, at once, after a pause or when the worker is woken. A wake ends the pause, too. */
type AfterRound = { next: 'round' } | { next: 'pause'; milliseconds: number } | { next: 'wake' };

/** The deliveries of one endpoint that wait. */
interface Backlog {
  pending: number;
  /** Seconds since the oldest event; 0 when none waits. */
  oldestSeconds: number;
  isReceiverFailing: boolean;
}

/**
 * Queues the events of an endpoint and sends those that are due, one at a time for each shipment (../README.md follows an event).
 * Its statements read the endpoint anew: the worker stores nothing of it but whether its receiver fails. Only the instance with
 * the lease does so (`mayStartAttempt`).
 */
export class EndpointWorker {
  readonly #endpoint: Assignment;
  readonly #services: WorkerServices;
  readonly #statements: EndpointStatements;
  readonly #limit = new AttemptLimit();
  readonly #queue: EventQueue;
  readonly #stopping = new AbortController();
  #stopped: Promise<void> | undefined;
  /** Whether rounds run or a pause between two. */
  #isRunning = false;
  #running: Promise<void> | undefined;
  /** Ends the pause after the current round. */
  #pauseEnd = new AbortController();

  /** The attempts that run or whose results are not recorded yet, one of each shipment: order key → time of the event. */
  readonly #open = new Map<string, Date>();
  /** Results to record, in the order in which the attempts ended. */
  readonly #results: DeliveryResult[] = [];
  /** The time of PostgreSQL, by which all instances decide, when deliveries were selected last at `at` of `performance.now()`. */
  #clock = { time: Date.now(), at: performance.now() };
  /** The times of the events that were scheduled when deliveries were selected last. */
  #scheduled: Date[] = [];
  /**
   * Whether more deliveries may be due than may start. Then events wait in the feed: deliveries to a receiver that does not
   * respond would be stored as fast as events happen.
   */
  #isSaturated = false;
  /** Deliveries that have finished since old ones were deleted. How many have under the worker before this one is not known. */
  #finishedSinceDeletion = deletionInterval - 1;

  /** The worker does nothing until it is woken. */
  constructor(endpoint: Assignment, services: WorkerServices) {
    this.#endpoint = endpoint;
    this.#services = services;
    this.#statements = new EndpointStatements(endpoint.accountId, services, this.#limit);
    this.#queue = new EventQueue(endpoint, this.#statements);
  }

  /** Looks for events to queue, also those of a replay, and for deliveries that are due. */
  wake(): void {
    this.#queue.expectEvents();
    this.#runRounds();
  }

  /**
   * Looks for events to queue up to that with the number, the last one of the account. Does nothing when it has examined that, or
   * while the queue is full: then the round has a pause until it may have room, or the end of an attempt starts the next one.
   */
  wakeForEvent(number: number): void {
    this.#queue.expectEvent(number);
    if (this.#queue.untilEvents() <= 0) this.#runRounds();
  }

  /** Whether it waits for nothing but to be woken, and no attempt runs. */
  isIdle(): boolean {
    return !this.#isRunning && this.#open.size === 0;
  }

  /** What waits to be delivered, as far as the worker knows. */
  backlog(): Backlog {
    const [oldest] = [...this.#scheduled, ...this.#open.values()].sort((a, b) => a.getTime() - b.getTime());
    return {
      pending: oldest ? Math.max(1, this.#queue.pending) : 0,
      oldestSeconds: oldest ? Math.max(0, (this.#now().getTime() - oldest.getTime()) / 1000) : 0,
      isReceiverFailing: this.#limit.isReceiverFailing,
    };
  }

  #now(): Date {
    return new Date(this.#clock.time + performance.now() - this.#clock.at);
  }

  /** Starts no more attempts, lets the running ones end and records them. Ends after `stopTimeout` at the latest. */
  stop(): Promise<void> {
    this.#stopping.abort();
    this.#pauseEnd.abort();
    const milliseconds = this.#services.stopTimeout ?? stopTimeout;
    this.#stopped ??= withTimeLimit(this.#recordUntil(performance.now() + milliseconds), milliseconds, () => {});
    return this.#stopped;
  }

  /** Runs rounds, now and until there is nothing to wait for but to be woken. */
  #runRounds(): void {
    this.#pauseEnd.abort();
    if (this.#isRunning || this.#stopping.signal.aborted) return;
    this.#isRunning = true;
    this.#running = this.#runUntilIdle();
  }

  async #runUntilIdle(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      this.#pauseEnd = new AbortController(); // what calls `#runRounds` during the round ends the pause after it
      try {
        const after = await this.#round();
        if (this.#pauseEnd.signal.aborted) continue;
        if (after.next === 'wake') break;
        if (after.next === 'pause') await pause(after.milliseconds, this.#pauseEnd.signal);
      } catch (error) {
        this.#warn(error, 'could not send webhooks');
        const milliseconds = Math.min(maxErrorPause, shortPause * 2 ** Math.max(0, this.#statements.failures - 1));
        await pause(milliseconds, signal); // only a stop ends it
      }
    }
    this.#isRunning = false; // at once: `#runRounds` starts rounds again from now on
  }

  async #round(): Promise<AfterRound> {
    await this.#recordResults();
    await this.#deleteOld();
    if (!this.#endpoint.mayStartAttempt()) return { next: 'pause', milliseconds: shortPause };
    if (!this.#isSaturated) await this.#queueEvents(); // as the last round found: due deliveries start before others are queued
    const untilDue = await this.#startDue();
    this.#isSaturated = this.#countFree() <= 0;
    // No attempt may start until one ends, and that end starts the next round (`#attempt`).
    if (this.#isSaturated) return { next: 'wake' };
    const milliseconds = Math.min(untilDue, this.#queue.untilEvents());
    if (milliseconds <= 0) return { next: 'round' };
    if (milliseconds === Number.POSITIVE_INFINITY) return { next: 'wake' };
    return { next: 'pause', milliseconds: Math.min(milliseconds, longPause) };
  }

  /** Records the results of ended attempts. After an error, the next call records them again: each is stored once. */
  async #recordResults(): Promise<void> {
    const { notify, log } = this.#services;
    const { accountId, endpointId } = this.#endpoint;
    const results = [...this.#results]; // attempts that end meanwhile are recorded next
    if (results.length === 0) return;
    const recorded = await this.#statements.execute((db) => recordAttempts(db, this.#endpoint, results));
    this.#results.splice(0, results.length);
    for (const { order_key } of results) this.#open.delete(order_key);
    if (!recorded) return;
    this.#queue.deliveriesRecorded(
      results.map(({ id }) => id),
      recorded.finished,
    );
    this.#finishedSinceDeletion += recorded.finished;
    this.#limit.isReceiverFailing = recorded.isReceiverFailing;
    if (!recorded.disabled) return;
    notify(accountId);
    log.info({ endpointId, reason: recorded.disabled }, 'disabled a webhook endpoint');
  }

  /** Deletes old deliveries after many have finished. */
  async #deleteOld(): Promise<void> {
    if (this.#finishedSinceDeletion < deletionInterval) return;
    this.#finishedSinceDeletion = 0; // before the statement: if it fails, deliveries go on
    await this.#statements.execute((db) => deleteOldDeliveries(db, this.#endpoint));
  }

  /**
   * Queues the next events, if there are any and there is room for them. Removes a disabled or deleted endpoint from the list,
   * which may still have it: Citus may commit on the node of the endpoint, but not on the coordinator.
   */
  async #queueEvents(): Promise<void> {
    if (this.#queue.untilEvents() > 0) return;
    const { version } = this.#endpoint; // before the statements: a request may enable the endpoint after them
    try {
      if (await this.#queue.queueNext()) return;
      await removeFromList(this.#services.db, this.#endpoint, version); // on the coordinator: it needs no slot
    } catch (error) {
      this.#queue.expectEvents(); // the next round tries again
      throw error;
    }
  }

  /**
   * Selects the next deliveries, as many as attempts may start, and starts those that are due.
   * @returns milliseconds until others are due: infinite when none is scheduled, and 0 when the selection reached its limit and
   * all selected ones are due. Then the next selection, which leaves out what has started, may find others for which attempts may
   * start: a selection starts only the first of several of one shipment, and a receiver that responds again permits more.
   */
  async #startDue(): Promise<number> {
    const limit = this.#countFree();
    if (limit <= 0) return Number.POSITIVE_INFINITY;
    const selection = await this.#statements.execute((db) =>
      selectScheduled(db, this.#endpoint, [...this.#open.keys()], limit),
    );
    const { scheduled, isLimitReached, isReceiverFailing } = selection;
    if (isReceiverFailing !== undefined) this.#limit.isReceiverFailing = isReceiverFailing;
    this.#scheduled = scheduled.map(({ event_created_at }) => event_created_at);
    if (selection.now) this.#clock = { time: selection.now.getTime(), at: performance.now() };
    const now = this.#now().getTime();
    const due = scheduled.filter(({ next_attempt_at }) => next_attempt_at.getTime() <= now);
    // Counted again: fewer may start if the receiver has begun to fail.
    const mayStart = this.#stopping.signal.aborted ? 0 : Math.max(0, this.#countFree());
    for (const delivery of due.slice(0, mayStart)) void this.#attempt(delivery);
    const [later] = scheduled.slice(due.length);
    if (later) return later.next_attempt_at.getTime() - now;
    return isLimitReached ? 0 : Number.POSITIVE_INFINITY;
  }

  /** How many attempts may start; less than 0 when fewer may be open than are. */
  #countFree(): number {
    return this.#limit.most() - this.#open.size;
  }

  /** Makes an attempt. The next round records its result. */
  async #attempt(delivery: ScheduledDelivery): Promise<void> {
    const { signal } = this.#stopping;
    const { accountId, endpointId } = this.#endpoint;
    this.#open.set(delivery.order_key, delivery.event_created_at);
    const endpoint = { ...this.#endpoint, now: () => this.#now() };
    const result = await attemptDelivery(delivery, endpoint, this.#services, signal).catch(async (err) => {
      this.#services.log.error({ err, endpointId, accountId }, 'could not make the request of a webhook');
      await pause(maxErrorPause, signal); // it would fail again at once
    });
    if (result) {
      this.#results.push(result);
      this.#limit.adapt(result);
    } else this.#open.delete(delivery.order_key); // not attempted, after a wait: the delivery is still due
    this.#runRounds();
  }

  /** After a stop: records each attempt as soon as it has ended. A kill in the meantime then repeats few of them. */
  async #recordUntil(end: number): Promise<void> {
    await this.#running;
    while (this.#open.size > 0 && performance.now() < end) {
      this.#pauseEnd = new AbortController();
      await this.#recordResults().catch((error) => this.#warn(error, 'could not store webhook attempts'));
      if (this.#open.size > 0) await pause(shortPause, this.#pauseEnd.signal);
    }
  }

  #warn(err: unknown, message: string): void {
    const { accountId, endpointId } = this.#endpoint;
    this.#services.log.warn({ err, endpointId, accountId }, message);
  }
}
