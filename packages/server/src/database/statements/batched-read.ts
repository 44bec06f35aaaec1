import type { Kysely } from 'kysely';
import type { Database } from '../database.ts';
import { isRejectedByPostgres } from '../errors.ts';
import type { Tables } from '../tables.ts';
import { batchesOfNodes, inBatches } from './batches.ts';

// PostgreSQL reads the first rows while Node parses further requests; otherwise each would wait for the other.
const limits = { maxRunning: 2, maxItems: 500, startAt: 16 };

/** What a request looks for: a row of its account. */
type Wanted<Key extends string> = { account_id: string } & Record<Key, string>;

/**
 * Makes a point read that concurrent requests share. When PostgreSQL refuses the query, it is repeated for each account
 * alone, so that an error of one account does not affect the others.
 * @param name of the batches in metrics and traces
 * @param keyColumn the column that is unique within an account
 * @param select selects rows of the named accounts with the named keys. It may select more, such as another account's row
 * with the key of one of them.
 */
export function batchedRead<Key extends string, Row extends Wanted<Key>>(
  database: Database,
  name: string,
  keyColumn: Key,
  select: (db: Kysely<Tables>, rows: { wanted: Wanted<Key>[] }) => Promise<Row[]>,
): (accountId: string, key: string) => Promise<Row | undefined> {
  const nameOf = (row: Wanted<Key>): string => `${row.account_id} ${row[keyColumn]}`;
  const selectMap = async (wanted: Wanted<Key>[]): Promise<Map<string, Row | Error>> => {
    const distinct = [...new Map(wanted.map((each) => [nameOf(each), each])).values()];
    return new Map((await select(database, { wanted: distinct })).map((row) => [nameOf(row), row]));
  };
  const selectByAccount = async (wanted: Wanted<Key>[]): Promise<Map<string, Row | Error>> => {
    const accounts = [...Map.groupBy(wanted, ({ account_id }) => account_id).values()];
    const found = accounts.map((own) =>
      selectMap(own).catch((error) => new Map<string, Row | Error>(own.map((each) => [nameOf(each), error]))),
    );
    return new Map((await Promise.all(found)).flatMap((rows) => [...rows]));
  };
  const batches = batchesOfNodes(database, () =>
    inBatches(
      { ...limits, name },
      async (wanted: Wanted<Key>[]) => {
        const rows = await selectMap(wanted).catch((error: unknown) => {
          if (!isRejectedByPostgres(error)) throw error;
          return selectByAccount(wanted);
        });
        return wanted.map((each) => rows.get(nameOf(each)));
      },
      database.observer,
    ),
  );
  return async (accountId, key) => {
    const read = await batches(accountId);
    const found = await read({ account_id: accountId, [keyColumn]: key } as Wanted<Key>);
    if (found instanceof Error) throw found;
    return found;
  };
}
