-- What the migration 0003-position-days added. Never edit it: databases like it exist.

alter table positions rename to positions_before;
alter table positions_before rename constraint positions_pkey to positions_before_pkey;

create table positions (
  account_id uuid not null,
  shipment_id uuid not null,
  updated_at timestamptz not null,
  lat double precision not null,
  lng double precision not null,
  address text,
  primary key (account_id, shipment_id, updated_at)
) partition by range (updated_at);
create table positions_default partition of positions default;
create index positions_default_age on positions_default (updated_at);

do $$
declare
  day timestamp;
begin
  for day in
    select distinct date_trunc('day', updated_at at time zone 'UTC') from positions_before
      where updated_at between now() - interval '400 days' and now() + interval '7 days'
    union
    select date_trunc('day', now() at time zone 'UTC') + make_interval(days => n) from generate_series(-1, 7) n
  loop
    execute format('create table %I partition of positions for values from (%L) to (%L)',
      'positions_' || to_char(day, 'YYYY_MM_DD'),
      day at time zone 'UTC', (day + interval '1 day') at time zone 'UTC');
  end loop;
end $$;

insert into positions select account_id, shipment_id, updated_at, lat, lng, address from positions_before;
drop table positions_before;

alter table shipments add column route_since timestamptz;
update shipments s set route_since = r.since
from (select account_id, shipment_id, min(updated_at) as since from positions group by account_id, shipment_id) r
where s.account_id = r.account_id and s.id = r.shipment_id;

insert into kysely_migration values ('0003-position-days', '2026-03-20T00:00:00.000Z');

-- The route of a second shipment begins in the partition of its day.
insert into positions (account_id, shipment_id, updated_at, lat, lng, address)
select '01990000-0000-7000-8000-00000000000a', '019ca869-5000-7000-8000-000000000003', now() - interval '1 hour', 1, 1, 'Depot';
update shipments set route_since = now() - interval '1 hour' where id = '019ca869-5000-7000-8000-000000000003';
