import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.ts';

/**
 * Adds bytes to the total of an account, if it stays within `limit`. Concurrent reservations of the account wait until
 * the transaction ends.
 * @returns false when the account would have more than `limit` bytes
 */
export async function reserveBytes(
  db: Kysely<Tables>,
  accountId: string,
  bytes: number,
  limit: number,
): Promise<boolean> {
  if (bytes > limit) return false;
  const { rows } = await sql`
    insert into stored_bytes as stored (account_id, bytes) values (${accountId}, ${bytes})
    on conflict (account_id) do update set bytes = stored.bytes + excluded.bytes
      where stored.bytes + excluded.bytes <= ${limit}::bigint
    returning 1`.execute(db);
  return rows.length > 0;
}

/** Subtracts the bytes of a removed upload from the total of its account. */
export async function releaseBytes(db: Kysely<Tables>, accountId: string, bytes: number): Promise<void> {
  await db
    .updateTable('stored_bytes')
    .set((is) => ({ bytes: is('bytes', '-', is.val(String(bytes))) }))
    .where('account_id', '=', accountId)
    .execute();
}
