import { problemFromError } from '@waybill/http/problems';
import { inBatches } from '@waybill/server/database/batches';
import { openDatabase } from '@waybill/server/database/database';
import { isTemporary } from '@waybill/server/database/errors';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { databaseUrl } from '../fixtures/database-url.ts';
import { test } from '../fixtures/test.ts';

/** Limits of the service, by hand. */
const maxItemsWaiting = 2000;
const maxWaitingPerConnection = 200;

const problemOf = async (call: Promise<unknown>) => {
  const { status, code } = problemFromError(
    await call.then(
      () => 'no error',
      (error) => error,
    ),
    isTemporary,
  );
  return `${status} ${code}`;
};

test('an item returns 503 when 2,000 others wait for a batch, and these succeed', async () => {
  const release = Promise.withResolvers<void>();
  const run = async (items: number[]) => {
    await release.promise;
    return items;
  };
  const add = inBatches({ name: 'full', maxRunning: 1, maxItems: 1 }, run);
  const running = add(-1);
  await new Promise(setImmediate); // the first batch has started
  const waiting = Array.from({ length: maxItemsWaiting }, (_, index) => add(index));
  expect(await problemOf(add(maxItemsWaiting))).toBe('503 unavailable');
  release.resolve();
  expect(await Promise.all([running, ...waiting])).toEqual([-1, ...waiting.keys()]);
  expect(await add(1)).toBe(1);
});

test('a statement returns 503 when 200 others wait for each connection, and these succeed', async () => {
  await using db = openDatabase({ url: databaseUrl(), poolSize: 1, prepared: false });
  const select = (value: number) => sql<{ value: number }>`select ${value}::integer as value`.execute(db);
  const waiting: ReturnType<typeof select>[] = [];
  await db.connection().execute(async () => {
    for (let value = 0; value < maxWaitingPerConnection; value++) waiting.push(select(value));
    expect(await problemOf(select(-1))).toBe('503 unavailable');
  });
  const values = (await Promise.all(waiting)).map(({ rows }) => rows[0]?.value);
  expect(values).toEqual([...waiting.keys()]);
});
