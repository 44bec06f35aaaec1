import { type Kysely, sql } from 'kysely';

/** Which report a current estimated arrival came with, so that one that no longer counts can be replaced. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table tracking_events add column eta timestamptz, add column clears_eta boolean;
    alter table exceptions add column clears_eta boolean;
    alter table current_positions
      add column eta_source uuid, add column position_eta timestamptz, add column position_eta_at timestamptz,
      add column counts_after timestamptz`.execute(db);
}
