import { type Kysely, sql } from 'kysely';

/** The last position that is too far away to be the current one, until the next one is near it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table current_positions
      add column jump_updated_at timestamptz, add column jump_lat float8, add column jump_lng float8`.execute(db);
}
