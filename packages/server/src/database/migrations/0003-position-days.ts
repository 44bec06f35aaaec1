import { type Kysely, sql } from 'kysely';

/**
 * Partitions positions by UTC day, so that clean-up drops whole days. There is no foreign key to shipments: dropping a
 * partition would lock them, and positions are inserted only while their shipment is locked. `positions_default` takes
 * positions of other days, so that no insertion fails. A shipment stores the time of its earliest position, so that a
 * query for its route does not search all partitions.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
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
  `.execute(db);
}
