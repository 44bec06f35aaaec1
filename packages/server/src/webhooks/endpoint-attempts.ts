import type { FastifyBaseLogger } from 'fastify';
import { pause } from '../concurrency/time-limit.ts';
import { type AttemptServices, attemptDelivery, type DeliveryResult, isFinished } from './attempt.ts';
import { type ScheduledDelivery, selectScheduled } from './delivery-queue.ts';
import type { Assignment } from './instances.ts';
import { recordAttempts } from './record-attempts.ts';
import { type EndpointStatements, maxErrorPause } from './statements.ts';

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

export interface EndpointServices extends AttemptServices {
  log: Pick<FastifyBaseLogger, 'error' | 'info'>;
  /** Call it after an event was committed. */
  notify(accountId: string): void;
}

interface Options {
  assignment: Assignment;
  services: EndpointServices;
  statements: EndpointStatements;
  /** Aborts when no more attempts may start. */
  signal: AbortSignal;
  /** Called when an attempt has ended. */
  onEnd(): void;
}

/** What is left to start. */
interface StartResult {
  /** Whether as many attempts are open as there may be, so that further deliveries may be due. */
  isSaturated: boolean;
  /** When the next delivery is due, in milliseconds since 1970; 0 if it may be already. */
  nextDueAt: number;
}

/** The attempts of one endpoint. */
export class EndpointAttempts {
  readonly #options: Options;
  /** The attempts that run or whose results are not recorded yet, one of each shipment: order key → time of the event. */
  readonly #open = new Map<string, Date>();
  /** The times of the events that were scheduled when deliveries were selected last. */
  #scheduled: Date[] = [];
  /** Results to record, in the order in which the attempts ended. */
  readonly #results: DeliveryResult[] = [];
  /** Whether the endpoint had `failing_since` when attempts were recorded or selected last. */
  #isReceiverFailing = false;
  /** How many attempts there may be while the receiver does not fail, in tenths. */
  #concurrencyInTenths = 10 * concurrency.initial;

  constructor(options: Options) {
    this.#options = options;
  }

  isReceiverFailing(): boolean {
    return this.#isReceiverFailing;
  }

  /** Starts attempts of the deliveries that are due, as many as may start. */
  async startDue(): Promise<StartResult> {
    const { statements, signal } = this.#options;
    const limit = this.#countFree();
    if (limit <= 0) return { isSaturated: true, nextDueAt: 0 };
    const selection = await statements.run(selectScheduled, [...this.#open.keys()], limit);
    const { scheduled, isLimitReached, isReceiverFailing } = selection;
    this.#isReceiverFailing = isReceiverFailing ?? this.#isReceiverFailing;
    this.#scheduled = scheduled.map(({ event_created_at }) => event_created_at);
    const now = Date.now();
    const due = scheduled.filter(({ next_attempt_at }) => next_attempt_at.getTime() <= now);
    // Counted again: fewer may start if the receiver has begun to fail.
    const mayStart = signal.aborted ? 0 : Math.max(0, this.#countFree());
    for (const delivery of due.slice(0, mayStart)) void this.#run(delivery);
    const [later] = scheduled.slice(due.length);
    // The limit leaves others out: for deliveries of the same shipments, or while the receiver failed.
    const othersDueAt = isLimitReached ? 0 : Number.POSITIVE_INFINITY;
    return { isSaturated: this.#countFree() <= 0, nextDueAt: later?.next_attempt_at.getTime() ?? othersDueAt };
  }

  /**
   * Records the results of ended attempts. After an error, the next call records them again: each is stored once.
   * @returns how many deliveries have finished
   */
  async record(): Promise<number> {
    const { statements, services, assignment } = this.#options;
    const { accountId, endpointId } = assignment;
    const results = [...this.#results]; // attempts that end meanwhile are recorded next
    if (results.length === 0) return 0;
    const recorded = await statements.run(recordAttempts, results);
    this.#results.splice(0, results.length);
    for (const { order_key } of results) this.#open.delete(order_key);
    this.#isReceiverFailing = recorded?.isReceiverFailing ?? this.#isReceiverFailing;
    if (recorded?.disabled) {
      services.notify(accountId);
      services.log.info({ endpointId, reason: recorded.disabled }, 'disabled a webhook endpoint');
    }
    return results.filter(isFinished).length;
  }

  /** Whether attempts run, or have results that are not recorded yet. */
  areOpen(): boolean {
    return this.#open.size > 0;
  }

  /** The time of the oldest event that is known to wait; undefined when none waits. */
  oldest(): Date | undefined {
    return [...this.#scheduled, ...this.#open.values()].sort(compareTimes)[0];
  }

  /** How many attempts may start; less than 0 when fewer may be open than are. */
  #countFree(): number {
    const most = this.#isReceiverFailing ? concurrency.failing : Math.floor(this.#concurrencyInTenths / 10);
    return most - this.#open.size;
  }

  /** Makes an attempt, and adds its result to those that `record` records. */
  async #run(delivery: ScheduledDelivery): Promise<void> {
    this.#open.set(delivery.order_key, delivery.event_created_at);
    const result = await this.#send(delivery);
    if (result) {
      this.#results.push(result);
      this.#concurrencyInTenths = adaptConcurrency(this.#concurrencyInTenths, result);
    } else this.#open.delete(delivery.order_key); // not attempted, after a wait (sockets.ts): the delivery is still due
    this.#options.onEnd();
  }

  async #send(delivery: ScheduledDelivery): Promise<DeliveryResult | undefined> {
    const { assignment, services, signal } = this.#options;
    const { accountId, endpointId, mayStartAttempt } = assignment;
    try {
      return await attemptDelivery(accountId, delivery, services, mayStartAttempt, signal);
    } catch (error) {
      services.log.error({ err: error, endpointId, accountId }, 'could not make the request of a webhook');
      await pause(maxErrorPause, signal); // it would fail again at once
      return undefined;
    }
  }
}

const compareTimes = (one: Date, other: Date): number => one.getTime() - other.getTime();

/** @returns the tenths after an attempt has ended. An expired event changes nothing: no request was sent. */
export function adaptConcurrency(tenths: number, { status, attempted_at }: DeliveryResult): number {
  if (attempted_at === null) return tenths;
  const adapted = tenths + (status === 'delivered' ? adaptation.success : adaptation.failure);
  return Math.max(10 * concurrency.initial, Math.min(10 * concurrency.most, adapted));
}
