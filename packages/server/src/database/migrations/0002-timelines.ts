import { type Kysely, sql } from 'kysely';

/** Timelines whose entries have ids and can be voided, and the proofs of ends that were voided. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table tracking_events add column id uuid, add column access_id uuid, add column voided_at timestamptz,
      add column void_reason text;
    alter table proofs add column status text not null default 'delivered';
    create table voided_proofs (
      account_id uuid not null,
      shipment_id uuid not null,
      status text not null,
      delivered_at timestamptz not null,
      signed_by text,
      signature uuid,
      photos uuid[] not null,
      lat double precision,
      lng double precision,
      voided_at timestamptz not null,
      primary key (account_id, shipment_id, voided_at),
      foreign key (account_id, shipment_id) references shipments
    )`.execute(db);
}
