import { positions as rules } from '@waybill/contract/lifecycle';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { noShipment } from '../http/problems.ts';

type Status = Tables['shipments']['status'];

export interface NewPosition {
  lat: number;
  lng: number;
  address?: string;
  at: Date;
}

const storingStatuses = Object.keys(rules);
const movingStatuses = Object.entries(rules).flatMap(([status, rule]) => (rule === 'move' ? status : []));

/**
 * Stores a batch of positions and updates the current position, in one statement. Of equal timestamps the last one
 * received wins, within a batch the later element. A late position does not change the current one. Nothing is written
 * for positions that are stored already. `eta` is stored if the batch has the newest known position.
 * @returns the shipment's status: positions are stored only for some statuses
 * @throws {Problem} not_found
 */
export async function insertPositions(
  db: Kysely<Tables>,
  accountId: string,
  trackingNumber: string,
  positions: NewPosition[],
  eta: string | undefined,
): Promise<Status> {
  const { rows } = await sql<{ status: Status }>`
    with s as (
      -- The lock orders the batches of a shipment, and the status does not change before the positions are stored.
      select account_id, id, status from shipments
      where account_id = ${accountId} and tracking_number = ${trackingNumber}
      for no key update
    ),
    p as (
      select distinct on (updated_at) *
      from unnest(${positions.map(({ at }) => at)}::timestamptz[], ${positions.map(({ lat }) => lat)}::float8[],
                  ${positions.map(({ lng }) => lng)}::float8[],
                  ${positions.map(({ address = null }) => address)}::text[])
        with ordinality as p(updated_at, lat, lng, address, index)
      order by updated_at, index desc
    ),
    stored as (
      insert into positions as r (account_id, shipment_id, updated_at, lat, lng, address)
      select s.account_id, s.id, p.updated_at, p.lat, p.lng, p.address
      from s, p where s.status = any(${storingStatuses}::text[])
      on conflict (account_id, shipment_id, updated_at) do update set
        lat = excluded.lat, lng = excluded.lng, address = excluded.address
      where (r.lat, r.lng, r.address) is distinct from (excluded.lat, excluded.lng, excluded.address)
    ),
    route as (
      update shipments x set route_since = o.since
      from s, (select min(updated_at) as since from p) o
      where x.account_id = s.account_id and x.id = s.id and s.status = any(${storingStatuses}::text[])
        and (x.route_since is null or x.route_since > o.since)
    ),
    moved as (
      insert into current_positions as c (account_id, shipment_id, updated_at, lat, lng, address, eta)
      select s.account_id, s.id, n.updated_at, n.lat, n.lng, n.address, ${eta ? new Date(eta) : null}::timestamptz
      from s, (select * from p order by updated_at desc limit 1) n
      where s.status = any(${movingStatuses}::text[])
      on conflict (account_id, shipment_id) do update set
        updated_at = excluded.updated_at, lat = excluded.lat, lng = excluded.lng, address = excluded.address,
        eta = coalesce(excluded.eta, c.eta)
      where (c.updated_at is null or c.updated_at <= excluded.updated_at)
        and (c.updated_at, c.lat, c.lng, c.address, c.eta) is distinct from
            (excluded.updated_at, excluded.lat, excluded.lng, excluded.address, coalesce(excluded.eta, c.eta))
    )
    select status from s`.execute(db);
  const [shipment] = rows;
  if (!shipment) throw noShipment();
  return shipment.status;
}

/** Stores an estimated arrival that was made at a timestamp, unless a newer position is known. */
export async function updateEta(
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
 * Up to `limit` positions after a timestamp, oldest first.
 * @param since the first timestamp of the route: partitions of earlier days are not read
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
    // No position is later, and the partitions of the next days are not read.
    .where('updated_at', '<', sql<Date>`now() + interval '1 day'`);
  if (after) query = query.where('updated_at', '>', after);
  return query.orderBy('updated_at').limit(limit).execute();
}
