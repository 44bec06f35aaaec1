import { type Kysely, sql } from 'kysely';

/**
 * Every primary key starts with the account id and every foreign key contains it, so that an account fits on one shard.
 * Statuses and scopes are text: the contract defines their values and the service validates them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create sequence tracking_sequence;

    create table accounts (
      account_id uuid primary key,
      name text not null,
      created_at timestamptz not null,
      disabled_at timestamptz
    );

    create table api_keys (
      account_id uuid not null references accounts,
      key_id text not null,
      secret_hash bytea not null,
      name text not null,
      scopes text[] not null,
      created_at timestamptz not null,
      expires_at timestamptz,
      revoked_at timestamptz,
      primary key (account_id, key_id)
    );
    create unique index api_keys_key_id on api_keys (key_id);

    create table shipments (
      account_id uuid not null references accounts,
      id uuid not null,
      tracking_number text not null,
      status text not null,
      version integer not null,
      type text not null,
      origin jsonb not null,
      destination jsonb not null,
      pickup_start timestamptz not null,
      pickup_end timestamptz not null,
      notes text,
      updated_at timestamptz not null,
      primary key (account_id, id),
      unique (account_id, tracking_number)
    );
    create index shipments_status on shipments (account_id, status, id);

    create table tracking_events (
      account_id uuid not null,
      shipment_id uuid not null,
      version integer not null,
      status text not null,
      occurred_at timestamptz not null,
      description text not null,
      primary key (account_id, shipment_id, version),
      foreign key (account_id, shipment_id) references shipments
    );

    create table current_positions (
      account_id uuid not null,
      shipment_id uuid not null,
      lat double precision,
      lng double precision,
      address text,
      updated_at timestamptz,
      eta timestamptz,
      primary key (account_id, shipment_id),
      foreign key (account_id, shipment_id) references shipments
    );

    create table proof_uploads (
      account_id uuid not null,
      id uuid not null,
      shipment_id uuid not null,
      kind text not null,
      content_type text not null,
      size integer not null,
      sha256 bytea not null,
      created_at timestamptz not null,
      verified_at timestamptz,
      bound_at timestamptz,
      primary key (account_id, id),
      foreign key (account_id, shipment_id) references shipments
    );

    create table proofs (
      account_id uuid not null,
      shipment_id uuid not null,
      delivered_at timestamptz not null,
      signed_by text not null,
      signature uuid not null,
      photos uuid[] not null,
      lat double precision not null,
      lng double precision not null,
      primary key (account_id, shipment_id),
      foreign key (account_id, shipment_id) references shipments
    );
  `.execute(db);
}
