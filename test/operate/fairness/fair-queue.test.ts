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

/**
 * Steps are separated by semicolons. `a1` is work of the account a, `a1*3/40` has weight 3 and cost 40, `-a1` ends it, and
 * `@6` puts the clock forward by 6 ms. After ` = ` is what the step starts or refuses.
 */
test.for<
  [title: string, changes: Partial<FairQueueOptions>, shared: [cost: number, slots?: number] | [], steps: string]
>([
  ['one account occupies at most its share of the slots', {}, [], 'a1 a2 a3 a4 = a1 a2 a3'],
  ['an account that is never idle keeps its limit', { slotsPerAccount: 1 }, [], 'a1 a2 = a1; -a1 a3 = a2'],
  ['work of others overtakes what waits', {}, [], 'a1 a2 a3 a4 a5 a6 b1 = a1 a2 a3 b1; b2 -a1 = b2'],
  ['ties take turns', { slots: 2, slotsPerAccount: 2 }, [], 'a1 a2 a3 b1 b2 c1 = a1 a2; -a1 -a2 -b1 -c1 = b1 c1 a3 b2'],
  ['a free slot goes to whom has the fewest', { slots: 3 }, [], 'a1 a2 b1 = a1 a2 b1; a3 b2 c1 -a1 = c1; -c1 = a3'],
  ['heavy work is not overtaken for ever', {}, [], 'a1 a2 b1*3 a3 = a1 a2; -a1 = b1; -b1 = a3'],
  ['heavy work waits for its own account only', { slots: 9 }, [], 'a1*2 b1*2 a2*2 b2 = a1 b1 b2'],
  ['work heavier than the share has the whole share', {}, [], 'a1*1000 b1 a2 = a1 b1; -a1 = a2'],
  [
    'too much work of an account or of all is refused',
    { ...alone, maxWaiting: 3, maxWaitingPerAccount: 2 },
    [],
    'a1 a2 a3 a4 = a1 a4 is account_full; b1 c1 = c1 is full',
  ],
  [
    'work waits until its time is over',
    { ...alone, timeout: 10 },
    [],
    'a1 a2 = a1; @9 = ; @1 = a2 is timeout; -a1 b1 = b1',
  ],
  ['a time limit ends at the start', { ...alone, timeout: 10 }, [], 'a1 a2 = a1; @9 a3 -a1 = a2; @9 -a2 = a3'],
  [
    'beside others, an account has fewer slots',
    { slots: 99, slotsPerAccount: 9 },
    [100, 3],
    'a1 a2 a3 a4 = a1 a2 a3 a4; b1 a5 b2 b3 b4 = b1 b2 b3; -a1 -a2 = a5; c1*4 = c1',
  ],
  [
    'beside others, an account has its share of the time',
    { slots: 99, slotsPerAccount: 10 },
    [1, 10],
    '@1 b1 -b1 a1*10 -a1 a2*10 a3 b2 = b1 a1 b2; @6 = ; @1 = a2; -a2 @20 = a3',
  ],
  ['cost may exceed the slots', { slotsPerAccount: 2 }, [1, 2], 'b1 -b1 a1*1/40 -a1 a2 = b1 a1; @30 = ; @10 = a2'],
  ['an account alone starts without a pause', {}, [1e-9, 3], 'a1*3 -a1 a2*3 -a2 a3*3 -a3 = a1 a2 a3'],
  [
    'an account that is alone again has all slots',
    { weightPerTurn: 9 },
    [100, 1],
    'b1 -b1 a1 -a1 = b1 a1; @1000 a2 a3 = a2 a3',
  ],
])('%s', async ([, changes, [cost, slotsPerAccount], steps]) => {
  stopClock();
  const shared = cost && { shared: { shares: sharesOf(cost), ...(slotsPerAccount && { slotsPerAccount }) } };
  const { log, start, end } = queueOf({ ...changes, ...(shared || {}) });
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

test('of accounts that tie, also of those that never started work, each starts in its turn', async () => {
  const { log, start, end } = queueOf(alone);
  const names = Array.from({ length: 40 }, (_, index) => String.fromCharCode(0x100 + index));
  for (const name of names) void start(name);
  for (const name of names) await end(name);
  expect(log).toEqual(names);
});

test('one more account that waits costs as much beside 1,000 others as beside 10', async () => {
  const shares = sharesOf(1e9);
  const hasPaid = vi.spyOn(shares, 'hasPaid');
  const { start, end } = queueOf({ ...alone, maxWaiting: 2000, shared: { shares } });
  const measured: number[] = [];
  for (const count of [10, 1000]) {
    for (let index = 0; index < count; index++) void start(String.fromCharCode(0x1000 + count + index));
    hasPaid.mockClear();
    void start(String.fromCharCode(0x100 + count));
    measured.push(hasPaid.mock.calls.splice(0).length);
    await end(String.fromCharCode(count === 10 ? 0x100a : 0x100b));
    measured.push(hasPaid.mock.calls.splice(0).length);
  }
  expect(Math.max(...measured)).toBeLessThanOrEqual(4);
});

test('work that exceeds the weight of a turn of the event loop starts in the next one', async () => {
  const { log, start } = queueOf({ slots: 100, slotsPerAccount: 100, weightPerTurn: 4 });
  void start('a1', 3);
  void start('b1'); // together 4
  void start('c1');
  void start('d1', 9); // starts although it exceeds a turn alone
  await new Promise(process.nextTick); // within the turn
  for (const expected of ['a1 b1', 'a1 b1 c1', 'a1 b1 c1 d1']) {
    expect(log.join(' ')).toBe(expected);
    await turns();
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

test('work that nobody measures counts in proportion to what was measured, up to three times as much', async () => {
  stopClock();
  let busy = 0;
  const activity = accountActivity();
  const shares = fairShares({ costPerMillisecond: 1, period: 4, activity, busyTime: () => busy });
  activity.note('b');
  for (const [busyTime, milliseconds] of [
    [10, 40], // less than was measured: an error of clocks
    [80, 56], // 85 ms for 60: earlier times count half
    [100_000, 160],
  ] as const) {
    busy += busyTime;
    await vi.advanceTimersByTimeAsync(1000);
    activity.note('b');
    shares.charge('a', 40);
    await vi.advanceTimersByTimeAsync(milliseconds - 8);
    expect([busyTime, shares.hasPaid('a')]).toEqual([busyTime, false]);
    await vi.advanceTimersByTimeAsync(8);
    expect([busyTime, shares.hasPaid('a')]).toEqual([busyTime, true]);
  }
});

test('an account pays for all its work, however long that takes', async () => {
  stopClock();
  const shares = sharesOf(1);
  shares.charge('b', 1);
  for (const cost of [1000, 2000]) shares.charge('a', cost);
  await vi.advanceTimersByTimeAsync(2000);
  shares.charge('c', 5);
  expect(['a', 'b', 'c'].map(shares.hasPaid)).toEqual([false, true, false]);
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

test('work that has waited since the same time is refused in turns, and what starts in between is not', async () => {
  stopClock();
  const { log, start, end } = queueOf({ ...alone, timeout: 10 });
  for (const name of ['a1', 'a2', 'a3', 'a4']) void start(name);
  vi.advanceTimersByTime(10);
  while (log.length < 2) await turns();
  expect(log).toEqual(['a1', 'a2 is timeout']);
  void end('a1');
  while (log.length < 4) await turns();
  expect(log.slice(2)).toEqual(['a3', 'a4 is timeout']);
});
