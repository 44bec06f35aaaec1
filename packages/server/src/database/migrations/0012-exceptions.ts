import { type Kysely, sql } from 'kysely';

/**
 * What goes wrong with shipments, and what is shipped. Each shipment has the number of its exceptions, and of those that are
 * open. `details` has the optional fields that no query selects by.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table exceptions (
      account_id uuid not null,
      id uuid not null,
      shipment_id uuid not null,
      code text not null,
      shipment_status text not null,
      occurred_at timestamptz not null,
      description text,
      eta timestamptz,
      lat double precision,
      lng double precision,
      address text,
      photos uuid[] not null,
      resolved_at timestamptz,
      resolution text,
      primary key (account_id, shipment_id, id),
      foreign key (account_id, shipment_id) references shipments
    );
    alter table shipments
      add column details jsonb,
      add column exceptions integer not null default 0, add column open_exceptions integer not null default 0;
  `.execute(db);
}
