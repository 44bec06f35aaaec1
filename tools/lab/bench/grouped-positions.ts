import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { PositionsRequest } from '@waybill/client';
import type pg from 'pg';

interface Recording {
  number: string;
  key: string;
  fingerprint: string;
  body: PositionsRequest;
}

/** Two groups at a time, of up to so many requests. */
const [maxRunning, maxSize] = [2, 64];

const text = `
  with request as materialized (
    select * from unnest($2::text[], $3::text[], $4::text[]) with ordinality r (tracking_number, key, fingerprint, i)),
  shipment as materialized (
    select r.*, s.id, s.status
    from request r join shipments s on s.account_id = $1 and s.tracking_number = r.tracking_number
    order by s.id for no key update of s),
  response as (
    insert into idempotency_keys (account_id, key, fingerprint, status, headers, body, created_at)
    select $1, key, decode(fingerprint, 'hex'), 200, '{}', '{"accepted":20}', now() from shipment order by key),
  position as materialized (
    select s.id, p.* from unnest($5::integer[], $6::timestamptz[], $7::float8[], $8::float8[], $9::text[], $10::boolean[])
      p (i, updated_at, lat, lng, address, is_newest) join shipment s on s.i = p.i),
  history as (
    insert into positions as old (account_id, shipment_id, updated_at, lat, lng, address)
    select $1, id, updated_at, lat, lng, address from position
    on conflict (account_id, shipment_id, updated_at) do update
      set lat = excluded.lat, lng = excluded.lng, address = excluded.address),
  route as (
    update shipments s set route_since = e.earliest
    from (select id, min(updated_at) as earliest from position group by id) e
    where s.account_id = $1 and s.id = e.id and (s.route_since is null or s.route_since > e.earliest)),
  newest as (
    insert into current_positions as old (account_id, shipment_id, updated_at, lat, lng, address)
    select $1, id, updated_at, lat, lng, address from position where is_newest
    on conflict (account_id, shipment_id) do update
      set updated_at = excluded.updated_at, lat = excluded.lat, lng = excluded.lng, address = excluded.address
      where old.updated_at is null or old.updated_at <= excluded.updated_at
    returning *),
  feed as materialized (
    select pg_advisory_xact_lock(7266297, hashtext($1::text)) from (select from newest limit 1) as any_row),
  event as (
    insert into events (account_id, number, created_at, type, shipment_id, data)
    select $1, nextval('event_numbers'), clock_timestamp(), 'tracking.location_changed', n.shipment_id,
      jsonb_build_object('tracking_change', jsonb_build_object('tracking_number', s.tracking_number, 'status', s.status,
        'eta', n.eta, 'current_location', jsonb_build_object('lat', n.lat, 'lng', n.lng, 'address', n.address,
        'updated_at', n.updated_at)))
    from feed, newest n join shipment s on s.id = n.shipment_id)
  select i::integer from shipment`;

/**
 * Positions recorded by hand, as fast as PostgreSQL can: one statement for the requests that have arrived, with their keys and
 * events, and without validation.
 */
export function groupedPositions(pool: pg.Pool, accountId: string | undefined) {
  let waiting: { recording: Recording; done: PromiseWithResolvers<void> }[] = [];
  let running = 0;

  const commit = async (recordings: Recording[]): Promise<void> => {
    const positions = recordings.flatMap(({ body }, index) =>
      body.positions.map((each, at, all) => ({ ...each, i: index + 1, isNewest: at === all.length - 1 })),
    );
    const columns = (['number', 'key', 'fingerprint'] as const).map((name) => recordings.map((it) => it[name]));
    const rows = (['i', 'updated_at', 'lat', 'lng', 'address', 'isNewest'] as const).map((name) =>
      positions.map((it) => it[name]),
    );
    const { rowCount } = await pool.query({ name: 'positions', text, values: [accountId, ...columns, ...rows] });
    if (rowCount !== recordings.length) throw new Error('There is no such shipment');
  };

  const start = async (): Promise<void> => {
    if (running >= maxRunning) return;
    running++;
    await setImmediate(); // for the requests that have arrived
    while (waiting.length > 0) {
      const numbers = new Set<string>();
      const group = waiting.filter(
        ({ recording: { number } }) => numbers.size < maxSize && !numbers.has(number) && numbers.add(number),
      );
      waiting = waiting.filter((each) => !group.includes(each));
      await commit(group.map(({ recording }) => recording)).then(
        () => group.map(({ done }) => done.resolve()),
        (error) => group.map(({ done }) => done.reject(error)),
      );
    }
    running--;
  };

  return (number: string, key: string, body: PositionsRequest): Promise<void> => {
    const fingerprint = createHash('sha256').update(JSON.stringify(body)).digest('hex');
    const done = Promise.withResolvers<void>();
    waiting.push({ recording: { number, key, fingerprint, body }, done });
    void start();
    return done.promise;
  };
}
