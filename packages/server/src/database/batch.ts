import DataLoader from 'dataloader';
import { CompiledQuery, type Kysely, type RawBuilder } from 'kysely';
import { isDatabaseError } from './errors.ts';
import type { Tables } from './tables.ts';

/** A row is always selected by both: keys are unique within an account only. */
export interface Pair {
  accountId: string;
  key: string;
}

export type PairQuery<Row> = (db: Kysely<Tables>, accountIds: string[], keys: string[]) => Promise<Row[]>;

/**
 * A query with two parameters, the account ids and the keys of pairs; empty arrays are their placeholders. It is compiled
 * once, because its text is the same for all connections and transactions.
 */
export function pairQuery<Row>(query: RawBuilder<Row>): PairQuery<Row> {
  let text: string | undefined;
  return async (db, accountIds, keys) => {
    text ??= query.compile(db).sql;
    return (await db.executeQuery<Row>(CompiledQuery.raw(text, [accountIds, keys]))).rows;
  };
}

/** Pairs of one query. */
const maxPairs = 500;
const mapKeyOf = ({ accountId, key }: Pair): string => `${accountId} ${key}`;

/** After a failed connection, a timeout or a lack of resources (classes 53, 55, 57), a second query would fail too. */
const isRepeatable = (error: unknown): boolean => isDatabaseError(error) && !/^(53|55|57)/.test(error.code ?? '');

/**
 * Makes a batched point read: all reads in one turn of the event loop share one query. When PostgreSQL refuses the query,
 * it is repeated for each account alone, so that an error of one account does not affect the others.
 */
export function batchedRead<Row extends { account_id: string }>(
  run: PairQuery<Row>,
  keyOf: (row: Row) => string,
): (db: Kysely<Tables>, accountId: string, key: string) => Promise<Row | undefined> {
  const loaders = new WeakMap<Kysely<Tables>, DataLoader<Pair, Row | undefined>>();
  return (db, accountId, key) => {
    let loader = loaders.get(db);
    if (!loader) {
      loader = pairLoader((...pairs) => run(db, ...pairs), keyOf);
      loaders.set(db, loader);
    }
    return loader.load({ accountId, key });
  };
}

function pairLoader<Row extends { account_id: string }>(
  run: (accountIds: string[], keys: string[]) => Promise<Row[]>,
  keyOf: (row: Row) => string,
): DataLoader<Pair, Row | undefined> {
  const load = async (pairs: Iterable<Pair>, found: Map<string, Row | Error>): Promise<void> => {
    const list = [...pairs];
    const rows = await run(
      list.map(({ accountId }) => accountId),
      list.map(({ key }) => key),
    );
    for (const row of rows) found.set(mapKeyOf({ accountId: row.account_id, key: keyOf(row) }), row);
  };

  return new DataLoader<Pair, Row | undefined>(
    async (pairs) => {
      const found = new Map<string, Row | Error>();
      const distinct = new Map(pairs.map((pair) => [mapKeyOf(pair), pair]));
      try {
        await load(distinct.values(), found);
      } catch (error) {
        if (!isRepeatable(error)) throw error;
        await Promise.all(
          [...Map.groupBy(distinct.values(), ({ accountId }) => accountId).values()].map(async (pairs) => {
            try {
              await load(pairs, found);
            } catch (error) {
              const failure = error instanceof Error ? error : new Error(String(error));
              for (const pair of pairs) found.set(mapKeyOf(pair), failure);
            }
          }),
        );
      }
      return pairs.map((pair) => found.get(mapKeyOf(pair)));
    },
    { cache: false, maxBatchSize: maxPairs, batchScheduleFn: (callback) => setImmediate(callback) },
  );
}
