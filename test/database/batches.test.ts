import { batchedRead } from '@waybill/server/database/batch';
import type { Database } from '@waybill/server/database/connect';
import { selectTracking } from '@waybill/server/tracking/queries';
import pg from 'pg';
import { expect } from 'vitest';
import { newShipment } from '../fixtures/shipments.ts';
import { newAccount, test } from '../fixtures/test.ts';

test('a batch reads pairs, never the cross product of accounts and tracking numbers', async ({ service, account }) => {
  const other = await newAccount(service);
  const [mine, theirs] = [await newShipment(account), await newShipment(other)];
  const numbers = [theirs.tracking_number, mine.tracking_number];
  const crossed = await selectTracking(service.db, [account.id, other.id], numbers);
  expect(crossed).toEqual([]);
  const straight = await selectTracking(service.db, [other.id, account.id], numbers);
  expect(straight.map((row) => [row.account_id, row.tracking_number]).sort()).toEqual(
    [
      [account.id, mine.tracking_number],
      [other.id, theirs.tracking_number],
    ].sort(),
  );
});

/** The queries of these tests do not use it. */
const db = {} as Database;

interface Row {
  account_id: string;
  key: string;
}

test('reads of one event-loop turn share a query with each pair once, and unknown pairs are undefined', async () => {
  const sent: string[][][] = [];
  const read = batchedRead<Row>(
    async (_db, accounts, keys) => {
      sent.push([accounts, keys]);
      return accounts.flatMap((account_id, at) => (keys[at] === 'x' ? [] : [{ account_id, key: keys[at] ?? '' }]));
    },
    ({ key }) => key,
  );
  const rows = await Promise.all([read(db, 'A', '1'), read(db, 'B', '1'), read(db, 'A', '1'), read(db, 'A', 'x')]);
  expect(rows.map((row) => row?.account_id)).toEqual(['A', 'B', 'A', undefined]);
  expect(sent).toEqual([
    [
      ['A', 'B', 'A'],
      ['1', '1', 'x'],
    ],
  ]);
});

/** What PostgreSQL responds when a statement fails. */
function databaseError(code: string): Error {
  const error = new pg.DatabaseError('refused', 0, 'error');
  error.code = code;
  return error;
}

test("when PostgreSQL refuses a batch, each account's part is sent again alone, and only one fails", async () => {
  const sent: string[][] = [];
  const read = batchedRead<Row>(
    async (_db, accounts, keys) => {
      sent.push(accounts);
      if (accounts.includes('B')) throw databaseError('XX000');
      return accounts.map((account_id, at) => ({ account_id, key: keys[at] ?? '' }));
    },
    ({ key }) => key,
  );
  const results = await Promise.allSettled([read(db, 'A', '1'), read(db, 'B', '1'), read(db, 'A', '2')]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(sent).toEqual([['A', 'B', 'A'], ['A', 'A'], ['B']]);
});

test.for([
  ['its connection fails', new Error('Connection terminated unexpectedly')],
  ['PostgreSQL cancels it', databaseError('57014')],
  ['PostgreSQL has no resources', databaseError('53300')],
] as const)('a batch is not sent again when %s', async ([, error]) => {
  let sent = 0;
  const read = batchedRead<Row>(
    async () => {
      sent++;
      throw error;
    },
    ({ key }) => key,
  );
  const results = await Promise.allSettled([read(db, 'A', '1'), read(db, 'B', '1')]);
  expect(results.map((result) => result.status === 'rejected' && result.reason)).toEqual([error, error]);
  expect(sent).toBe(1);
});
