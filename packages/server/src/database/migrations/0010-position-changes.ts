import { type Kysely, sql } from 'kysely';

/** What the last report of a shipment has changed: the statement that stores it returns the events to append. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table current_positions add column location_changed boolean, add column eta_changed boolean`.execute(db);
}
