import { memoryCounter } from '@waybill/server/rate-limit/limit';
import { expect, test, vi } from 'vitest';

test('memoryCounter counts 100,000 names and removes the least recently used one', () => {
  const add = memoryCounter();
  for (let n = 0; n < 100_000; n++) add(`name ${n}`, 1);
  expect(add('name 0', 1).used).toBe(2);
  expect(add('one name more', 1).used).toBe(1);
  expect(add('name 0', 1).used).toBe(3);
  expect(add('name 1', 1).used).toBe(1);
});

test('memoryCounter refunds no more than was counted', () => {
  const add = memoryCounter();
  expect(add('name', -1).used).toBe(0);
  expect(add('name', 1).used).toBe(1);
});

test('memoryCounter starts a window of exactly 60 s at any fraction of a millisecond', () => {
  const clock = vi.spyOn(performance, 'now');
  const add = memoryCounter();
  for (let n = 1; n <= 1000; n++) {
    clock.mockReturnValue(n * 1234.567);
    expect(add(`name ${n}`, 1).milliseconds).toBe(60_000);
  }
  clock.mockRestore();
});
