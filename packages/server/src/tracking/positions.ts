import { positions as rules } from '@waybill/contract/lifecycle';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.ts';

type Status = Tables['shipments']['status'];

export interface NewPosition {
  lat: number;
  lng: number;
  address?: string;
  at: Date;
}

const statusesThat = (...what: string[]): string[] =>
  Object.entries(rules).flatMap(([status, rule]) => (what.includes(rule) ? status : []));
const keeping = statusesThat('keep', 'move');
const moving = statusesThat('move');

/**
 * Stores a batch of positions and moves the current one, in one statement. Of equal timestamps the report received last
 * wins, within a batch the later element; a late position is stored and moves nothing. What is stored already is not
 * written again. The estimated arrival counts if the batch holds the newest position that is known.
 * @returns the shipment's status, which decided what was stored; undefined when the account has no such shipment
 */
export async function insertPositions(
  db: Kysely<Tables>,
  accountId: string,
  trackingNumber: string,
  positions: NewPosition[],
  eta: string | undefined,
): Promise<Status | undefined> {
  const { rows } = await sql<{ status: Status }>`
    with s as (
      -- One batch of a shipment at a time: the last to get the lock is the last on the route and in the current
      -- position, and the status stays as it is until the positions are in.
      select account_id, id, status from shipments
      where account_id = ${accountId} and tracking_number = ${trackingNumber}
      for no key update
    ),
    p as (
      select distinct on (updated_at) *
      from unnest(${positions.map(({ at }) => at)}::timestamptz[], ${positions.map(({ lat }) => lat)}::float8[],
                  ${positions.map(({ lng }) => lng)}::float8[],
                  ${positions.map(({ address = null }) => address)}::text[])
        with ordinality as p(updated_at, lat, lng, address, place)
      order by updated_at, place desc
    ),
    kept as (
      insert into positions as r (account_id, shipment_id, updated_at, lat, lng, address)
      select s.account_id, s.id, p.updated_at, p.lat, p.lng, p.address
      from s, p where s.status = any(${keeping}::text[])
      on conflict (account_id, shipment_id, updated_at) do update set
        lat = excluded.lat, lng = excluded.lng, address = excluded.address
      where (r.lat, r.lng, r.address) is distinct from (excluded.lat, excluded.lng, excluded.address)
    ),
    earlier as (
      update shipments x set route_since = o.since
      from s, (select min(updated_at) as since from p) o
      where x.account_id = s.account_id and x.id = s.id and s.status = any(${keeping}::text[])
        and (x.route_since is null or x.route_since > o.since)
    ),
    moved as (
      insert into current_positions as c (account_id, shipment_id, updated_at, lat, lng, address, eta)
      select s.account_id, s.id, n.updated_at, n.lat, n.lng, n.address, ${eta ? new Date(eta) : null}::timestamptz
      from s, (select * from p order by updated_at desc limit 1) n
      where s.status = any(${moving}::text[])
      on conflict (account_id, shipment_id) do update set
        updated_at = excluded.updated_at, lat = excluded.lat, lng = excluded.lng, address = excluded.address,
        eta = coalesce(excluded.eta, c.eta)
      where (c.updated_at is null or c.updated_at <= excluded.updated_at)
        and (c.updated_at, c.lat, c.lng, c.address, c.eta) is distinct from
            (excluded.updated_at, excluded.lat, excluded.lng, excluded.address, coalesce(excluded.eta, c.eta))
    )
    select status from s`.execute(db);
  return rows[0]?.status;
}

/** Keeps the estimated arrival as of a moment, unless a newer position is already known. */
export async function keepEta(
  db: Kysely<Tables>,
  accountId: string,
  shipmentId: string,
  asOf: Date,
  eta: Date,
): Promise<void> {
  await db
    .insertInto('current_positions')
    .values({ account_id: accountId, shipment_id: shipmentId, eta })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'shipment_id'])
        .doUpdateSet({ eta })
        .where((is) =>
          is.or([is('current_positions.updated_at', 'is', null), is('current_positions.updated_at', '<=', asOf)]),
        ),
    )
    .execute();
}

/**
 * Up to `limit` positions after a moment, oldest first.
 * @param since the earliest of the shipment: the partitions of earlier days are not read
 */
export function selectPositions(
  db: Kysely<Tables>,
  accountId: string,
  shipmentId: string,
  after: Date | undefined,
  limit: number,
  since: Date,
): Promise<{ lat: number; lng: number; address: string | null; updated_at: Date }[]> {
  let query = db
    .selectFrom('positions')
    .select(['lat', 'lng', 'address', 'updated_at'])
    .where('account_id', '=', accountId)
    .where('shipment_id', '=', shipmentId)
    .where('updated_at', '>=', since)
    // No position is later: this spares the partitions of the days to come.
    .where('updated_at', '<', sql<Date>`now() + interval '1 day'`);
  if (after) query = query.where('updated_at', '>', after);
  return query.orderBy('updated_at').limit(limit).execute();
}
