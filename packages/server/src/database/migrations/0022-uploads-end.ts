import { type Kysely, sql } from 'kysely';

/** Uploads count for the access that created them, and can end before their time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table proof_uploads add column access_id uuid, add column ended_at timestamptz
  `.execute(db);
}
