import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { query } from '@waybill/sandbox/postgres/client';
import pg from 'pg';

/** Shipments of one transaction, so that the sessions share the work evenly. */
const chunk = 20_000;
const accountCount = 4;

/**
 * Inserts shipments with their events, current positions and routes. Shipment n of all accounts was created in the 60 days
 * before yesterday, in the order of n. A fifth each is scheduled, dispatched, picked_up, in_transit and delivered. Half
 * have a reference. A tenth, in_transit, has 100 positions within 25 hours. Each has an event in the feed, of the 28 days
 * before yesterday.
 */
const insertChunk = (from: number, to: number, total: number): string => `
  begin;
  create temp table batch on commit drop as
  select n, accounts.ids[1 + n / 10 % ${accountCount}] as account_id, 1 + n % 5 as version, created,
    (lpad(to_hex((extract(epoch from created) * 1000)::bigint), 12, '0') || '7' || left(md5(n::text), 3) ||
     '8' || right(md5(n::text), 15))::uuid as id,
    to_char(created, '"FRT"-YYYY-') || lpad(n::text, greatest(6, length(n::text)), '0') as tracking_number
  from generate_series(${from}, ${to}) n,
    (select array_agg(account_id order by created_at, account_id) as ids from accounts) accounts,
    lateral (select date_trunc('day', now()) - interval '61 days' + n * (interval '59 days' / ${total}) as created) c;

  insert into shipments (account_id, id, tracking_number, status, version, type, origin, destination, pickup_start,
                         pickup_end, reference, updated_at, route_since)
  select account_id, id, tracking_number,
    ('{scheduled,dispatched,picked_up,in_transit,delivered}'::text[])[version], version, 'freight',
    '{"address":"1420 Harbor Avenue SW","city":"Seattle","state":"WA","zip":"98126"}',
    '{"address":"77 Foundry Street","city":"Spokane","state":"WA","zip":"99201"}',
    created + interval '1 hour', created + interval '5 hours', case when n / 5 % 2 = 0 then 'PO-' || n end,
    created + version * interval '1 hour', case when n % 10 = 3 then created + interval '4 hours' end
  from batch;

  insert into tracking_events (account_id, shipment_id, version, status, occurred_at, description)
  select account_id, id, v, ('{scheduled,dispatched,picked_up,in_transit,delivered}'::text[])[v],
    created + v * interval '1 hour',
    ('{Shipment created,Driver assigned,Picked up from the origin,On the way to the destination,Delivered}'::text[])[v]
  from batch, generate_series(1, version) v;

  insert into current_positions (account_id, shipment_id, lat, lng, address, updated_at, eta)
  select account_id, id, 47.5, -121.5, 'I-90, Snoqualmie Pass', created + interval '29 hours', created + interval '40 hours'
  from batch where version >= 3;

  insert into positions (account_id, shipment_id, updated_at, lat, lng)
  select account_id, id, created + interval '4 hours' + k * interval '15 minutes', 47 + k / 1000.0, -122 + k / 1000.0
  from batch, generate_series(0, 99) k where n % 10 = 3;

  insert into events (account_id, number, created_at, type, shipment_id, data)
  select account_id, n, date_trunc('day', now()) - interval '29 days' + n * (interval '28 days' / ${total}),
    case when n % 10000 < 10 then 'tracking.eta_changed' else 'tracking.location_changed' end, id,
    jsonb_build_object('tracking_change', jsonb_build_object(
      'tracking_number', tracking_number, 'status', 'in_transit', 'eta', '2026-03-05T20:00:00.000Z', 'current_location', jsonb_build_object(
        'lat', 47.5, 'lng', -121.5, 'address', 'I-90, Snoqualmie Pass', 'updated_at', '2026-03-04T20:00:00.000Z')))
  from batch;
  commit;`;

/** As the service does it: a partition for each day (UTC). */
const createPartitions = (table: string, days: number): string => `
  do $$
  declare day timestamp;
  begin
    for day in select date_trunc('day', now() at time zone 'UTC') - make_interval(days => n) from generate_series(2, ${days}) n
    loop
      execute format('create table if not exists %I partition of ${table} for values from (%L) to (%L)',
        '${table}_' || to_char(day, 'YYYY_MM_DD'), day at time zone 'UTC', (day + interval '1 day') at time zone 'UTC');
    end loop;
  end $$`;

/** Fills a migrated database that has no shipments, and more accounts than it has. */
export async function fillDatabase(databaseUrl: string, total: number, signal: AbortSignal): Promise<void> {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: availableParallelism(),
    // Without the checks of foreign keys, which hold by construction.
    options: '-c session_replication_role=replica -c synchronous_commit=off -c TimeZone=UTC',
  });
  try {
    const { rows } = await pool.query('select count(*)::int as count from accounts');
    for (let count = rows[0].count; count < accountCount; count++)
      await pool.query(`insert into accounts (account_id, name, created_at) values ($1, 'Other', now())`, [
        randomUUID(),
      ]);
    await pool.query(createPartitions('positions', 90));
    await pool.query(createPartitions('events', 30));
    let next = 1;
    const insertChunks = async (): Promise<void> => {
      while (next <= total) {
        signal.throwIfAborted();
        const from = next;
        next += chunk;
        await pool.query(insertChunk(from, Math.min(total, next - 1), total));
      }
    };
    await Promise.all(Array.from({ length: availableParallelism() }, insertChunks));
    await pool.query(`select setval('tracking_sequence', $1), setval('event_numbers', $1)`, [total]);
    // Autovacuum would do it during the measurements.
    await pool.query('vacuum analyze');
    await pool.query('checkpoint');
  } finally {
    await pool.end();
  }
}

/** Up to 50,000 random tracking numbers of an account's shipments. @param where an SQL condition */
export async function sample(databaseUrl: string, accountId: string, where: string): Promise<string[]> {
  const rows = await query(
    databaseUrl,
    `select tracking_number from shipments where account_id = $1 and ${where} order by random() limit 50000`,
    [accountId],
  );
  return rows.map(({ tracking_number }) => tracking_number);
}

/** The version of PostgreSQL, and the settings that decide whether a commit waits for the disk. */
export async function describeDatabase(databaseUrl: string): Promise<string> {
  const names = ['server_version', 'fsync', 'synchronous_commit', 'shared_buffers'];
  const [row] = await query(
    databaseUrl,
    `select ${names.map((name) => `current_setting('${name}') as ${name}`).join()}`,
  );
  return `PostgreSQL ${names.map((name) => `${name} ${row?.[name]}`).join(', ')}`;
}
