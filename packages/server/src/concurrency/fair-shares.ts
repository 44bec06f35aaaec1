/** Other accounts are active until so many milliseconds without them. */
const activeTime = 1000;
/** Milliseconds in which an account may use its share at once: work that starts together shares statements. */
const period = 4;

/** Milliseconds by the clock of the timers, which end each wait for a share. */
const now = (): number => Number(process.hrtime.bigint()) / 1e6;
const startOfPeriod = (): number => Math.floor(now() / period) * period;

/** The time of this process, which accounts share while several are active. All queues whose work uses it have the same one. */
export interface FairShares {
  /** Whether several accounts are active. An account alone delays no other, and uses all the time. */
  areLimited(): boolean;
  /** Whether the share of an account has paid for its earlier work. */
  hasPaid(accountId: string): boolean;
  /** Charges an account for work that starts, or that was found to be more than known at its start. */
  charge(accountId: string, cost: number): void;
  /** Milliseconds until each account may use its next share. */
  untilNextPeriod(): number;
}

/** @param costPerMillisecond the cost of work that an account starts while others are active */
export function fairShares(costPerMillisecond: number): FairShares {
  /** When the share of an account pays for all its work, in milliseconds of the process. */
  const paidAt = new Map<string, number>();
  let lastAccount: string | undefined;
  /** When work of another account started than before. */
  let lastChange = Number.NEGATIVE_INFINITY;
  let lastRemoval = Number.NEGATIVE_INFINITY;

  const areLimited = (): boolean => now() < lastChange + activeTime;

  const removePaid = (time: number): void => {
    if (time < lastRemoval + activeTime) return;
    lastRemoval = time;
    for (const [accountId, paid] of paidAt) if (paid <= time) paidAt.delete(accountId);
  };

  return {
    areLimited,
    hasPaid: (accountId) => (paidAt.get(accountId) ?? 0) < startOfPeriod() + period,
    charge(accountId, cost) {
      if (lastAccount !== undefined && accountId !== lastAccount) lastChange = now();
      lastAccount = accountId;
      if (!areLimited()) return;
      const start = startOfPeriod();
      removePaid(start);
      paidAt.set(accountId, Math.max(paidAt.get(accountId) ?? 0, start) + cost / costPerMillisecond);
    },
    untilNextPeriod: () => period - (now() % period),
  };
}
