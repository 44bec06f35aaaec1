import { type Activity, type FairQueue, fairQueue, fairShares, NoSlot } from '../../concurrency/fair-queue.ts';
import type { Database } from '../../database/database.ts';
import { isRejectedByPostgres, Overloaded } from '../../database/errors.ts';

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
export const statementCost = 3;
/** Slots that a statement occupies. */
export const statementWeight = 1;

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

/** Executes the statements about an endpoint, each when its account has a slot for it. */
export class EndpointStatements {
  readonly #accountId: string;
  readonly #services: { db: Database; statementSlots: StatementSlots };
  /** That of the endpoint, which the worker updates. */
  readonly #receiver: { readonly isReceiverFailing: boolean };
  /** Whether the last statement got no response: then the next ones wait where they delay no other endpoint. */
  #isDatabaseUnresponsive = false;
  /** Statements that have failed since the last one that succeeded. */
  failures = 0;

  constructor(
    accountId: string,
    services: { db: Database; statementSlots: StatementSlots },
    receiver: { readonly isReceiverFailing: boolean },
  ) {
    this.#accountId = accountId;
    this.#services = services;
    this.#receiver = receiver;
  }

  /** @throws {NoSlot}, or what the statement throws */
  async execute<Result>(statement: (db: Database) => Promise<Result>): Promise<Result> {
    const { db, statementSlots } = this.#services;
    const { healthy, failingReceivers, unresponsiveDatabase } = statementSlots;
    const ofReceiver = this.#receiver.isReceiverFailing ? failingReceivers : healthy;
    const slots = this.#isDatabaseUnresponsive ? unresponsiveDatabase : ofReceiver;
    try {
      const result = await slots.run(this.#accountId, () => statement(db), statementWeight, statementCost);
      this.failures = 0;
      this.#isDatabaseUnresponsive = false;
      return result;
    } catch (error) {
      this.failures++;
      const isExecuted = !(error instanceof NoSlot || error instanceof Overloaded);
      if (isExecuted) this.#isDatabaseUnresponsive = !isRejectedByPostgres(error);
      throw error;
    }
  }
}
