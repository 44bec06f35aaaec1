import { problemFromError } from '@waybill/http/problems';
import { batchedRead } from '@waybill/server/database/batched-read';
import { inBatches } from '@waybill/server/database/batches';
import { type Database, openDatabase } from '@waybill/server/database/database';
import { isTemporary } from '@waybill/server/database/errors';
import { selectTracking } from '@waybill/server/tracking/status';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { clock } from '../../fixtures/clock.ts';
import { databaseUrl } from '../../fixtures/database-url.ts';
import { newShipment } from '../../fixtures/shipments.ts';
import { newAccount, type TestAccount, test } from '../../fixtures/test.ts';
import { databaseError } from './database-error.ts';

test('a batch reads pairs, never the cross product of accounts and tracking numbers', async ({ service, account }) => {
  const other = await newAccount(service);
  const [mine, theirs] = [await newShipment(account), await newShipment(other)];
  const pair = ({ id }: TestAccount, { tracking_number }: { tracking_number: string }) => {
    return { account_id: id, tracking_number };
  };
  const crossed = [pair(account, theirs), pair(other, mine)];
  expect(await selectTracking(service.db, { wanted: crossed })).toEqual([]);
  const straight = [pair(other, theirs), pair(account, mine)];
  const found = await selectTracking(service.db, { wanted: straight });
  expect(found).toHaveLength(2);
  for (const each of straight) expect(found).toContainEqual(expect.objectContaining(each));
});

/** A batched read from a table with a row for every pair but those of key x, and the pairs of each query. */
function recordedRead(refuse = (_pairs: string): void => {}) {
  const sent: string[] = [];
  type Row = { account_id: string; key: string };
  const select = async (_db: unknown, { wanted }: { wanted: Row[] }): Promise<Row[]> => {
    const pairs = wanted.map(({ account_id, key }) => account_id + key).join(' ');
    sent.push(pairs);
    refuse(pairs);
    return wanted.filter(({ key }) => key !== 'x');
  };
  const database = { nodeOf: async () => '' } as unknown as Database;
  return { sent, read: batchedRead(database, 'test', 'key', select) };
}

test('reads of one event-loop turn share a query with each pair once, and unknown pairs are undefined', async () => {
  const { sent, read } = recordedRead();
  const rows = await Promise.all([read('A', '1'), read('B', '1'), read('A', '1'), read('A', 'x')]);
  expect(rows.map((row) => row?.account_id)).toEqual(['A', 'B', 'A', undefined]);
  expect(sent).toEqual(['A1 B1 Ax']);
});

test('16 reads start a query, while further requests are still read', async () => {
  const { sent, read } = recordedRead();
  const keys = Array.from({ length: 20 }, (_, index) => `${index}`);
  const reads = keys.map((key) => read('A', key));
  for (let turn = 0; turn < 5; turn++) await Promise.resolve(); // no turn of the event loop has passed
  expect(sent).toHaveLength(1);
  await Promise.all(reads);
  const pairs = keys.map((key) => `A${key}`);
  expect(sent).toEqual([pairs.slice(0, 16).join(' '), pairs.slice(16).join(' ')]);
});

const refused = databaseError('XX000');
const lost = new Error('Connection terminated unexpectedly');

test.for([
  ["each account's part is sent again alone, and only one fails, when PostgreSQL refuses it", refused, 'A1 A2', 'B1'],
  ['it is not sent again when its connection fails', lost],
  ['it is not sent again when PostgreSQL cancels it', databaseError('57014')],
  ['it is not sent again when PostgreSQL has no resources', databaseError('53300')],
] as const)('of a batch, %s', async ([, error, ...again]) => {
  const { sent, read } = recordedRead((pairs) => {
    if (pairs.includes('B')) throw error;
  });
  const results = await Promise.allSettled([read('A', '1'), read('B', '1'), read('A', '2')]);
  const failed = { status: 'rejected', reason: error };
  const others = again.length > 0 ? { status: 'fulfilled' } : failed;
  expect(results).toMatchObject([others, failed, others]);
  expect(sent).toEqual(['A1 B1 A2', ...again]);
});

/** Batches of numbers, one at a time, which end when the test ends them. */
function heldBatches(options: Partial<Parameters<typeof inBatches<number, number>>[0]>) {
  const started: { items: number[]; end: PromiseWithResolvers<void> }[] = [];
  const add = inBatches({ name: 'test', maxRunning: 1, maxItems: 10, ...options }, async (items: number[]) => {
    const end = Promise.withResolvers<void>();
    started.push({ items, end });
    await end.promise;
    return items;
  });
  const items = () => started.map((batch) => batch.items);
  return { add, started, items, turn: () => new Promise(setImmediate) };
}

test('a batch has at most the maximum of items and weight, and a heavier item is a batch of its own', async () => {
  const { add, started, items, turn } = heldBatches({ maxItems: 2, size: { max: 10, of: (item) => item } });
  const results = [4, 8, 6, 11, 1, 1].map(add);
  // What does not fit waits; a smaller item behind it may fit.
  const expected = [[4, 6], [8, 1], [11], [1]];
  for (const index of expected.keys()) {
    await turn();
    expect(items()).toEqual(expected.slice(0, index + 1));
    started[index]?.end.resolve();
  }
  expect(await Promise.all(results)).toEqual([4, 8, 6, 11, 1, 1]);
});

test('items with the same exclusive key run one after the other, and delay no others', async () => {
  const { add, started, items, turn } = heldBatches({ maxRunning: 2, exclusiveKey: (item) => `${item % 10}` });
  for (const item of [1, 11, 2]) void add(item);
  await turn();
  void add(3);
  await turn();
  expect(items()).toEqual([[1, 2], [3]]);
  started[0]?.end.resolve();
  await turn();
  expect(items()).toEqual([[1, 2], [3], [11]]);
});

const problemOf = async (call: Promise<unknown>) => {
  const { status, code } = problemFromError(await call.catch((error: unknown) => error), isTemporary);
  return `${status} ${code}`;
};

test('items that have waited for more than a second fail with the batch before them, later ones do not', async () => {
  const time = clock();
  const { add, started, items, turn } = heldBatches({});
  const failed = add(1);
  await turn();
  const old = add(2);
  time.forward(2);
  const young = add(3);
  time.forward(999);
  const problems = Promise.all([failed, old].map(problemOf));
  started[0]?.end.reject(new Error('of the batch'));
  expect(await problems).toEqual(['500 internal_error', '503 unavailable']);
  expect(items()).toEqual([[1], [3]]);
  started[1]?.end.resolve();
  expect(await young).toBe(3);
});

test('an item returns 503 when 2,000 others wait for a batch, and these succeed', async () => {
  const release = Promise.withResolvers<void>();
  const add = inBatches({ name: 'full', maxRunning: 1, maxItems: 1 }, async (items: number[]) => {
    await release.promise;
    return items;
  });
  const running = add(-1);
  await new Promise(setImmediate); // the first batch has started
  const waiting = Array.from({ length: 2000 }, (_, index) => add(index));
  expect(await problemOf(add(2000))).toBe('503 unavailable');
  release.resolve();
  expect(await Promise.all([running, ...waiting])).toEqual([-1, ...waiting.keys()]);
  expect(await add(1)).toBe(1);
});

test('a statement returns 503 when 200 others wait for each connection, and these succeed', async () => {
  await using db = openDatabase({ url: databaseUrl(), poolSize: 1, prepared: false });
  const select = (value: number) => sql<{ value: number }>`select ${value}::integer as value`.execute(db);
  const waiting: ReturnType<typeof select>[] = [];
  await db.connection().execute(async () => {
    for (let value = 0; value < 200; value++) waiting.push(select(value));
    expect(await problemOf(select(-1))).toBe('503 unavailable');
  });
  const values = (await Promise.all(waiting)).map(({ rows }) => rows[0]?.value);
  expect(values).toEqual([...waiting.keys()]);
});
