-- What the migration 0002-complete added to the database of 0001-first.sql, and what such a database held then.

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

insert into kysely_migration values ('0002-complete', '2026-03-10T00:00:00.000Z');

update api_keys set last_used_at = '2026-03-11T07:00Z' where key_id = 'upgraded000A';

insert into shipments (account_id, id, tracking_number, status, version, type, origin, destination, pickup_start,
                       pickup_end, notes, updated_at, reference, cancellation_reason)
select account_id, ('019ca869-5000-7000-8000-000000000006')::uuid, 'FRT-2026-000006', 'cancelled', 2, type, origin, destination,
       pickup_start, pickup_end, null, '2026-03-11T12:00Z', 'PO-6', 'Ordered twice.'
from shipments where tracking_number = 'FRT-2026-000001';
insert into tracking_events (account_id, shipment_id, version, status, occurred_at, description) values
  ('01990000-0000-7000-8000-00000000000a', '019ca869-5000-7000-8000-000000000006', 1, 'scheduled', '2026-03-01T08:00Z', 'Shipment created'),
  ('01990000-0000-7000-8000-00000000000a', '019ca869-5000-7000-8000-000000000006', 2, 'cancelled', '2026-03-11T12:00Z', 'Shipment cancelled');
update shipments set reference = 'PO-1' where tracking_number = 'FRT-2026-000001';
select setval('tracking_sequence', 6);

-- Young enough not to be cleaned up.
insert into positions (account_id, shipment_id, updated_at, lat, lng, address)
select '01990000-0000-7000-8000-00000000000a', '019ca869-5000-7000-8000-000000000004', now() - make_interval(days => 3 - n), n, -n, 'Mile ' || n
from generate_series(1, 3) n;

-- The stored response of a cancellation of the delivered shipment.
insert into idempotency_keys (account_id, key, fingerprint, status, headers, body, created_at) values
  ('01990000-0000-7000-8000-00000000000a', 'cancel-5',
   sha256(convert_to(E'cancelShipment\n{"shipment_id":"ship_01kjm6jm00e008000000000005"}\n{"reason":"Ordered twice."}', 'UTF8')),
   409, '{}',
   '{"code": "invalid_transition", "detail": "Stored.", "members": {"current_status": "delivered", "allowed": []}}', now());
