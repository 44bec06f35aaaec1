import { setImmediate } from 'node:timers/promises';
import { separateTurns } from '@waybill/server/concurrency/turns';
import { expect, test } from 'vitest';

test('work that waits for a turn of its own runs in order, each in another turn of the event loop', async () => {
  const turn = separateTurns();
  let turns = 0;
  const ran: { name: string; turn: number }[] = [];
  const work = ['a', 'b', 'c'].map(async (name) => {
    await turn();
    ran.push({ name, turn: turns });
  });
  while (ran.length < 3) {
    await setImmediate();
    turns++;
  }
  await Promise.all(work);
  expect(ran.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  expect(new Set(ran.map((each) => each.turn)).size).toBe(3);
});
