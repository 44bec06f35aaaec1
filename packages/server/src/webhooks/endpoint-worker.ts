import type { FastifyBaseLogger } from 'fastify';
import { pause, withTimeLimit } from '../concurrency/time-limit.ts';
import type { Database } from '../database/database.ts';
import type { EventFeed } from '../event-feed/feed.ts';
import { beforeAllDeliveries, type DeliveryPlace, deleteOldDeliveries, unblockShipments } from './delivery-queue.ts';
import { EndpointAttempts, type EndpointServices } from './endpoint-attempts.ts';
import { removeFromList } from './endpoints.ts';
import { EventIntake } from './event-intake.ts';
import type { Assignment } from './instances.ts';
import { attemptTimeout } from './send.ts';
import { EndpointStatements, type StatementSlots, shortPause } from './statements.ts';

/** Milliseconds of the longest pause. Events, requests and the ends of attempts end it. */
const longPause = 60_000;
/** Finished deliveries after which old ones are deleted. */
const deletionInterval = 1000;
/** Milliseconds in which running attempts end and are recorded after a stop. */
export const stopTimeout = attemptTimeout + 2000;

/** What the workers of all endpoints use. */
export interface WorkerServices extends EndpointServices {
  db: Database;
  feed: Pick<EventFeed, 'follow'>;
  log: Pick<FastifyBaseLogger, 'error' | 'warn' | 'info'>;
  /** Those of all endpoints of this instance. */
  statementSlots: StatementSlots;
  /** Another `stopTimeout`, for tests. */
  stopTimeout?: number | undefined;
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
  /** Where `unblockShipments` begins or goes on; undefined after its end. */
  #unblockAfter: DeliveryPlace | undefined = beforeAllDeliveries;
  /** Deliveries that have finished since old ones were deleted. How many have under the worker before this one is not known. */
  #finishedSinceDeletion = deletionInterval - 1;
  readonly #running: Promise<void>;

  /** Starts the worker. */
  constructor(assignment: Assignment, services: WorkerServices) {
    const { accountId, endpointId } = assignment;
    this.#assignment = assignment;
    this.#services = services;
    const { db, feed, statementSlots } = services;
    const isReceiverFailing = (): boolean => this.#attempts.isReceiverFailing();
    this.#statements = new EndpointStatements(accountId, endpointId, db, statementSlots, isReceiverFailing);
    this.#intake = new EventIntake(accountId, this.#statements, feed);
    this.#attempts = new EndpointAttempts({
      assignment,
      services,
      statements: this.#statements,
      signal: this.#stopping.signal,
      onEnd: () => this.#wakeup.abort(),
    });
    this.#running = this.#runUntilStopped();
  }

  /** Looks for events to queue and for deliveries that are due. */
  wake(): void {
    this.#intake.lookAgain(); // a request may want a replay
    this.#wakeup.abort();
  }

  /** Starts no more attempts, lets the running ones end and records them. Ends after `stopTimeout` at the latest. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wakeup.abort();
    await withTimeLimit(this.#running, this.#stopTimeout(), () => {});
  }

  /** Runs rounds until the worker stops, and then drains it. */
  async #runUntilStopped(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      this.#wakeup = new AbortController(); // what wakes the worker during the round ends the pause after it
      try {
        await this.#pauseUntilWoken(await this.#round());
      } catch (error) {
        this.#warn(error, 'could not send webhooks');
        this.#intake.lookAgain(); // also after `EventsLost`: PostgreSQL then has an earlier position of the endpoint
        await pause(this.#statements.errorPause(), signal); // only a stop ends it
      }
    }
    await this.#drain();
  }

  /** Lets running attempts end. Records each as soon as it has: a kill in the meantime then repeats few of them. */
  async #drain(): Promise<void> {
    const end = performance.now() + this.#stopTimeout();
    while (this.#attempts.areOpen() && performance.now() < end) {
      this.#wakeup = new AbortController();
      await this.#attempts.record().catch((error) => this.#warn(error, 'could not store webhook attempts'));
      if (this.#attempts.areOpen()) await pause(shortPause, this.#wakeup.signal);
    }
  }

  /** Records the results of ended attempts, queues events and starts attempts. @returns milliseconds to pause */
  async #round(): Promise<number> {
    await this.#unblockAll();
    this.#finishedSinceDeletion += await this.#attempts.record();
    await this.#deleteOld();
    if (!this.#assignment.mayStartAttempt()) return shortPause;
    if (!this.#isSaturated) await this.#queueOrUnlist();
    const { isSaturated, nextDueAt } = await this.#attempts.startDue();
    this.#isSaturated = isSaturated;
    if (isSaturated) return longPause; // the end of an attempt wakes
    return Math.min(longPause, nextDueAt - Date.now(), this.#intake.untilNext());
  }

  /** Ends early when someone wakes the worker, and when there are events to queue. */
  async #pauseUntilWoken(milliseconds: number): Promise<void> {
    const wakeup = this.#wakeup;
    if (milliseconds <= 0) return;
    const timer = setTimeout(() => wakeup.abort(), milliseconds);
    await this.#intake.waitForEvents(wakeup.signal).finally(() => clearTimeout(timer));
  }

  /** Does nothing after it has succeeded once. */
  async #unblockAll(): Promise<void> {
    while (this.#unblockAfter && !this.#stopping.signal.aborted) {
      this.#unblockAfter = await this.#statements.run(unblockShipments, this.#unblockAfter);
    }
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
