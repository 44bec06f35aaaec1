import { type Kysely, sql } from 'kysely';

/** An index for the removal of shipments that have ended, the oldest first. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index shipments_ended on shipments (updated_at) where status in ('delivered', 'cancelled')`.execute(
    db,
  );
}
