import { type Activity, type FairQueue, fairQueue, fairShares, NoSlot } from '../concurrency/fair-queue.ts';
import type { Database } from '../database/database.ts';
import { isRejectedByPostgres, Overloaded } from '../database/errors.ts';

/** Each endpoint waits for one statement, so that the queues are bounded. After the time it tries again. */
const waitingLimits = {
  maxWaiting: Number.POSITIVE_INFINITY,
  maxWaitingPerAccount: Number.POSITIVE_INFINITY,
  timeout: 60_000,
};
/** Statements of a queue at a time, so that requests are not delayed. An account has one at a time in each queue. */
const statementLimits = { slots: 2, slotsPerAccount: 1, ...waitingLimits };
/**
 * Those of endpoints whose last statement got no response. When a Citus node does not respond, each of its accounts has a slot
 * of the others once, until the time limit of a statement. After that, the node delays only its own accounts.
 */
const unresponsiveLimits = { ...statementLimits, slots: 1 };
/** What an account has of the time while others are active. The statements for one webhook fit into a period. */
const healthyShare = { costPerMillisecond: 0.5, period: 40 };
/** The same for its endpoints whose receivers fail: all their deliveries are retried, most in vain. */
const failingShare = { costPerMillisecond: 0.1, period: 40 };

/** What statements cost, compared with a small request (operations/admission.ts). Most insert or read several deliveries. */
const statementCost = 3;
/** Slots that a statement occupies. */
const statementWeight = 1;

/** Milliseconds of a short pause, also of that after a failed statement. Further failed statements double that. */
export const shortPause = 1000;
export const maxErrorPause = 10_000;

/** The slots of the statements of all endpoints of an instance. */
export interface StatementSlots {
  healthy: FairQueue;
  /** Of endpoints whose receivers fail. */
  failingReceivers: FairQueue;
  /** Of endpoints whose last statement got no response of the database. */
  unresponsiveDatabase: FairQueue;
}

export function statementSlots(activity: Activity): StatementSlots {
  const healthyShares = fairShares({ ...healthyShare, activity });
  const failingShares = fairShares({ ...failingShare, activity });
  return {
    healthy: fairQueue({ ...statementLimits, shared: { shares: healthyShares } }),
    failingReceivers: fairQueue({ ...statementLimits, shared: { shares: failingShares } }),
    unresponsiveDatabase: fairQueue({ ...unresponsiveLimits, shared: { shares: healthyShares } }),
  };
}

/** Runs the statements about an endpoint, each when its account has a slot. */
export class EndpointStatements {
  /** Whether the last statement got no response: then the next ones wait where they delay no other endpoint. */
  #isUnresponsive = false;
  /** Statements that have failed since the last one that succeeded. */
  #failed = 0;
  readonly #accountId: string;
  readonly #endpointId: string;
  readonly #db: Database;
  readonly #slots: StatementSlots;
  readonly #isReceiverFailing: () => boolean;

  /** @param isReceiverFailing whether statements wait apart */
  constructor(
    accountId: string,
    endpointId: string,
    db: Database,
    slots: StatementSlots,
    isReceiverFailing: () => boolean,
  ) {
    this.#isReceiverFailing = isReceiverFailing;
    this.#accountId = accountId;
    this.#endpointId = endpointId;
    this.#db = db;
    this.#slots = slots;
  }

  /** Calls a function that executes statements about the endpoint. @param args its further arguments */
  async run<Args extends unknown[], Result>(
    execute: (db: Database, accountId: string, endpointId: string, ...args: Args) => Promise<Result>,
    ...args: Args
  ): Promise<Result> {
    const { healthy, failingReceivers, unresponsiveDatabase } = this.#slots;
    const slots = this.#isUnresponsive ? unresponsiveDatabase : this.#isReceiverFailing() ? failingReceivers : healthy;
    const run = (): Promise<Result> => execute(this.#db, this.#accountId, this.#endpointId, ...args);
    try {
      const result = await slots.run(this.#accountId, run, statementWeight, statementCost);
      this.#failed = 0;
      this.#isUnresponsive = false;
      return result;
    } catch (error) {
      this.#failed++;
      const isExecuted = !(error instanceof NoSlot || error instanceof Overloaded);
      if (isExecuted) this.#isUnresponsive = !isRejectedByPostgres(error);
      throw error;
    }
  }

  /** Milliseconds to pause after an error. */
  errorPause(): number {
    return Math.min(maxErrorPause, shortPause * 2 ** Math.max(0, this.#failed - 1));
  }
}
