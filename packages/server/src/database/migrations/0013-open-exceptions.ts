import { type Kysely, sql } from 'kysely';

/** An index for the list of shipments with open exceptions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index shipments_open_exceptions on shipments (account_id, id) where open_exceptions > 0`.execute(db);
}
