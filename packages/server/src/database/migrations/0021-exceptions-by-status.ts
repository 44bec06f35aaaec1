import { type Kysely, sql } from 'kysely';

/** The index for the list of shipments with open exceptions begins with a status, as that of all shipments does. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index shipments_exceptions on shipments (account_id, status, id) where open_exceptions > 0;
    drop index shipments_open_exceptions;
  `.execute(db);
}
