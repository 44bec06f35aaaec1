import { type Kysely, sql } from 'kysely';

/** The code that the consignee says at the delivery, and how often a wrong one was sent for it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table shipments
      add column handover_code text,
      add column wrong_handover_codes integer not null default 0
  `.execute(db);
}
