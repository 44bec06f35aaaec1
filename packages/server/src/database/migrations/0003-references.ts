import { type Kysely, sql } from 'kysely';

/**
 * Only shipments that have `references` have rows. There is no foreign key: on Citus, `migrate` makes the table on the
 * coordinator, where one cannot name a table that is distributed already.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table shipment_references (
      account_id uuid not null,
      shipment_id uuid not null,
      value text not null,
      primary key (account_id, shipment_id, value)
    );
    -- A list with a value has the newest shipment first.
    create index shipment_references_value on shipment_references (account_id, value, shipment_id)`.execute(db);
}
