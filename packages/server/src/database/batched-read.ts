import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import { inBatches } from './batches.ts';
import { isCitus } from './citus.ts';
import { maySucceedSeparately } from './errors.ts';
import { observerOf } from './observer.ts';
import { perDatabase } from './per-database.ts';
import type { Tables } from './tables.ts';

// PostgreSQL reads the first rows while Node parses further requests; otherwise each would wait for the other.
const limits = { maxRunning: 2, maxItems: 500, startAt: 16 };

/** Accounts with a queue of their own. A queue that is left out ends when it is empty. */
const maxQueues = 10_000;

/**
 * Makes a point read that concurrent requests share. When PostgreSQL refuses the query, it is repeated for each account
 * alone, so that an error of one account does not affect the others. On Citus each account has its own batches: a
 * statement concerns one node, and a node without response delays only its own accounts.
 * @param name of the batches in metrics and traces
 * @param query selects rows of several accounts
 * @param keyColumn the column that is unique within an account
 * @param queryOfAccount selects rows of one account
 */
export function batchedRead<
  Pair extends { account_id: string } & Record<Key, string>,
  Row extends Pair,
  Key extends string,
>(
  name: string,
  query: (db: Kysely<Tables>, rows: { pairs: Pair[] }) => Promise<Row[]>,
  keyColumn: Key,
  queryOfAccount: (db: Kysely<Tables>, accountId: string, keys: string[]) => Promise<Row[]>,
): (db: Kysely<Tables>, pair: Pair) => Promise<Row | undefined> {
  const nameOf = (pair: Pair): string => `${pair.account_id} ${pair[keyColumn]}`;
  const select = async (db: Kysely<Tables>, pairs: Pair[]): Promise<Map<string, Row>> => {
    const rows = await query(db, { pairs });
    return new Map(rows.map((row) => [nameOf(row), row]));
  };
  const selectByAccount = async (db: Kysely<Tables>, pairs: Pair[]): Promise<Map<string, Row | Error>> => {
    const accounts = [...Map.groupBy(pairs, (pair) => pair.account_id).values()];
    const found = accounts.map(async (own): Promise<[string, Row | Error][]> => {
      try {
        return [...(await select(db, own))];
      } catch (error) {
        const failure = error instanceof Error ? error : new Error(String(error));
        return own.map((pair) => [nameOf(pair), failure]);
      }
    });
    return new Map((await Promise.all(found)).flat());
  };

  const reads = perDatabase((db) =>
    inBatches(
      { ...limits, name },
      async (pairs: Pair[]) => {
        const distinct = [...new Map(pairs.map((pair) => [nameOf(pair), pair])).values()];
        const found: Map<string, Row | Error> = await select(db, distinct).catch((error: unknown) => {
          if (!maySucceedSeparately(error)) throw error;
          return selectByAccount(db, distinct);
        });
        return pairs.map((pair) => found.get(nameOf(pair)));
      },
      observerOf(db),
    ),
  );
  const readsOfAccount = perDatabase((db) => {
    const queues = new LRUCache<string, (key: string) => Promise<Row | undefined>>({ max: maxQueues });
    return (accountId: string) => {
      let read = queues.get(accountId);
      if (!read) {
        read = inBatches(
          { ...limits, name },
          async (keys: string[]) => {
            const rows = await queryOfAccount(db, accountId, [...new Set(keys)]);
            const rowOf = new Map(rows.map((row): [string, Row] => [row[keyColumn], row]));
            return keys.map((key) => rowOf.get(key));
          },
          observerOf(db),
        );
        queues.set(accountId, read);
      }
      return read;
    };
  });
  return async (db, pair) => {
    if (await isCitus(db)) return readsOfAccount(db)(pair.account_id)(pair[keyColumn]);
    const found = await reads(db)(pair);
    if (found instanceof Error) throw found;
    return found;
  };
}
