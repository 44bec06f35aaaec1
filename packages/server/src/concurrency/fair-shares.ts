/** Other accounts are active until so many milliseconds without them. */
const activeTime = 1000;

/** Milliseconds by the clock of the timers, which end each wait for a share. */
const now = (): number => Number(process.hrtime.bigint()) / 1e6;

/** Who uses this process. All its queues note it, so that work of one kind leaves time for that of other accounts. */
export interface Activity {
  note(accountId: string): void;
  /** Whether several accounts are active. */
  isShared(): boolean;
  /** The running instances of the service, which use one PostgreSQL. */
  instances: number;
}

export function accountActivity(): Activity {
  let last: string | undefined;
  /** When another account was active than before. */
  let lastChange = Number.NEGATIVE_INFINITY;
  return {
    note(accountId) {
      if (last !== undefined && accountId !== last) lastChange = now();
      last = accountId;
    },
    isShared: () => now() < lastChange + activeTime,
    instances: 1,
  };
}

/** The time that each account may use for one kind of work while others are active. */
export interface FairShares {
  /** Whether other accounts are active. An account alone delays no other, and uses all the time. */
  areLimited(): boolean;
  /** Whether the share of an account has paid for its earlier work. */
  hasPaid(accountId: string): boolean;
  /** Charges an account for work that starts, or that was found to be more than known at its start. */
  charge(accountId: string, cost: number): void;
  /** Milliseconds until each account may use its next share. */
  untilNextPeriod(): number;
}

export interface FairSharesOptions {
  /** The cost of the work that an account starts while others are active. */
  costPerMillisecond: number;
  /** Whether an account has this share once in all instances, instead of in each. */
  ofAllInstances?: boolean;
  /** Milliseconds in which an account may use its share at once: work that starts together shares statements. */
  period: number;
  activity: Activity;
}

export function fairShares(options: FairSharesOptions): FairShares {
  const { costPerMillisecond, ofAllInstances = false, period, activity } = options;
  /** When the share of an account pays for all its work, in milliseconds of the process. */
  const paidAt = new Map<string, number>();
  const startOfPeriod = (): number => Math.floor(now() / period) * period;
  let lastRemoval = Number.NEGATIVE_INFINITY;

  const removePaid = (time: number): void => {
    if (time < lastRemoval + activeTime) return;
    lastRemoval = time;
    for (const [accountId, paid] of paidAt) if (paid <= time) paidAt.delete(accountId);
  };

  return {
    areLimited: activity.isShared,
    hasPaid: (accountId) => (paidAt.get(accountId) ?? 0) < startOfPeriod() + period,
    charge(accountId, cost) {
      activity.note(accountId);
      if (!activity.isShared()) return;
      const start = startOfPeriod();
      removePaid(start);
      const time = (cost / costPerMillisecond) * (ofAllInstances ? activity.instances : 1);
      paidAt.set(accountId, Math.max(paidAt.get(accountId) ?? 0, start) + time);
    },
    untilNextPeriod: () => period - (now() % period),
  };
}
