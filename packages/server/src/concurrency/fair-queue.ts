/** Why work gets no slot: too much work of its account or of all accounts waits, or it has waited too long. */
export type Refusal = 'account_full' | 'full' | 'timeout';

/** Work gets no slot, and is not started. */
export class NoSlot extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(`The work gets no slot: ${refusal}`);
    this.refusal = refusal;
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
  /** Milliseconds that work may wait. */
  timeout: number;
  /**
   * Weight of the work that starts in one turn of the event loop, so that requests of other accounts are read in between.
   * By default it has no limit.
   */
  weightPerTurn?: number;
  /**
   * What one account has at most while others are active too. An account alone delays no other, and uses more.
   * `weightPerMillisecond` leaves the others time, however quickly its work ends.
   */
  shared?: { slotsPerAccount: number; weightPerMillisecond: number };
}

/** Other accounts are active until so many milliseconds without them. */
const activeTime = 1000;

/** Milliseconds in which an account may use its share at once: work that starts together shares statements. */
const period = 4;
/** Milliseconds by the clock of the timers: they end each wait for a share. */
const now = (): number => Number(process.hrtime.bigint()) / 1e6;
const startOfPeriod = (): number => Math.floor(now() / period) * period;

/** Shares slots between accounts. */
export interface FairQueue {
  /**
   * Waits for a slot. A free slot goes to the waiting account that occupies the fewest, so that slow work of one account
   * delays only that account.
   * @param weight slots that the work occupies: its cost, compared with other work; at most `slotsPerAccount` count
   * @returns the function that releases the slot; later calls of it have no effect
   * @throws {NoSlot}
   */
  enter(accountId: string, weight?: number): Release | Promise<Release>;
  /** Runs work while it has a slot. @throws {NoSlot} */
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
  /** When its share pays for all that it has started while others were active, in milliseconds of the process. */
  paidAt: number;
  /** In the order of arrival. */
  waiting: Waiting[];
}

interface Waiting {
  weight: number;
  start(release: Release): void;
}

/** Makes a queue. Work of one account starts in the order of its arrival. */
export function fairQueue(options: FairQueueOptions): FairQueue {
  const { slots, slotsPerAccount, maxWaiting, maxWaitingPerAccount, timeout } = options;
  const { weightPerTurn = Number.POSITIVE_INFINITY, shared } = options;
  const alone = { slotsPerAccount };
  const accounts = new Map<string, Account>();
  /** The accounts that have work waiting. */
  const waiting = new Map<string, Account>();
  let occupied = 0;
  let totalWaiting = 0;
  let starts = 0;
  let startedInTurn = 0;
  let lastAccount: string | undefined;
  /** When work of another account started than before. */
  let lastChange = Number.NEGATIVE_INFINITY;
  let nextPeriod: NodeJS.Timeout | undefined;

  const share = () => (shared && now() < lastChange + activeTime ? shared : alone);

  const startTurn = (): void => {
    startedInTurn = 0;
    startWaiting();
  };

  const startPeriod = (): void => {
    nextPeriod = undefined;
    startWaiting();
  };

  const isWithinShare = (account: Account, weight: number): boolean => {
    const current = share();
    return (
      (account.occupied === 0 || account.occupied + weight <= current.slotsPerAccount) &&
      (current === alone || account.paidAt < startOfPeriod() + period)
    );
  };

  const fits = (account: Account, weight: number): boolean =>
    (startedInTurn === 0 || startedInTurn + weight <= weightPerTurn) &&
    occupied + weight <= slots &&
    isWithinShare(account, weight);

  const occupy = (accountId: string, account: Account, weight: number): Release => {
    if (shared && lastAccount !== undefined && accountId !== lastAccount) lastChange = now();
    lastAccount = accountId;
    if (share() === shared)
      account.paidAt = Math.max(account.paidAt, startOfPeriod()) + weight / shared.weightPerMillisecond;
    account.occupied += weight;
    account.lastStart = ++starts;
    occupied += weight;
    if (startedInTurn === 0 && weightPerTurn < Number.POSITIVE_INFINITY) setImmediate(startTurn);
    startedInTurn += weight;
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      account.occupied -= weight;
      occupied -= weight;
      forgetWhenIdle(accountId, account);
      startWaiting();
    };
  };

  const forgetWhenIdle = (accountId: string, account: Account): void => {
    if (account.occupied > 0 || account.waiting.length > 0 || accounts.get(accountId) !== account) return;
    const unpaid = account.paidAt - now();
    if (unpaid <= 0) accounts.delete(accountId);
    else setTimeout(forgetWhenIdle, unpaid, accountId, account).unref();
  };

  /** The account that occupies the fewest slots; of those that tie, the one that started work the longest ago. */
  const nextAccount = (): [string, Account] | undefined => {
    let next: [string, Account] | undefined;
    for (const entry of waiting) {
      const [, account] = entry;
      if (!isWithinShare(account, account.waiting[0]?.weight ?? 0)) continue;
      const { occupied: own, lastStart } = account;
      const isBefore = !next || own < next[1].occupied || (own === next[1].occupied && lastStart < next[1].lastStart);
      if (isBefore) next = entry;
    }
    // Heavy work is not overtaken by lighter work of accounts that occupy more: it would wait for ever.
    return next && fits(next[1], next[1].waiting[0]?.weight ?? 0) ? next : undefined;
  };

  const startWaiting = (): void => {
    if (totalWaiting === 0) return;
    for (let next = nextAccount(); next; next = nextAccount()) {
      const [accountId, account] = next;
      const [item] = account.waiting;
      if (!item) return;
      const release = occupy(accountId, account, item.weight);
      remove(accountId, account, item);
      item.start(release);
    }
    if (!shared || waiting.size === 0 || nextPeriod) return;
    nextPeriod = setTimeout(startPeriod, period - (now() % period));
  };

  const remove = (accountId: string, account: Account, item: Waiting): void => {
    account.waiting.splice(account.waiting.indexOf(item), 1);
    totalWaiting--;
    if (account.waiting.length > 0) return;
    waiting.delete(accountId);
    forgetWhenIdle(accountId, account);
  };

  const enter = (accountId: string, weight = 1): Release | Promise<Release> => {
    const counted = Math.min(weight, slotsPerAccount);
    const account = accounts.get(accountId) ?? { occupied: 0, lastStart: 0, paidAt: 0, waiting: [] };
    const mayStart = totalWaiting === 0 && fits(account, counted);
    if (!mayStart && account.waiting.length >= maxWaitingPerAccount) throw new NoSlot('account_full');
    if (!mayStart && totalWaiting >= maxWaiting) throw new NoSlot('full');
    accounts.set(accountId, account);
    if (mayStart) return occupy(accountId, account, counted);
    const { promise, resolve, reject } = Promise.withResolvers<Release>();
    const item: Waiting = {
      weight: counted,
      start(release) {
        clearTimeout(timer);
        resolve(release);
      },
    };
    const timer = setTimeout(() => {
      remove(accountId, account, item);
      reject(new NoSlot('timeout'));
    }, timeout);
    account.waiting.push(item);
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
