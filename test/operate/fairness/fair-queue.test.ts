import { accountActivity, type FairQueueOptions, fairQueue, fairShares } from '@waybill/server/concurrency/fair-queue';
import { type HeapItem, heapOf } from '@waybill/server/concurrency/heap';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { stopClock } from './stop-clock.ts';

const options = { slots: 4, slotsPerAccount: 3, maxWaiting: 100, maxWaitingPerAccount: 50, timeout: 2 ** 31 - 1 };

const sharesOf = (costPerMillisecond: number, activity = accountActivity()) =>
  fairShares({ costPerMillisecond, period: 4, activity });

/** A queue whose work ends when the test says so. `started` names it in the order of its start. */
function queueOf(changes: Partial<FairQueueOptions> = {}) {
  const queue = fairQueue({ ...options, ...changes });
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (name: string, weight?: number): Promise<void> => {
    const [account = ''] = name;
    const { promise, resolve } = Promise.withResolvers<void>();
    ends.set(name, resolve);
    const work = (): Promise<void> => {
      started.push(name);
      return promise;
    };
    return queue.run(account, work, weight);
  };
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await turns();
  };
  return { queue, started, start, end };
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

test('one account occupies at most its share of the slots', async () => {
  const { started, start } = queueOf();
  for (const name of ['a1', 'a2', 'a3', 'a4']) void start(name);
  await turns();
  expect(started).toEqual(['a1', 'a2', 'a3']);
});

test('an account that is never idle keeps its limit when work of it ends', async () => {
  const { started, start, end } = queueOf({ slotsPerAccount: 1 });
  for (const name of ['a1', 'a2']) void start(name);
  await end('a1');
  void start('a3');
  await turns();
  expect(started).toEqual(['a1', 'a2']);
});

test('work of another account starts at once, although much work of the first one waits', async () => {
  const { started, start, end } = queueOf();
  for (let count = 1; count <= 20; count++) void start(`a${count}`);
  void start('b1');
  await turns();
  expect(started).toEqual(['a1', 'a2', 'a3', 'b1']);
  void start('b2');
  await end('a1'); // b occupies fewer slots than a
  expect(started.at(-1)).toBe('b2');
});

test('a free slot goes to the account that occupies the fewest, and accounts that tie take turns', async () => {
  const { started, start, end } = queueOf({ slots: 2, slotsPerAccount: 2 });
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1', 'c2']) void start(name);
  await turns();
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3']) await end(name);
  expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'c2']);
  for (const name of ['c3', 'b3']) void start(name);
  await end('c2'); // c occupies fewer slots than b, which started work before it
  expect(started.at(-1)).toBe('c3');
});

test('of accounts that tie, also of those that never started work, each starts in its turn', async () => {
  const { started, start, end } = queueOf({ slots: 1, slotsPerAccount: 1 });
  const names = Array.from({ length: 40 }, (_, index) => String.fromCharCode(0x100 + index));
  for (const name of names) void start(name);
  for (const name of names) await end(name);
  expect(started).toEqual(names);
});

test('one more account that waits costs as much beside 1,000 others as beside 10', async () => {
  const shares = sharesOf(1e9);
  const hasPaid = vi.spyOn(shares, 'hasPaid');
  const { start, end } = queueOf({ slots: 1, slotsPerAccount: 1, maxWaiting: 2000, shared: { shares } });
  const costs = (): number => hasPaid.mock.calls.splice(0).length;
  const measured: number[] = [];
  for (const count of [10, 1000]) {
    for (let index = 0; index < count; index++) void start(String.fromCharCode(0x1000 + count + index));
    costs();
    void start(String.fromCharCode(0x100 + count));
    measured.push(costs());
    await end(count === 10 ? String.fromCharCode(0x100a) : String.fromCharCode(0x100b));
    measured.push(costs());
  }
  expect(Math.max(...measured)).toBeLessThanOrEqual(4);
});

test('heavy work occupies several slots, and is not overtaken for ever by light work', async () => {
  const { started, start, end } = queueOf();
  void start('a1');
  void start('a2');
  void start('b1', 3);
  void start('a3');
  await turns();
  expect(started).toEqual(['a1', 'a2']); // b1 needs three of the four slots
  await end('a1');
  expect(started).toEqual(['a1', 'a2', 'b1']);
  await end('b1');
  expect(started).toEqual(['a1', 'a2', 'b1', 'a3']);
});

test('heavy work that waits for slots of its own account delays no other account', async () => {
  const { started, start } = queueOf({ slots: 9 });
  for (const name of ['a1', 'b1', 'a2']) void start(name, 2); // an account has three slots
  void start('b2');
  await turns();
  expect(started).toEqual(['a1', 'b1', 'b2']);
});

test('work that exceeds the weight of a turn of the event loop starts in the next one', async () => {
  const { started, start } = queueOf({ slots: 100, slotsPerAccount: 100, weightPerTurn: 4 });
  void start('a1', 3);
  void start('b1'); // together 4
  void start('c1');
  void start('d1', 9); // starts although it exceeds a turn alone
  await new Promise(process.nextTick); // within the turn
  expect(started).toEqual(['a1', 'b1']);
  await turns();
  expect(started).toEqual(['a1', 'b1', 'c1']);
  await turns();
  expect(started).toEqual(['a1', 'b1', 'c1', 'd1']);
});

test('while others are active, an account has fewer slots, and heavier work starts when it is idle', async () => {
  const { started, start, end } = queueOf({
    slots: 100,
    slotsPerAccount: 9,
    shared: { slotsPerAccount: 3, shares: sharesOf(100) },
  });
  for (const name of ['a1', 'a2', 'a3', 'a4']) void start(name);
  await turns();
  expect(started).toEqual(['a1', 'a2', 'a3', 'a4']); // a is alone
  for (const name of ['b1', 'a5', 'b2', 'b3', 'b4']) void start(name);
  await turns();
  expect(started.slice(4)).toEqual(['b1', 'b2', 'b3']); // a5 and b4 wait for a slot
  for (const name of ['a1', 'a2']) await end(name);
  expect(started.slice(7)).toEqual(['a5']);
  void start('c1', 4);
  await turns();
  expect(started.slice(8)).toEqual(['c1']);
});

test('while others are active, an account starts no more than its share of the time, however quickly its work ends', async () => {
  stopClock();
  vi.advanceTimersByTime(1); // within a period
  const { queue, started } = queueOf({
    slots: 100,
    slotsPerAccount: 10,
    shared: { slotsPerAccount: 10, shares: sharesOf(1) },
  });
  const runAtOnce = (name: string, weight: number) =>
    queue.run(name.charAt(0), async () => void started.push(name), weight);
  await runAtOnce('b1', 1);
  void runAtOnce('a1', 10);
  await turns();
  expect(queue.waiting()).toBe(0); // a1 has ended: a is idle, and has used ten milliseconds
  void runAtOnce('a2', 10);
  void runAtOnce('a3', 1);
  void runAtOnce('b2', 1);
  await turns();
  expect(started).toEqual(['b1', 'a1', 'b2']);
  await vi.advanceTimersByTimeAsync(6);
  expect(started.slice(3)).toEqual([]);
  await vi.advanceTimersByTimeAsync(1); // the period in which its share has paid for a1
  expect(started.slice(3)).toEqual(['a2']);
  await vi.advanceTimersByTimeAsync(20);
  expect(started.slice(4)).toEqual(['a3']);
});

test('an account is charged the cost of its work, which may exceed its slots', async () => {
  stopClock();
  const { queue } = queueOf({ slotsPerAccount: 2, shared: { slotsPerAccount: 2, shares: sharesOf(1) } });
  await queue.run('b', async () => {});
  await queue.run('a', async () => {}, 1, 40);
  let hasStarted = false;
  void queue.run('a', async () => {
    hasStarted = true;
  });
  await vi.advanceTimersByTimeAsync(30);
  expect(hasStarted).toBe(false);
  await vi.advanceTimersByTimeAsync(10);
  expect(hasStarted).toBe(true);
});

test('an account that is active in one queue limits the others in all', async () => {
  stopClock();
  const activity = accountActivity();
  const one = queueOf({ shared: { shares: sharesOf(1, activity) } });
  const other = queueOf({ shared: { shares: sharesOf(1, activity) } });
  await one.queue.run('b', async () => {});
  await other.queue.run('a', async () => {}, 1, 40);
  void other.queue.run('a', async () => {});
  await turns();
  expect(other.queue.waiting()).toBe(1);
});

test('what an account has used of its share of one kind of work leaves it that of another', async () => {
  stopClock();
  const activity = accountActivity();
  const one = queueOf({ shared: { shares: sharesOf(1, activity) } });
  const other = queueOf({ shared: { shares: sharesOf(1, activity) } });
  activity.note('b');
  await one.queue.run('a', async () => {}, 1, 40);
  expect(await other.queue.run('a', async () => 'done')).toBe('done');
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
    expect(shares.hasPaid('a'), String(busyTime)).toBe(false);
    await vi.advanceTimersByTimeAsync(8);
    expect(shares.hasPaid('a'), String(busyTime)).toBe(true);
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

test('an account that is alone starts work without a pause', async () => {
  const { queue } = queueOf({ shared: { slotsPerAccount: 3, shares: sharesOf(1e-9) } });
  for (let count = 0; count < 5; count++) expect(await queue.run('a', async () => 'done', 3)).toBe('done');
});

test('an account that is alone again has all slots of an account', async () => {
  stopClock();
  const { queue, started, start } = queueOf({
    slots: 100,
    slotsPerAccount: 9,
    weightPerTurn: 9,
    shared: { slotsPerAccount: 1, shares: sharesOf(100) },
  });
  await queue.run('b', async () => {});
  await queue.run('a', async () => {});
  await vi.advanceTimersByTimeAsync(1000);
  for (const name of ['a1', 'a2', 'a3']) void start(name);
  await turns();
  expect(started).toEqual(['a1', 'a2', 'a3']);
});

test('work that is heavier than the share of an account runs with the whole share', async () => {
  const { started, start } = queueOf();
  void start('a1', 1000);
  void start('b1');
  await turns();
  expect(started).toEqual(['a1', 'b1']);
});

test('a slot is free again after work that fails', async () => {
  const { queue } = queueOf({ slots: 1, slotsPerAccount: 1 });
  await expect(queue.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await queue.run('a', async () => 'done')).toBe('done');
});

test('releasing a slot twice frees it once', async () => {
  const { queue } = queueOf({ slots: 1, slotsPerAccount: 1 });
  const release = await queue.enter('a');
  const second = queue.enter('a');
  release();
  release();
  let hasThird = false;
  void Promise.resolve(queue.enter('a')).then(() => {
    hasThird = true;
  });
  (await second) satisfies () => void;
  await turns();
  expect(hasThird).toBe(false);
});

test('work is rejected when too much of its account or of all accounts waits', async () => {
  const { queue, start } = queueOf({ slots: 1, slotsPerAccount: 1, maxWaiting: 3, maxWaitingPerAccount: 2 });
  for (const name of ['a1', 'a2', 'a3']) void start(name);
  await turns();
  const refused = async (account: string) => queue.enter(account);
  await expect(refused('a')).rejects.toMatchObject({ refusal: 'account_full' });
  void start('b1');
  await turns();
  await expect(refused('c')).rejects.toMatchObject({ refusal: 'full' });
  expect(queue.waiting()).toBe(3);
});

test('work that has waited too long is not started, and leaves its place to the next', async () => {
  const { queue, started, start, end } = queueOf({ slots: 1, slotsPerAccount: 1, timeout: 1 });
  void start('a1');
  await expect(start('a2')).rejects.toMatchObject({ refusal: 'timeout' });
  expect(queue.waiting()).toBe(0);
  await end('a1');
  void start('b1');
  await turns();
  expect(started).toEqual(['a1', 'b1']);
});

test('work that has waited since the same time is refused in turns, and what starts in between is not', async () => {
  stopClock();
  const { started, start, end } = queueOf({ slots: 1, slotsPerAccount: 1, timeout: 10 });
  void start('a1');
  const refused: string[] = [];
  for (const name of ['a2', 'a3', 'a4']) void start(name).catch(() => refused.push(name));
  vi.advanceTimersByTime(10);
  while (refused.length === 0) await turns();
  expect(refused).toEqual(['a2']);
  void end('a1');
  while (refused.length < 2) await turns();
  expect(started).toEqual(['a1', 'a3']);
  expect(refused).toEqual(['a2', 'a4']);
});

test('the time limit of work that has started removes no work that waits', async () => {
  stopClock();
  const { started, start, end } = queueOf({ slots: 1, slotsPerAccount: 1, timeout: 10 });
  for (const name of ['a1', 'a2']) void start(name);
  await vi.advanceTimersByTimeAsync(9);
  void start('a3');
  await end('a1');
  await vi.advanceTimersByTimeAsync(9); // past the limit of a2, before that of a3
  await end('a2');
  expect(started).toEqual(['a1', 'a2', 'a3']);
});
