import { type Kysely, sql } from 'kysely';

/**
 * Accesses to one shipment. Like keys they are on the coordinator of Citus, so that a request is authenticated there:
 * therefore no foreign key names the shipment.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table accesses (
      account_id uuid not null,
      shipment_id uuid not null,
      id uuid not null,
      tracking_number text not null,
      secret_hash bytea not null,
      name text,
      scopes text[] not null,
      detail text not null,
      expires_at timestamptz not null,
      primary key (account_id, shipment_id, id)
    );
    create unique index accesses_id on accesses (id, account_id);
    create index accesses_expiry on accesses (expires_at);
  `.execute(db);
}
