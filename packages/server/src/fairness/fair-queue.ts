/** Too much work of one account, or of all accounts, waits for a slot. */
export class FairQueueFull extends Error {
  /** Whether the account itself has too much work; otherwise all accounts together have. */
  readonly isOfAccount: boolean;
  constructor(isOfAccount: boolean) {
    super(isOfAccount ? 'Too much work of the account waits.' : 'Too much work waits.');
    this.isOfAccount = isOfAccount;
  }
}

export interface FairQueueOptions {
  /** Total weight of the work that runs at a time. */
  slots: number;
  /** The most of it that one account occupies, so that the others find a free slot. */
  slotsPerAccount: number;
  /** Work that may wait for a slot. Further work is rejected. */
  maxWaiting: number;
  /** The same for each account. */
  maxWaitingPerAccount: number;
}

/** Shares slots between accounts. */
export interface FairQueue {
  /**
   * Waits for a slot. A free slot goes to the waiting account that occupies the fewest, so that slow work of one account
   * delays only that account.
   * @param weight slots that the work occupies: its cost, compared with other work; at most `slotsPerAccount` count
   * @returns the function that releases the slot; later calls of it have no effect
   * @throws {FairQueueFull}
   */
  enter(accountId: string, weight?: number): Release | Promise<Release>;
  /** Runs work while it has a slot. @throws {FairQueueFull} */
  run<Result>(accountId: string, work: () => Promise<Result>, weight?: number): Promise<Result>;
  /** The work that waits. */
  waiting(): number;
}

export type Release = () => void;

interface Account {
  /** Slots that it occupies. */
  occupied: number;
  /** The number of the last work that started. */
  lastStart: number;
  /** In the order of arrival. */
  waiting: { weight: number; start: (release: Release) => void }[];
}

/** Makes a queue. Work of one account starts in the order of its arrival. */
export function fairQueue({ slots, slotsPerAccount, maxWaiting, maxWaitingPerAccount }: FairQueueOptions): FairQueue {
  const accounts = new Map<string, Account>();
  /** The accounts that have work waiting. */
  const waiting = new Map<string, Account>();
  let occupied = 0;
  let totalWaiting = 0;
  let starts = 0;

  const fits = (account: Account, weight: number): boolean =>
    occupied + weight <= slots && account.occupied + weight <= slotsPerAccount;

  const occupy = (accountId: string, account: Account, weight: number): Release => {
    account.occupied += weight;
    account.lastStart = ++starts;
    occupied += weight;
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      account.occupied -= weight;
      occupied -= weight;
      if (account.occupied === 0 && account.waiting.length === 0) accounts.delete(accountId);
      if (totalWaiting > 0) startWaiting();
    };
  };

  /** The account that occupies the fewest slots; of those that tie, the one that has waited longest for its turn. */
  const nextAccount = (): [string, Account] | undefined => {
    let next: [string, Account] | undefined;
    for (const entry of waiting) {
      const [, { occupied: own, lastStart, waiting: items }] = entry;
      if (own + (items[0]?.weight ?? 0) > slotsPerAccount) continue;
      const isBefore = !next || own < next[1].occupied || (own === next[1].occupied && lastStart < next[1].lastStart);
      if (isBefore) next = entry;
    }
    // Heavy work is not overtaken by lighter work of accounts that occupy more: it would wait for ever.
    return next && fits(next[1], next[1].waiting[0]?.weight ?? 0) ? next : undefined;
  };

  const startWaiting = (): void => {
    for (let next = nextAccount(); next; next = nextAccount()) {
      const [accountId, account] = next;
      const item = account.waiting.shift();
      if (account.waiting.length === 0) waiting.delete(accountId);
      totalWaiting--;
      if (item) item.start(occupy(accountId, account, item.weight));
    }
  };

  const enter = (accountId: string, weight = 1): Release | Promise<Release> => {
    const counted = Math.min(weight, slotsPerAccount);
    const account = accounts.get(accountId) ?? { occupied: 0, lastStart: 0, waiting: [] };
    const mayStart = totalWaiting === 0 && fits(account, counted);
    if (!mayStart && account.waiting.length >= maxWaitingPerAccount) throw new FairQueueFull(true);
    if (!mayStart && totalWaiting >= maxWaiting) throw new FairQueueFull(false);
    accounts.set(accountId, account);
    if (mayStart) return occupy(accountId, account, counted);
    const { promise, resolve } = Promise.withResolvers<Release>();
    account.waiting.push({ weight: counted, start: resolve });
    waiting.set(accountId, account);
    totalWaiting++;
    startWaiting(); // the account may find a free slot although others wait for theirs
    return promise;
  };

  return {
    enter,
    async run(accountId, work, weight) {
      const release = await enter(accountId, weight);
      try {
        return await work();
      } finally {
        release();
      }
    },
    waiting: () => totalWaiting,
  };
}
