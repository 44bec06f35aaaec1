import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.ts';
import type { TableRules } from '../feature.ts';
import { tables } from '../features.ts';
import type { Storage } from '../storage/storage.ts';

/** Maximum rows that a statement deletes, so that a large account does not delay others. */
const batchSize = 5_000;

/** Counting ends here. */
const maxCount = 10_000;

/** How many of each kind the deletion of an account would remove, such as `more than 10,000 events`. */
export async function contentOf(db: Kysely<Tables>, accountId: string): Promise<string[]> {
  const content: string[] = [];
  for (const [table, { counted }] of Object.entries<TableRules>(tables)) {
    if (counted === undefined) continue;
    const { rows } = await sql<{ count: number }>`
      select count(*) as count
      from (select from ${sql.table(table)} where account_id = ${accountId} limit ${maxCount + 1}) as counted`.execute(
      db,
    );
    content.push(`${formatCount(rows[0]?.count ?? 0)} ${counted}`);
  }
  return content;
}

const formatCount = (count: number): string =>
  count > maxCount ? `more than ${maxCount.toLocaleString('en')}` : count.toLocaleString('en');

/**
 * Deletes an account with its files, keys and all data but the audit log. When it fails, it can be repeated.
 * @returns the number of rows that were deleted from each table
 */
export async function deleteAccount(
  db: Kysely<Tables>,
  storage: Storage,
  accountId: string,
): Promise<Record<string, number>> {
  const deleted: Record<string, number> = {};
  // First those with foreign keys. The account is the last one.
  for (const [table, { ofAccount = 'stays' }] of Object.entries<TableRules>(tables).reverse()) {
    if (ofAccount === 'stays') continue;
    deleted[table] =
      typeof ofAccount === 'function'
        ? await ofAccount(db, storage, accountId)
        : await deleteRows(db, accountId, table, ofAccount === 'at_once' ? [] : ofAccount);
  }
  return deleted;
}

/** Deletes the rows of an account in batches in the order of the columns of its primary key; at once without columns. */
async function deleteRows(db: Kysely<Tables>, accountId: string, table: string, columns: string[]): Promise<number> {
  const rows = sql`${sql.table(table)} where account_id = ${accountId}`;
  const key = sql.join(columns.map((name) => sql.ref(name)));
  const remove = async (query: ReturnType<typeof sql>): Promise<number> =>
    Number((await query.execute(db)).numAffectedRows ?? 0);
  let total = 0;
  for (let count = columns.length; count > 0; total += count) {
    // Nothing is compared, and so deleted, when fewer rows are left.
    const last = sql`select ${key} from ${rows} order by ${key} offset ${batchSize - 1} limit 1`;
    count = await remove(sql`delete from ${rows} and (${key}) <= (${last})`);
  }
  return total + (await remove(sql`delete from ${rows}`));
}
