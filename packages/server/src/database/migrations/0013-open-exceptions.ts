import { type Kysely, sql } from 'kysely';
import { createIndexConcurrently } from '../migration-index.ts';

export const outsideTransaction = true;

/** An index for the list of shipments with open exceptions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createIndexConcurrently(
    db,
    'shipments_open_exceptions',
    sql`on shipments (account_id, id) where open_exceptions > 0`,
  );
}
