import { type Kysely, type Selectable, sql } from 'kysely';
import { isCitus } from '../database/citus.ts';
import { type RowStatement, rowStatement } from '../database/row-statement.ts';
import type { Tables } from '../database/tables.ts';

type EventColumns = Pick<Selectable<Tables['events']>, 'created_at' | 'type' | 'data'>;

/** An event of a known account. */
export interface EventRow extends EventColumns {
  position: bigint;
}

/** Events that a read for several readers returns at most. */
export const maxRead = 200;

/** The events of an account after a position, at most `limit`. */
export async function selectEvents(
  db: Kysely<Tables>,
  accountId: string,
  after: bigint,
  limit: number,
): Promise<EventRow[]> {
  const rows = await db
    .selectFrom('events')
    .select(['position', 'created_at', 'type', 'data'])
    .where('account_id', '=', accountId)
    .where('position', '>', String(after))
    .orderBy('position')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, position: BigInt(row.position) }));
}

/** The position of the last event of an account; 0 without events. */
export async function selectLastPosition(db: Kysely<Tables>, accountId: string): Promise<bigint> {
  const row = await db
    .selectFrom('events')
    .select('position')
    .where('account_id', '=', accountId)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  return BigInt(row?.position ?? 0);
}

/** Whether clean-up has removed events of an account after a position. */
export async function hasRemovedEvents(db: Kysely<Tables>, accountId: string, after: bigint): Promise<boolean> {
  const row = await db
    .selectFrom('removed_events')
    .select('last_position')
    .where('account_id', '=', accountId)
    .where('last_position', '>', String(after))
    .executeTakeFirst();
  return row !== undefined;
}

/** The last position of an account that a reader knows. */
export interface Known {
  account_id: string;
  /** A bigint as text. */
  position: string;
}

const selectNewer: RowStatement<{ known: Known }, { account_id: string }> = rowStatement(
  { known: { account_id: 'uuid', position: 'bigint' } },
  ({ known }) => sql`
    select account_id from ${known} k
    -- With \`exists\` PostgreSQL may read the events of all accounts.
    where (select e.position from events e where e.account_id = k.account_id and e.position > k.position limit 1) is not null`,
);

/** Selects the accounts that have later events. On Citus it returns all: a statement is about one account there. */
export async function accountsWithNewEvents(db: Kysely<Tables>, known: Known[]): Promise<string[]> {
  const accounts = (await isCitus(db)) ? known : await selectNewer(db, { known });
  return accounts.map(({ account_id }) => account_id);
}
