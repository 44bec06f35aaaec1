import { type Kysely, sql } from 'kysely';

/** An index for lists of the shipments that have changed since a time, also of those in one status. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index shipments_change on shipments (account_id, status, updated_at, id)`.execute(db);
}
