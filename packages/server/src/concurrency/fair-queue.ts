import { type HeapItem, heapOf } from './heap.ts';
import { separateTurns } from './turns.ts';

/** Why work gets no slot: too much work of its account or of all accounts waits, or it has waited too long. */
type Refusal = 'account_full' | 'full' | 'timeout';

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
   * What one account has at most while others are active too: `shares` leaves the others time, however quickly its work ends.
   */
  shared?: { slotsPerAccount?: number; shares: FairShares };
}

/** Shares slots between accounts. */
export interface FairQueue {
  /**
   * Waits for a slot. A free slot goes to the waiting account that occupies the fewest, so that slow work of one account
   * delays only that account.
   * @param weight slots that the work occupies: at most `slotsPerAccount` count
   * @param cost what the account is charged for the work; by default its weight
   * @param timeout milliseconds that it may wait; by default those of the queue
   * @returns the function that releases the slot; later calls of it have no effect
   * @throws {NoSlot}
   */
  enter(accountId: string, weight?: number, cost?: number, timeout?: number): Release | Promise<Release>;
  /** Runs work while it has its slots. @throws {NoSlot} */
  run<Result>(accountId: string, work: () => Promise<Result>, weight?: number, cost?: number): Promise<Result>;
  /** The work that waits. */
  waiting(): number;
}

export type Release = () => void;

interface Account extends HeapItem {
  id: string;
  /** Slots that it occupies. */
  occupied: number;
  /** The number of the last work that started. */
  lastStart: number;
  /** The number of the work with which it began to wait. */
  arrival: number;
  /** In the order of arrival. */
  waiting: Waiting[];
}

interface Waiting {
  weight: number;
  cost: number;
  start(release: Release): void;
}

const firstWeight = ({ waiting: [first] }: Account): number => first?.weight ?? 0;

/** First the account that occupies the fewest slots; of those that tie, the one that started work the longest ago. */
const isBefore = (a: Account, b: Account): boolean =>
  (a.occupied - b.occupied || a.lastStart - b.lastStart || a.arrival - b.arrival) < 0;

/** Makes a queue. Work of one account starts in the order of its arrival. */
export function fairQueue(options: FairQueueOptions): FairQueue {
  const { slots, slotsPerAccount, maxWaiting, maxWaitingPerAccount } = options;
  const { weightPerTurn = Number.POSITIVE_INFINITY, shared } = options;
  const accounts = new Map<string, Account>();
  /** The accounts that have work waiting, but for those in `withoutShare`. */
  const waiting = heapOf(isBefore);
  const turnToRefuse = separateTurns();
  /** The accounts whose waiting work exceeds their share. A release of theirs or time changes that. */
  const withoutShare = new Set<Account>();
  let occupied = 0;
  let totalWaiting = 0;
  let starts = 0;
  let arrivals = 0;
  let startedInTurn = 0;
  let nextPeriod: NodeJS.Timeout | undefined;

  const startTurn = (): void => {
    startedInTurn = 0;
    startWaiting();
  };

  const startPeriod = (): void => {
    nextPeriod = undefined;
    for (const account of withoutShare) if (isWithinShare(account, firstWeight(account))) wait(account);
    startWaiting();
  };

  /** Lets an account wait for its turn. Call it when what decides about its turn has changed. */
  const wait = (account: Account): void => {
    withoutShare.delete(account);
    waiting.put(account);
  };

  const isWithinShare = (account: Account, weight: number): boolean => {
    const limits = shared?.shares.areLimited() ? shared : undefined;
    const ownSlots = limits?.slotsPerAccount ?? slotsPerAccount;
    const hasSlots = account.occupied === 0 || account.occupied + weight <= ownSlots;
    return hasSlots && (!limits || limits.shares.hasPaid(account.id));
  };

  const fits = (account: Account, weight: number): boolean =>
    (startedInTurn === 0 || startedInTurn + weight <= weightPerTurn) &&
    occupied + weight <= slots &&
    isWithinShare(account, weight);

  const occupy = (account: Account, weight: number, cost: number): Release => {
    shared?.shares.charge(account.id, cost);
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
      waitOrForget(account);
      startWaiting();
    };
  };

  /** Call it when the account has released slots, or its first work that waits is another one. */
  const waitOrForget = (account: Account): void => {
    if (account.waiting.length > 0) wait(account);
    else {
      withoutShare.delete(account);
      waiting.remove(account);
      if (account.occupied === 0) accounts.delete(account.id);
    }
  };

  /** The first account whose share has room. */
  const nextAccount = (): Account | undefined => {
    let next = waiting.first();
    for (; next && !isWithinShare(next, firstWeight(next)); next = waiting.first()) {
      waiting.remove(next);
      withoutShare.add(next);
    }
    // Heavy work is not overtaken by lighter work of accounts that occupy more: it would wait for ever.
    return next && fits(next, firstWeight(next)) ? next : undefined;
  };

  const startWaiting = (): void => {
    if (totalWaiting === 0) return;
    for (let account = nextAccount(); account; account = nextAccount()) {
      const [item] = account.waiting;
      if (!item) return;
      const release = occupy(account, item.weight, item.cost);
      remove(account, item);
      item.start(release);
    }
    if (!shared || totalWaiting === 0 || nextPeriod) return;
    nextPeriod = setTimeout(startPeriod, shared.shares.untilNextPeriod());
  };

  const remove = (account: Account, item: Waiting): void => {
    account.waiting.splice(account.waiting.indexOf(item), 1);
    totalWaiting--;
    waitOrForget(account);
  };

  const enter = (
    accountId: string,
    weight = 1,
    cost = weight,
    timeout = options.timeout,
  ): Release | Promise<Release> => {
    const counted = Math.min(weight, slotsPerAccount);
    const account = accounts.get(accountId) ?? {
      id: accountId,
      occupied: 0,
      lastStart: 0,
      arrival: 0,
      waiting: [],
      place: -1,
    };
    const mayStart = totalWaiting === 0 && fits(account, counted);
    if (!mayStart && account.waiting.length >= maxWaitingPerAccount) throw new NoSlot('account_full');
    if (!mayStart && totalWaiting >= maxWaiting) throw new NoSlot('full');
    accounts.set(accountId, account);
    if (mayStart) return occupy(account, counted, cost);
    const { promise, resolve, reject } = Promise.withResolvers<Release>();
    const item: Waiting = {
      weight: counted,
      cost,
      start(release) {
        clearTimeout(timer);
        resolve(release);
      },
    };
    const refuse = async (): Promise<void> => {
      await turnToRefuse(); // much work may have waited since the same time
      if (!account.waiting.includes(item)) return;
      remove(account, item);
      reject(new NoSlot('timeout'));
    };
    const timer = setTimeout(refuse, Math.max(timeout, 0)); // the request may have used up its time before
    account.waiting.push(item);
    totalWaiting++;
    if (account.waiting.length === 1) {
      account.arrival = ++arrivals;
      wait(account);
    }
    startWaiting(); // the account may find a free slot although others wait for theirs
    return promise;
  };

  return {
    enter,
    async run(accountId, work, weight, cost) {
      const release = await enter(accountId, weight, cost);
      try {
        return await work();
      } finally {
        release();
      }
    },
    waiting: () => totalWaiting,
  };
}

/** Other accounts are active until so many milliseconds without them. */
const activeTime = 1000;

/** Milliseconds by the clock of the timers, which end each wait for a share. */
const now = (): number => Number(process.hrtime.bigint()) / 1e6;

/** Who uses this process. All its queues note it, so that work of one kind leaves time for that of other accounts. */
export interface Activity {
  note(accountId: string): void;
  /** Whether several accounts are active. */
  isShared(): boolean;
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
  };
}

/** The time that each account may use for one kind of work while others are active. */
export interface FairShares {
  /** Whether other accounts are active. An account alone delays no other, and uses all the time. */
  areLimited(): boolean;
  /** Whether the share of an account has paid for its earlier work. */
  hasPaid(accountId: string): boolean;
  /** Charges an account for work that starts, or for what was found to be more or less than known at its start. */
  charge(accountId: string, cost: number): void;
  /** Gives an account another share than the usual one. @param costPerMillisecond undefined for the usual one */
  setShare(accountId: string, costPerMillisecond: number | undefined): void;
  /** Milliseconds until each account may use its next share. */
  untilNextPeriod(): number;
}

interface FairSharesOptions {
  /** The cost of the work that an account starts while others are active. */
  costPerMillisecond: number;
  /**
   * Milliseconds that this process has used. Costs are in milliseconds, too, and what was not measured counts in proportion
   * to them. By default it does not count.
   */
  busyTime?: () => number;
  /** Milliseconds in which an account may use its share at once: work that starts together shares statements. */
  period: number;
  activity: Activity;
}

export function fairShares(options: FairSharesOptions): FairShares {
  const { costPerMillisecond, period, activity } = options;
  const scaled = options.busyTime && costScale(options.busyTime);
  /** When the share of an account pays for all its work, in milliseconds of the process. */
  const paidAt = new Map<string, number>();
  const ownShares = new Map<string, number>();
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
      const charged = scaled ? scaled(cost) : cost;
      if (!activity.isShared()) return;
      const start = startOfPeriod();
      removePaid(start);
      const time = charged / (ownShares.get(accountId) ?? costPerMillisecond);
      paidAt.set(accountId, Math.max(paidAt.get(accountId) ?? 0, start) + time);
    },
    setShare(accountId, share) {
      if (share === undefined) ownShares.delete(accountId);
      else ownShares.set(accountId, share);
    },
    untilNextPeriod: () => period - (now() % period),
  };
}

/** Milliseconds after which costs are compared with the time of the process again. */
const comparisonTime = 100;
/** Other work of the process counts for as much as this at most. */
const maxScale = 4;

/** Makes the function that scales costs so that together they are the time that the process has used. */
function costScale(busyTime: () => number): (cost: number) => number {
  let [scale, measured, busy] = [1, 0, 0];
  let [compared, busyBefore] = [now(), busyTime()];
  return (cost) => {
    measured += cost;
    const time = now();
    if (time >= compared + comparisonTime) {
      const busyNow = busyTime();
      busy += busyNow - busyBefore;
      scale = Math.min(Math.max(busy / (measured || 1), 1), maxScale);
      [compared, busyBefore] = [time, busyNow];
      [measured, busy] = [measured / 2, busy / 2]; // earlier times count less
    }
    return cost * scale;
  };
}
