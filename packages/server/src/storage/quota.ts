import type { Kysely } from 'kysely';
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
  const reserved = await db
    .insertInto('stored_bytes')
    .values({ account_id: accountId, bytes: String(bytes) })
    .onConflict((conflict) =>
      conflict
        .column('account_id')
        .doUpdateSet((is) => ({ bytes: is('stored_bytes.bytes', '+', is.ref('excluded.bytes')) }))
        .where((is) => is(is('stored_bytes.bytes', '+', is.ref('excluded.bytes')), '<=', String(limit))),
    )
    .returning('account_id')
    .executeTakeFirst();
  return reserved !== undefined;
}

/** Subtracts the bytes of a removed upload from the total of its account. */
export async function releaseBytes(db: Kysely<Tables>, accountId: string, bytes: number): Promise<void> {
  await db
    .updateTable('stored_bytes')
    .set((is) => ({ bytes: is('bytes', '-', is.val(String(bytes))) }))
    .where('account_id', '=', accountId)
    .execute();
}
