import { type Kysely, sql } from 'kysely';

/**
 * Webhook endpoints and their deliveries. `slot` limits the endpoints of an account. A delivery names its event, or has the
 * data of a test event. Deliveries with the same `order_key` are sent one after the other; `next_attempt_at` is null while
 * one waits for an earlier one. `webhook_workers` has the running instances, `webhook_leases` which of them sends the events
 * of an endpoint. Events of endpoints have no shipment.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table events alter column shipment_id drop not null;

    create table webhook_endpoints (
      account_id uuid not null references accounts,
      id uuid not null,
      slot integer not null,
      url text not null,
      description text not null,
      types text[] not null,
      status text not null,
      disabled_reason text,
      secret text not null,
      previous_secret text,
      previous_secret_expires_at timestamptz,
      updated_at timestamptz not null,
      woken_at timestamptz,
      position bigint not null,
      replay_from timestamptz,
      replay_to timestamptz,
      replay_position bigint,
      failing_since timestamptz,
      primary key (account_id, id)
    );
    create unique index webhook_endpoints_slot on webhook_endpoints (account_id, slot);
    create index webhook_endpoints_enabled on webhook_endpoints (id) where status = 'enabled';

    create table webhook_deliveries (
      account_id uuid not null,
      endpoint_id uuid not null,
      id uuid not null,
      event_position bigint not null,
      event_created_at timestamptz not null,
      type text not null,
      test_data jsonb,
      order_key uuid not null,
      status text not null,
      attempts integer not null,
      next_attempt_at timestamptz,
      attempted_at timestamptz,
      attempt_url text,
      attempt_ms integer,
      response_status integer,
      response_body text,
      error text,
      primary key (account_id, endpoint_id, id),
      foreign key (account_id, endpoint_id) references webhook_endpoints on delete cascade
    );
    create index webhook_deliveries_due on webhook_deliveries (account_id, endpoint_id, next_attempt_at)
      where next_attempt_at is not null;
    create index webhook_deliveries_order on webhook_deliveries (account_id, endpoint_id, order_key, event_position, id)
      where status = 'pending';
    create index webhook_deliveries_age on webhook_deliveries (event_created_at);

    create table webhook_workers (
      id uuid primary key,
      seen_at timestamptz not null
    );
    create table webhook_leases (
      endpoint_id uuid primary key,
      worker_id uuid not null,
      expires_at timestamptz not null
    );
    create index webhook_leases_worker on webhook_leases (worker_id);
  `.execute(db);
}
