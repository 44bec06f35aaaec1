import { type Kysely, sql } from 'kysely';

/** References, cancellation, routes, idempotency keys, and the last use of API keys. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table api_keys add column last_used_at timestamptz;

    alter table shipments add column reference text, add column cancellation_reason text;
    create unique index shipments_open_reference on shipments (account_id, reference)
      where reference is not null and status <> 'cancelled';
    create index shipments_reference on shipments (account_id, reference, id) where reference is not null;

    create table positions (
      account_id uuid not null,
      shipment_id uuid not null,
      updated_at timestamptz not null,
      lat double precision not null,
      lng double precision not null,
      address text,
      primary key (account_id, shipment_id, updated_at),
      foreign key (account_id, shipment_id) references shipments
    );
    create index positions_age on positions (updated_at);

    create table idempotency_keys (
      account_id uuid not null references accounts,
      key text not null,
      fingerprint bytea not null,
      status integer not null,
      headers jsonb not null,
      body jsonb not null,
      created_at timestamptz not null,
      primary key (account_id, key)
    );
    create index idempotency_keys_age on idempotency_keys (created_at);

    create index proof_uploads_unbound on proof_uploads (created_at) where bound_at is null;
  `.execute(db);
}
