import { type Kysely, sql } from 'kysely';

/**
 * The events of shipments, partitioned by UTC day like positions. `events_default` takes those of other days, so that no
 * write fails. `removed_events` has the last event of each account that clean-up removed, so that a reader learns of a gap.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create sequence event_positions;
    create table events (
      account_id uuid not null,
      position bigint not null,
      created_at timestamptz not null,
      type text not null,
      shipment_id uuid not null,
      data jsonb not null,
      primary key (account_id, position, created_at)
    ) partition by range (created_at);
    create table events_default partition of events default;
    create index events_default_age on events_default (created_at);

    do $$
    declare
      day timestamp;
    begin
      for day in
        select date_trunc('day', now() at time zone 'UTC') + make_interval(days => n) from generate_series(-1, 7) n
      loop
        execute format('create table %I partition of events for values from (%L) to (%L)',
          'events_' || to_char(day, 'YYYY_MM_DD'),
          day at time zone 'UTC', (day + interval '1 day') at time zone 'UTC');
      end loop;
    end $$;

    create table removed_events (
      account_id uuid primary key references accounts,
      last_position bigint not null
    );
  `.execute(db);
}
