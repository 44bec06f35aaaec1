import { availableParallelism } from 'node:os';
import { query } from '@waybill/sandbox/postgres/client';
import pg from 'pg';

/** Shipments of one transaction, so that the sessions share the work evenly. */
const chunk = 20_000;
export const accountCount = 4;
/** Events of each account. */
export const eventsOfAccount = 5000;

/**
 * Inserts shipments with their timelines, current positions, and some events. Shipment n of all accounts was created in the 60 days before
 * yesterday, in the order of n. A fifth each is scheduled, dispatched, picked_up, in_transit and delivered. Half have a
 * reference, and one of a thousand an open exception.
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
                         pickup_end, reference, updated_at, open_exceptions)
  select account_id, id, tracking_number,
    ('{scheduled,dispatched,picked_up,in_transit,delivered}'::text[])[version], version, 'freight',
    '{"address":"1420 Harbor Avenue SW","city":"Seattle","state":"WA","zip":"98126"}',
    '{"address":"77 Foundry Street","city":"Spokane","state":"WA","zip":"99201"}',
    created + interval '1 hour', created + interval '5 hours', case when n / 5 % 2 = 0 then 'PO-' || n end,
    created + version * interval '1 hour', (n % 1000 = 4)::integer
  from batch;

  insert into tracking_events (account_id, shipment_id, version, status, occurred_at, description)
  select account_id, id, v, ('{scheduled,dispatched,picked_up,in_transit,delivered}'::text[])[v],
    created + v * interval '1 hour',
    ('{Shipment created,Driver assigned,Picked up from the origin,On the way to the destination,Delivered}'::text[])[v]
  from batch, generate_series(1, version) v;

  insert into current_positions (account_id, shipment_id, lat, lng, address, updated_at, eta)
  select account_id, id, 47.5, -121.5, 'I-90, Snoqualmie Pass', created + interval '29 hours', created + interval '40 hours'
  from batch where version >= 3;

  insert into events (account_id, number, created_at, type, shipment_id, data)
  select b.account_id, nextval('event_numbers'), now(), 'shipment.created', b.id, jsonb_build_object('shipment',
    jsonb_build_object('id', 'ship_01kjpx8p02fabr24pa3eywnyp2', 'status', 'scheduled', 'tracking_number', b.tracking_number,
      'type', 'freight', 'origin', s.origin, 'destination', s.destination,
      'pickup_window', jsonb_build_object('start', '2026-03-03T16:00:00.000Z', 'end', '2026-03-03T20:00:00.000Z'),
      'created_at', '2026-03-02T09:15:00.000Z', 'updated_at', '2026-03-02T09:15:00.000Z'))
  from batch b join shipments s on s.account_id = b.account_id and s.id = b.id
  where b.n <= ${accountCount * eventsOfAccount};
  commit;`;

/** Fills a migrated database that has no shipments, and more accounts than it has. */
export async function fillDatabase(databaseUrl: string, total: number, signal: AbortSignal): Promise<void> {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: availableParallelism(),
    // Without the checks of foreign keys, which hold by construction.
    options: '-c session_replication_role=replica -c synchronous_commit=off -c TimeZone=UTC',
  });
  try {
    await pool.query(`
      insert into accounts (account_id, name, created_at)
      select gen_random_uuid(), 'Other', now() from generate_series(2, ${accountCount})`);
    const starts = Array.from({ length: Math.ceil(total / chunk) }, (_, index) => 1 + index * chunk);
    await Promise.all(
      starts.map(async (from) => {
        if (!signal.aborted) await pool.query(insertChunk(from, Math.min(total, from + chunk - 1), total));
      }),
    );
    await pool.query(`select setval('tracking_sequence', $1)`, [total]);
    // Autovacuum would do it during the measurements.
    await pool.query('vacuum analyze');
    await pool.query('checkpoint');
  } finally {
    await pool.end();
  }
}

/** Up to 50,000 random tracking numbers of an account's shipments in transit. */
export async function sample(databaseUrl: string, accountId: string): Promise<string[]> {
  const rows = await query(
    databaseUrl,
    `select tracking_number from shipments where account_id = $1 and status = 'in_transit' order by random() limit 50000`,
    [accountId],
  );
  return rows.map(({ tracking_number }) => tracking_number);
}
