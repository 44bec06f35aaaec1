import { type Kysely, sql } from 'kysely';

/**
 * The schema of release 1.0.0. `tables.ts` describes tables and columns.
 *
 * Every primary key starts with the account id and every foreign key contains it, so that an account fits on one shard.
 * Statuses, types and scopes are text: the contract defines their values and the service validates them.
 *
 * Plans may be made while tables are empty. Then several indexes cost the same, and PostgreSQL takes the last one: an index of
 * all accounts comes before those of one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const part of [accounts, shipments, positions, exceptionsAndProofs, events, partitions, webhooks, requests])
    await part.execute(db);
}

const accounts = sql`
  create table accounts (
    account_id uuid primary key,
    name text not null,
    created_at timestamptz not null,
    disabled_at timestamptz,
    share integer
  );

  create table api_keys (
    account_id uuid not null references accounts,
    key_id text not null,
    secret_hash bytea not null,
    name text not null,
    scopes text[] not null,
    created_at timestamptz not null,
    expires_at timestamptz,
    last_used_at timestamptz,
    revoked_at timestamptz,
    primary key (account_id, key_id)
  );
  -- A request names its key, but not its account.
  create unique index api_keys_key_id on api_keys (key_id);

  -- Like keys they are on the coordinator of Citus, so that it authenticates a request: no foreign key names the shipment.
  create table accesses (
    account_id uuid not null,
    shipment_id uuid not null,
    id uuid not null,
    tracking_number text not null,
    secret_hash bytea not null,
    name text,
    kind text,
    scopes text[] not null,
    detail text not null,
    expires_at timestamptz not null,
    primary key (account_id, shipment_id, id)
  );
  create unique index accesses_id on accesses (id, account_id);
  create index accesses_expiry on accesses (expires_at);

  -- It has entries about no account, and Citus stores it on the coordinator: no foreign key names the account.
  create table audit_log (
    id uuid primary key,
    at timestamptz not null,
    action text not null,
    account_id uuid,
    details jsonb not null,
    os_user text not null,
    host text not null,
    pid integer not null
  );
  create function refuse_audit_log_change() returns trigger language plpgsql as $$
  begin
    raise exception 'the audit log is append-only';
  end $$;
  create trigger audit_log_append_only before update or delete or truncate on audit_log
    for each statement execute function refuse_audit_log_change();
`;

const shipments = sql`
  create sequence tracking_sequence;

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
    reference text,
    notes text,
    details jsonb,
    cancellation_reason text,
    route_since timestamptz,
    updated_at timestamptz not null,
    handover_code text,
    wrong_handover_codes integer not null default 0,
    exceptions integer not null default 0,
    open_exceptions integer not null default 0,
    primary key (account_id, id),
    unique (account_id, tracking_number)
  );
  -- Clean-up removes those of all accounts that have ended, the oldest first.
  create index shipments_ended on shipments (updated_at) where status in ('delivered', 'cancelled');
  -- A page of a list is the first rows of those of each status: most begin with it.
  create index shipments_status on shipments (account_id, status, id);
  -- A cancelled shipment leaves its reference to another one.
  create unique index shipments_open_reference on shipments (account_id, reference)
    where reference is not null and status <> 'cancelled';
  create index shipments_reference on shipments (account_id, reference, id) where reference is not null;
  create index shipments_change on shipments (account_id, status, updated_at, id);
  -- Those that are not picked up, in the order of the ends of their pickup windows.
  create index shipments_pickups on shipments (account_id, pickup_end, id) where status in ('scheduled', 'dispatched');
  create index shipments_exceptions on shipments (account_id, status, id) where open_exceptions > 0;

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
`;

const positions = sql`
  -- Clean-up drops the partitions of whole days, which a foreign key to shipments would lock. So there is none: positions are
  -- inserted only while their shipment is locked.
  create table positions (
    account_id uuid not null,
    shipment_id uuid not null,
    updated_at timestamptz not null,
    lat double precision not null,
    lng double precision not null,
    address text,
    primary key (account_id, shipment_id, updated_at)
  ) partition by range (updated_at);
  -- Takes those of days without a partition, so that no insertion fails.
  create table positions_default partition of positions default;
  create index positions_default_age on positions_default (updated_at);

  create table current_positions (
    account_id uuid not null,
    shipment_id uuid not null,
    lat double precision,
    lng double precision,
    address text,
    updated_at timestamptz,
    eta timestamptz,
    location_changed boolean,
    eta_changed boolean,
    jump_updated_at timestamptz,
    jump_lat double precision,
    jump_lng double precision,
    primary key (account_id, shipment_id),
    foreign key (account_id, shipment_id) references shipments
  );
`;

const exceptionsAndProofs = sql`
  create table exceptions (
    account_id uuid not null,
    shipment_id uuid not null,
    id uuid not null,
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
    access_id uuid,
    ended_at timestamptz,
    primary key (account_id, id),
    foreign key (account_id, shipment_id) references shipments
  );
  -- Clean-up removes abandoned ones of all accounts; those of a shipment count against its limit.
  create index proof_uploads_unbound on proof_uploads (created_at) where bound_at is null;
  create index proof_uploads_unfinished on proof_uploads (account_id, shipment_id, created_at) where bound_at is null;

  create table stored_bytes (
    account_id uuid primary key references accounts,
    bytes bigint not null
  );

  create table proofs (
    account_id uuid not null,
    shipment_id uuid not null,
    delivered_at timestamptz not null,
    signed_by text,
    signature uuid,
    photos uuid[] not null,
    lat double precision,
    lng double precision,
    primary key (account_id, shipment_id),
    foreign key (account_id, shipment_id) references shipments
  );
`;

const events = sql`
  create sequence event_numbers;

  -- Partitioned as positions are.
  create table events (
    account_id uuid not null,
    number bigint not null,
    created_at timestamptz not null,
    type text not null,
    shipment_id uuid,
    data jsonb not null,
    primary key (account_id, number, created_at)
  ) partition by range (created_at);
  create table events_default partition of events default;
  create index events_default_age on events_default (created_at);
  -- It has all columns that a list of some types compares, so that PostgreSQL does not read the feed of the account instead.
  create index events_of_type on events (account_id, type, number, created_at);
  -- For the newest events of all accounts. Its expression keeps it from statements about one account.
  create index events_number on events ((number + 0));

  create table removed_events (
    account_id uuid primary key references accounts,
    last_number bigint not null
  );
`;

/** Clean-up creates the next ones (day-partitions.ts). */
const partitions = sql`
  do $$
  declare
    parent text;
    day timestamp;
  begin
    foreach parent in array array['positions', 'events'] loop
      for day in select date_trunc('day', now() at time zone 'UTC') + make_interval(days => n) from generate_series(-1, 7) n
      loop
        execute format('create table %I partition of %I for values from (%L) to (%L)',
          parent || to_char(day, '_YYYY_MM_DD'), parent,
          day at time zone 'UTC', (day + interval '1 day') at time zone 'UTC');
      end loop;
    end loop;
  end $$;
`;

const webhooks = sql`
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
    event_number bigint not null,
    replay_from timestamptz,
    replay_to timestamptz,
    replay_event_number bigint,
    failing_since timestamptz,
    primary key (account_id, id)
  );
  -- Limits the endpoints of an account, also those of concurrent requests.
  create unique index webhook_endpoints_slot on webhook_endpoints (account_id, slot);
  create index webhook_endpoints_enabled on webhook_endpoints (id) where status = 'enabled';

  create table webhook_deliveries (
    account_id uuid not null,
    endpoint_id uuid not null,
    id uuid not null,
    event_number bigint not null,
    event_created_at timestamptz not null,
    type text not null,
    test_data jsonb,
    order_key uuid not null,
    is_manual boolean not null default false,
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
  -- Clean-up removes the finished ones of all accounts.
  create index webhook_deliveries_age on webhook_deliveries (event_created_at) where status <> 'pending';
  create index webhook_deliveries_due on webhook_deliveries (account_id, endpoint_id, next_attempt_at)
    where next_attempt_at is not null;
  create index webhook_deliveries_order on webhook_deliveries (account_id, endpoint_id, order_key, event_number, id)
    where status = 'pending';
  -- Those that requests have queued are counted.
  create index webhook_deliveries_manual on webhook_deliveries (account_id, endpoint_id, next_attempt_at)
    where is_manual and status = 'pending';

  -- What follows is on the coordinator of Citus, so that instances share the endpoints also while a worker of Citus is stopped.
  create table enabled_webhook_endpoints (
    account_id uuid not null,
    endpoint_id uuid not null,
    version uuid not null,
    primary key (account_id, endpoint_id)
  );
  create table instances (
    id uuid primary key,
    seen_at timestamptz not null
  );
  create table webhook_leases (
    endpoint_id uuid primary key,
    instance_id uuid not null,
    expires_at timestamptz not null
  );
  create index webhook_leases_instance on webhook_leases (instance_id);
`;

const requests = sql`
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
`;
