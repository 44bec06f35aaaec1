import { type Kysely, sql } from 'kysely';

/** It also keeps the references of delivered shipments. The index of the migration before replaces it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index shipments_open_reference`.execute(db);
}
