import { type Kysely, sql } from 'kysely';

/** An index for the list of shipments that are not picked up, in the order of the ends of their pickup windows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index shipments_pickups on shipments (account_id, pickup_end, id) where status in ('scheduled', 'dispatched')
  `.execute(db);
}
