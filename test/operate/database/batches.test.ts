import { problemFromError } from '@waybill/http/problems';
import type { Database } from '@waybill/server/database/database';
import { isTemporary } from '@waybill/server/database/errors';
import { batchedRead } from '@waybill/server/database/statements/batched-read';
import { inBatches } from '@waybill/server/database/statements/batches';
import { selectTracking } from '@waybill/server/tracking/status';
import pg from 'pg';
import { expect } from 'vitest';
import { newShipment } from '../../fixtures/shipments.ts';
import { newAccount, type TestAccount, test } from '../../fixtures/test.ts';

/** What PostgreSQL responds when a statement fails. */
const databaseError = (code: string, message = 'refused', routine = '') =>
  Object.assign(new pg.DatabaseError(message, 0, 'error'), { code, routine });

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

const refused = databaseError('XX000');
const lost = new Error('Connection terminated unexpectedly');

test.for([
  ["each account's part is sent again alone, and only one fails, when PostgreSQL refuses it", refused, 'A1 A2', 'B1'],
  ['it is not sent again when its connection fails', lost],
  ['it is not sent again when PostgreSQL cancels it', databaseError('57014')],
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

test('an item returns 503 when 2,000 others wait for a batch, and these succeed', async () => {
  const { add, started, turn } = heldBatches({ maxItems: 2000 });
  const running = add(-1);
  await turn(); // the first batch has started
  const waiting = Array.from({ length: 2000 }, (_, index) => add(index));
  const error = await add(2000).catch((error: unknown) => error);
  expect(problemFromError(error, isTemporary)).toMatchObject({ status: 503, code: 'unavailable' });
  for (const index of [0, 1]) {
    started[index]?.end.resolve();
    await turn();
  }
  expect(await Promise.all([running, ...waiting])).toEqual([-1, ...waiting.keys()]);
});

test.for([
  ['08006', 'connection to the remote node failed', 503],
  ['25006', 'cannot execute INSERT in a read-only transaction', 503],
  ['0A000', 'cached plan must not change result type', 503],
  ['0A000', 'gecachter Plan darf den Ergebnistyp nicht ändern', 503, 'RevalidateCachedQuery'],
  ['57014', 'canceling statement due to statement timeout', 503],
  ['XX000', 'failure on connection marked as essential: 10.0.0.2:5432', 503],
  ['0A000', 'could not create distributed plan', 500],
  ['XX000', 'cache lookup failed for relation 1', 500],
] as const)('PostgreSQL error %s "%s" returns %i', ([code, message, status, routine]) => {
  const problem = problemFromError(databaseError(code, message, routine), isTemporary);
  expect(problem).toMatchObject({ status, headers: status === 503 ? { 'Retry-After': '2' } : {} });
  expect(problem.message).not.toContain(message);
});
