-- What the migration 0004-stored-bytes added. Never edit it: databases like it exist.

create table stored_bytes (
  account_id uuid primary key references accounts,
  bytes bigint not null
);
insert into stored_bytes (account_id, bytes) select account_id, sum(size) from proof_uploads group by account_id;

create index proof_uploads_unfinished on proof_uploads (account_id, shipment_id, created_at)
  where bound_at is null;

insert into kysely_migration values ('0004-stored-bytes', '2026-04-01T00:00:00.000Z');
