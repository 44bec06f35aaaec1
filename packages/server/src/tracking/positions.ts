import { positionRules } from '@waybill/contract/lifecycle';
import { dateOf } from '@waybill/contract/validation/timestamps';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { noShipment } from '../http/problems.ts';

type Status = Tables['shipments']['status'];

export interface NewPosition {
  lat: number;
  lng: number;
  address?: string;
  occurredAt: Date;
}

// `positionRules` has `move` or `keep` for each status that accepts positions. Other statuses are absent.
const statusesAccepting = Object.keys(positionRules);
const statusesMovingLocation = Object.entries(positionRules).flatMap(([status, rule]) =>
  rule === 'move' ? status : [],
);

/**
 * Stores a batch of positions and, in a status whose rule is `move`, updates the current position and `eta`, in one
 * statement. Of equal timestamps the last one received wins, within a batch the later element. A late position does not
 * change the current one. Nothing is written for positions that are stored already. `eta` is stored if the batch has the
 * newest known position.
 * @returns the shipment's status: positions are stored only for some statuses
 * @throws {Problem} not_found
 */
export async function insertPositionsIfAccepted(
  db: Kysely<Tables>,
  accountId: string,
  trackingNumber: string,
  positions: NewPosition[],
  eta: string | undefined,
): Promise<Status> {
  const { rows } = await sql<{ status: Status }>`
    with shipment as (
      -- The lock orders the batches of a shipment, and the status does not change before the positions are stored.
      -- After the wait for the lock, upserts and updates use the latest committed rows, although the snapshot is older.
      select account_id, id, status from shipments
      where account_id = ${accountId} and tracking_number = ${trackingNumber}
      for no key update
    ),
    reported as (
      select distinct on (updated_at) *
      from unnest(${positions.map(({ occurredAt }) => occurredAt)}::timestamptz[], ${positions.map(({ lat }) => lat)}::float8[],
                  ${positions.map(({ lng }) => lng)}::float8[],
                  ${positions.map(({ address = null }) => address)}::text[])
        with ordinality as element(updated_at, lat, lng, address, index)
      order by updated_at, index desc
    ),
    stored as (
      insert into positions as old (account_id, shipment_id, updated_at, lat, lng, address)
      select account_id, id, updated_at, lat, lng, address
      from shipment, reported where status = any(${statusesAccepting}::text[])
      on conflict (account_id, shipment_id, updated_at) do update set
        lat = excluded.lat, lng = excluded.lng, address = excluded.address
      where (old.lat, old.lng, old.address) is distinct from (excluded.lat, excluded.lng, excluded.address)
    ),
    route as (
      update shipments s set route_since = first.updated_at
      from shipment, (select min(updated_at) as updated_at from reported) first
      where s.account_id = shipment.account_id and s.id = shipment.id
        and shipment.status = any(${statusesAccepting}::text[])
        and (s.route_since is null or s.route_since > first.updated_at)
    ),
    current_position as (
      insert into current_positions as old (account_id, shipment_id, updated_at, lat, lng, address, eta)
      select account_id, id, updated_at, lat, lng, address, ${eta ? dateOf(eta) : null}::timestamptz
      from shipment, (select * from reported order by updated_at desc limit 1) newest
      where status = any(${statusesMovingLocation}::text[])
      on conflict (account_id, shipment_id) do update set
        updated_at = excluded.updated_at, lat = excluded.lat, lng = excluded.lng, address = excluded.address,
        eta = coalesce(excluded.eta, old.eta)
      where (old.updated_at is null or old.updated_at <= excluded.updated_at)
        and (old.updated_at, old.lat, old.lng, old.address, old.eta) is distinct from
            (excluded.updated_at, excluded.lat, excluded.lng, excluded.address, coalesce(excluded.eta, old.eta))
    )
    select status from shipment`.execute(db);
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
