import type { FastifyBaseLogger } from 'fastify';
import { pause, withTimeLimit } from '../concurrency/time-limit.ts';
import type { Database } from '../database/database.ts';
import { deleteOldDeliveries } from './delivery-queue.ts';
import { EndpointAttempts, type EndpointServices } from './endpoint-attempts.ts';
import { removeFromList } from './endpoints.ts';
import { EventIntake } from './event-intake.ts';
import type { Assignment } from './instances.ts';
import { attemptTimeout } from './send.ts';
import { EndpointStatements, type StatementSlots, shortPause } from './statements.ts';

/** Milliseconds of the longest pause before a retry, so that it follows the clock. Events, requests and ends of attempts end it. */
const longPause = 600_000;
/** Finished deliveries after which old ones are deleted. */
const deletionInterval = 1000;
/** Milliseconds in which running attempts end and are recorded after a stop. */
export const stopTimeout = attemptTimeout + 2000;

/** What the workers of all endpoints use. */
export interface WorkerServices extends EndpointServices {
  db: Database;
  log: Pick<FastifyBaseLogger, 'error' | 'warn' | 'info'>;
  /** Those of all endpoints of this instance. */
  statementSlots: StatementSlots;
  /** Another `stopTimeout`, for tests. */
  stopTimeout?: number | undefined;
}

/** The deliveries of one endpoint that wait. */
interface Backlog {
  pending: number;
  /** The time of the oldest event. */
  oldest: Date | undefined;
  isReceiverFailing: boolean;
}

/**
 * Queues the events of an endpoint and sends those that are due, one at a time for each shipment (../README.md follows an event).
 * Its statements read the endpoint anew: the worker stores nothing of it but whether its receiver fails. Only the instance with
 * the lease does so (`mayStartAttempt`).
 */
export class EndpointWorker {
  readonly #assignment: Assignment;
  readonly #services: WorkerServices;
  readonly #statements: EndpointStatements;
  readonly #intake: EventIntake;
  readonly #attempts: EndpointAttempts;
  readonly #stopping = new AbortController();
  /** Ends the pause after the current round. */
  #wakeup = new AbortController();
  /**
   * Whether more deliveries may be due than may start. Then events wait in the feed: deliveries to a receiver that does not
   * respond would be stored as fast as events happen.
   */
  #isSaturated = false;
  /** Deliveries that have finished since old ones were deleted. How many have under the worker before this one is not known. */
  #finishedSinceDeletion = deletionInterval - 1;
  #isRunning = false;
  #running: Promise<void> | undefined;
  #stopped: Promise<void> | undefined;

  /** The worker does nothing until it is woken. */
  constructor(assignment: Assignment, services: WorkerServices) {
    const { accountId, endpointId } = assignment;
    this.#assignment = assignment;
    this.#services = services;
    const { db, statementSlots } = services;
    const isReceiverFailing = (): boolean => this.#attempts.isReceiverFailing();
    this.#statements = new EndpointStatements(accountId, endpointId, db, statementSlots, isReceiverFailing);
    this.#intake = new EventIntake(this.#statements);
    this.#attempts = new EndpointAttempts({
      assignment,
      services,
      statements: this.#statements,
      signal: this.#stopping.signal,
      onEnd: () => this.#runRounds(),
    });
  }

  /**
   * Looks for events to queue and for deliveries that are due.
   * @param last the number of the last event, if it is known: without effect when the worker has examined it
   */
  wake(last?: number): void {
    this.#intake.lookAgain(last); // without a number, a request may want a replay
    if (last === undefined || this.#intake.untilNext() <= 0) this.#runRounds();
  }

  /** Whether it waits for nothing but to be woken, and no attempt runs. */
  isIdle(): boolean {
    return !this.#isRunning && !this.#attempts.areOpen();
  }

  /** What waits to be delivered, as far as the worker knows. */
  backlog(): Backlog {
    const oldest = this.#attempts.oldest();
    const pending = oldest ? Math.max(1, this.#intake.pending()) : 0;
    return { pending, oldest, isReceiverFailing: this.#attempts.isReceiverFailing() };
  }

  /** Starts no more attempts, lets the running ones end and records them. Ends after `stopTimeout` at the latest. */
  stop(): Promise<void> {
    this.#stopping.abort();
    this.#wakeup.abort();
    this.#stopped ??= withTimeLimit(this.#drain(), this.#stopTimeout(), () => {});
    return this.#stopped;
  }

  /** Runs rounds, now and until there is nothing to wait for but another wake. */
  #runRounds(): void {
    this.#wakeup.abort();
    if (this.#isRunning || this.#stopping.signal.aborted) return;
    this.#isRunning = true;
    this.#running = this.#runUntilIdle();
  }

  async #runUntilIdle(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      this.#wakeup = new AbortController(); // what wakes the worker during the round ends the pause after it
      try {
        const milliseconds = await this.#round();
        if (this.#wakeup.signal.aborted) continue;
        if (milliseconds === Number.POSITIVE_INFINITY) break;
        if (milliseconds > 0) await pause(Math.min(milliseconds, longPause), this.#wakeup.signal);
      } catch (error) {
        this.#warn(error, 'could not send webhooks');
        this.#intake.lookAgain();
        await pause(this.#statements.errorPause(), signal); // only a stop ends it
      }
    }
    this.#isRunning = false; // at once: what wakes the worker from now on starts it again
  }

  /** Lets running attempts end. Records each as soon as it has: a kill in the meantime then repeats few of them. */
  async #drain(): Promise<void> {
    await this.#running;
    const end = performance.now() + this.#stopTimeout();
    while (this.#attempts.areOpen() && performance.now() < end) {
      this.#wakeup = new AbortController();
      await this.#attempts.record().catch((error) => this.#warn(error, 'could not store webhook attempts'));
      if (this.#attempts.areOpen()) await pause(shortPause, this.#wakeup.signal);
    }
  }

  /** Records the results of ended attempts, queues events and starts attempts. @returns milliseconds to pause */
  async #round(): Promise<number> {
    const finished = await this.#attempts.record();
    this.#intake.finish(finished);
    this.#finishedSinceDeletion += finished;
    await this.#deleteOld();
    if (!this.#assignment.mayStartAttempt()) return shortPause;
    if (!this.#isSaturated) await this.#queueOrUnlist();
    const { isSaturated, nextDueAt } = await this.#attempts.startDue();
    this.#isSaturated = isSaturated;
    if (isSaturated) return Number.POSITIVE_INFINITY; // the end of an attempt wakes
    return Math.min(nextDueAt - Date.now(), this.#intake.untilNext());
  }

  /** Deletes old deliveries after many have finished. */
  async #deleteOld(): Promise<void> {
    if (this.#finishedSinceDeletion < deletionInterval) return;
    this.#finishedSinceDeletion = 0; // before the statement: if it fails, deliveries go on
    await this.#statements.run(deleteOldDeliveries);
  }

  async #queueOrUnlist(): Promise<void> {
    const { accountId, endpointId, version } = this.#assignment;
    if (await this.#intake.queueNext()) return;
    // Disabled or deleted, but perhaps listed: Citus may commit on the node of the endpoint, but not on the coordinator. With
    // the version from before the statement: a request may enable the endpoint after it.
    await removeFromList(this.#services.db, accountId, endpointId, version); // on the coordinator: it needs no slot
  }

  #stopTimeout(): number {
    return this.#services.stopTimeout ?? stopTimeout;
  }

  #warn(err: unknown, message: string): void {
    const { accountId, endpointId } = this.#assignment;
    this.#services.log.warn({ err, endpointId, accountId }, message);
  }
}
