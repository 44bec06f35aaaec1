import { sequenceNumbers } from '@waybill/server/shipments/create';
import { expect } from 'vitest';
import { concurrently } from '../fixtures/concurrently.ts';
import { test } from '../fixtures/test.ts';

test('numbers of a block are returned once, also while the next block is fetched', async ({ service }) => {
  const next = sequenceNumbers(service.db);
  const numbers: string[] = [];
  await concurrently(8, async () => {
    for (let count = 0; count < 200; count++) numbers.push(await next());
  });
  expect(new Set(numbers).size).toBe(1600);
});
