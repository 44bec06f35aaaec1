import { accountActivity, type FairQueueOptions, fairQueue, fairShares } from '@waybill/server/concurrency/fair-queue';
import { type HeapItem, heapOf } from '@waybill/server/concurrency/heap';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { stopClock } from './stop-clock.ts';

const options = { slots: 4, slotsPerAccount: 3, maxWaiting: 100, maxWaitingPerAccount: 50, timeout: 2 ** 31 - 1 };
const alone = { slots: 1, slotsPerAccount: 1 };

const sharesOf = (costPerMillisecond: number, activity = accountActivity()) =>
  fairShares({ costPerMillisecond, period: 4, activity });

/** A queue whose work ends when the test says so. `log` names it in the order of its start, and what is refused. */
function queueOf(changes: Partial<FairQueueOptions> = {}) {
  const queue = fairQueue({ ...options, ...changes });
  const log: string[] = [];
  const ends = new Map<string, () => void>();
  const start = async (name: string, weight?: number, cost?: number): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    ends.set(name, resolve);
    const work = (): Promise<void> => {
      log.push(name);
      return promise;
    };
    await queue.run(name.charAt(0), work, weight, cost).catch(({ refusal }) => void log.push(`${name} is ${refusal}`));
  };
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await turns();
  };
  return { queue, log, start, end };
}

/** Lets all settled promises continue. */
const turns = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a heap gives its items in their order, however they were put, moved and removed before', () => {
  const step = fc.record({ index: fc.nat(60), order: fc.nat(1000), isRemoved: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { minLength: 200, maxLength: 200 }), (steps) => {
      const items = Array.from({ length: 61 }, () => ({ place: -1, order: 0 }));
      const heap = heapOf<HeapItem & { order: number }>((a, b) => a.order < b.order);
      for (const { index, order, isRemoved } of steps) {
        const item = items[index] as (typeof items)[number];
        if (isRemoved) heap.remove(item);
        else heap.put(Object.assign(item, { order }));
      }
      const inside = items.filter(({ place }) => place >= 0).map(({ order }) => order);
      const taken: number[] = [];
      for (let first = heap.first(); first; first = heap.first()) {
        heap.remove(first);
        taken.push(first.order);
      }
      expect(taken).toEqual(inside.toSorted((a, b) => a - b));
    }),
  );
});

/** Queues whose limits matter only where they are given. */
const queues: Record<string, Partial<FairQueueOptions> & { cost?: number; share?: number }> = {
  usual: {}, // four slots, three of them for an account
  two: { slots: 2, slotsPerAccount: 2 },
  three: { slots: 3 },
  full: { ...alone, maxWaiting: 3, maxWaitingPerAccount: 2 },
  brief: { ...alone, timeout: 10 },
  shared: { slots: 99, slotsPerAccount: 9, cost: 100, share: 3 },
  timed: { slots: 99, slotsPerAccount: 10, cost: 1, share: 10 },
  slow: { cost: 1e-9, share: 3 },
  again: { weightPerTurn: 9, cost: 100, share: 1 },
};

/**
 * Steps are separated by semicolons. `a1` is work of the account a, `a1*3/40` has weight 3 and cost 40, `-a1` ends it, and
 * `@6` puts the clock forward by 6 ms. After ` = ` is what the step starts or refuses.
 */
test.for([
  ['one account occupies at most its share of the slots', 'usual', 'a1 a2 a3 a4 = a1 a2 a3'],
  ['work of others overtakes what waits', 'usual', 'a1 a2 a3 a4 a5 a6 b1 = a1 a2 a3 b1; b2 -a1 = b2'],
  ['ties take turns', 'two', 'a1 a2 a3 b1 b2 c1 = a1 a2; -a1 -a2 -b1 -c1 = b1 c1 a3 b2'],
  ['a free slot goes to whom has the fewest', 'three', 'a1 a2 b1 = a1 a2 b1; a3 b2 c1 -a1 = c1; -c1 = a3'],
  ['heavy work is not overtaken for ever', 'usual', 'a1 a2 b1*3 a3 = a1 a2; -a1 = b1; -b1 = a3'],
  ['work heavier than the share has the whole share', 'usual', 'a1*1000 b1 a2 = a1 b1; -a1 = a2'],
  ['an account may have too much work', 'full', 'a1 a2 a3 a4 = a1 a4 is account_full; b1 c1 = c1 is full'],
  ['work waits until its time is over', 'brief', 'a1 a2 = a1; @9 = ; @1 = a2 is timeout; -a1 b1 = b1'],
  ['beside others, an account has fewer slots', 'shared', 'a1 a2 a3 a4 = a1 a2 a3 a4; b1 a5 b2 = b1 b2; -a1 -a2 = a5'],
  ['each has its share of the time', 'timed', '@1 b1 -b1 a1*9 -a1 a2*9 a3 b2 = b1 a1 b2; @6 = ; @1 = a2; @20 = a3'],
  ['work below the share does not wait', 'timed', 'b1 -b1 a1*2 -a1 = b1 a1; @4 a2*2 -a2 b2 -b2 = a2 b2; @4 a3*2 = a3'],
  ['an account alone starts without a pause', 'slow', 'a1*3 -a1 a2*3 -a2 a3*3 -a3 = a1 a2 a3'],
  ['an account that is alone again has all slots', 'again', 'b1 -b1 a1 -a1 = b1 a1; @1000 a2 a3 = a2 a3'],
] as const)('%s: %s: %s', async ([, name, steps]) => {
  stopClock();
  const { cost, share: slotsPerAccount, ...changes } = queues[name] ?? {};
  const shared = cost && { shares: sharesOf(cost), ...(slotsPerAccount && { slotsPerAccount }) };
  const { log, start, end } = queueOf({ ...changes, ...(shared && { shared }) });
  for (const step of steps.split('; ')) {
    const [actions = '', expected = ''] = step.split(' = ');
    const before = log.length;
    for (const action of actions.split(' ')) {
      const [name = '', weight, workCost] = action.split(/[*/]/);
      if (name.startsWith('@')) await vi.advanceTimersByTimeAsync(Number(name.slice(1)));
      else if (name.startsWith('-')) await end(name.slice(1));
      else void start(name, weight ? Number(weight) : undefined, workCost ? Number(workCost) : undefined);
    }
    await turns();
    expect([step, log.slice(before).join(' ')]).toEqual([step, expected]);
  }
});

test('an account that is active in one queue limits the others in all, and has a share of its own in each', async () => {
  stopClock();
  const activity = accountActivity();
  const [one, other] = [sharesOf(1, activity), sharesOf(1, activity)].map((shares) => queueOf({ shared: { shares } }));
  await one?.queue.run('b', async () => {});
  await other?.queue.run('a', async () => {}, 1, 40);
  void other?.queue.run('a', async () => {});
  await turns();
  expect(other?.queue.waiting()).toBe(1);
  expect(await one?.queue.run('a', async () => 'done')).toBe('done');
});

test('a slot is free again after work that fails, and releasing it twice frees it once', async () => {
  const { queue, log, start } = queueOf(alone);
  await expect(queue.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  const release = await queue.enter('a');
  const second = queue.enter('a');
  release();
  release();
  void start('a3');
  await second;
  await turns();
  expect(log).toEqual([]);
});
