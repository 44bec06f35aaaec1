-- What a database held after the migration 0001-first.

-- Kysely's Migrator, which applied the first migrations, left the table of its lock.
create table kysely_migration_lock (id varchar(255) not null primary key, is_locked integer default 0 not null);
insert into kysely_migration_lock values ('migration_lock', 0);

insert into accounts (account_id, name, created_at, disabled_at) values
  ('01990000-0000-7000-8000-00000000000a', 'Harbor Freight', '2026-03-01T07:00Z', null),
  ('01990000-0000-7000-8000-00000000000b', 'Closed', '2026-03-01T07:00Z', '2026-03-02T07:00Z');

-- The secret is the letter at the end of the key's id, 40 times.
insert into api_keys (account_id, key_id, secret_hash, name, scopes, created_at, expires_at, revoked_at)
select account_id::uuid, key_id, sha256(convert_to(repeat(right(key_id, 1), 40), 'UTF8')), 'key', scopes::text[],
       '2026-03-01T07:00Z', expires_at::timestamptz, revoked_at::timestamptz
from (values
  ('01990000-0000-7000-8000-00000000000a', 'upgraded000A', '{shipments:read,shipments:write,tracking:read,tracking:write}', null, null),
  ('01990000-0000-7000-8000-00000000000a', 'upgraded000B', '{shipments:read}', null, null),
  ('01990000-0000-7000-8000-00000000000a', 'upgraded000C', '{shipments:read}', null, '2026-03-02T07:00Z'),
  ('01990000-0000-7000-8000-00000000000a', 'upgraded000D', '{shipments:read}', '2026-03-02T07:00Z', null),
  ('01990000-0000-7000-8000-00000000000b', 'upgraded000E', '{shipments:read}', null, null)
) as keys(account_id, key_id, scopes, expires_at, revoked_at);

-- A shipment in each status, created at 2026-03-01T08:00:00.000Z, which is the first part of its id.
insert into shipments (account_id, id, tracking_number, status, version, type, origin, destination, pickup_start,
                       pickup_end, notes, updated_at)
select '01990000-0000-7000-8000-00000000000a', ('019ca869-5000-7000-8000-00000000000' || version)::uuid,
       'FRT-2026-00000' || version, status, version, 'freight',
       '{"address": "1420 Harbor Avenue SW", "city": "Seattle", "state": "WA", "zip": "98126", "contact_name": "Ana", "contact_phone": "1"}',
       '{"address": "77 Foundry Street", "city": "Spokane", "state": "WA", "zip": "99201"}',
       '2026-03-03T16:00Z', '2026-03-03T20:00Z', 'Ring twice.', '2026-03-05T12:00Z'
from (values (1, 'scheduled'), (2, 'dispatched'), (3, 'picked_up'), (4, 'in_transit'), (5, 'delivered'))
  as statuses(version, status);
select setval('tracking_sequence', 5);

insert into tracking_events (account_id, shipment_id, version, status, occurred_at, description)
select account_id, id, e.version, e.status, e.occurred_at::timestamptz, e.description
from shipments join (values
  (1, 'scheduled', '2026-03-01T08:00Z', 'Shipment created'),
  (2, 'dispatched', '2026-03-02T08:00Z', 'Driver assigned'),
  (3, 'picked_up', '2026-03-03T17:00Z', 'Picked up at dock 4'),
  (4, 'in_transit', '2026-03-04T08:00Z', 'On the way to the destination'),
  (5, 'delivered', '2026-03-05T12:00Z', 'Delivered')
) as e(version, status, occurred_at, description) on e.version <= shipments.version;

insert into current_positions (account_id, shipment_id, lat, lng, address, updated_at, eta) values
  ('01990000-0000-7000-8000-00000000000a', '019ca869-5000-7000-8000-000000000004', 47.5, -122.25, 'Ritzville',
   '2026-03-04T09:00Z', '2026-03-05T10:00Z');

-- One pixel of PNG, as test/fixtures/images.ts has it.
insert into proof_uploads (account_id, id, shipment_id, kind, content_type, size, sha256, created_at, verified_at, bound_at) values
  ('01990000-0000-7000-8000-00000000000a', '01990000-0000-7000-8000-0000000000f1', '019ca869-5000-7000-8000-000000000005', 'signature',
   'image/png', 70, decode('6b7fa434f92a8b80aab02d9bf1a12e49ffcae424e4013a1c4f68b67e3d2bbcd0', 'hex'), '2026-03-05T11:00Z', '2026-03-05T11:01Z', '2026-03-05T12:00Z');
insert into proofs (account_id, shipment_id, delivered_at, signed_by, signature, photos, lat, lng) values
  ('01990000-0000-7000-8000-00000000000a', '019ca869-5000-7000-8000-000000000005', '2026-03-05T12:00Z', 'Owen Castillo',
   '01990000-0000-7000-8000-0000000000f1', '{}', 47.6588, -117.426);
