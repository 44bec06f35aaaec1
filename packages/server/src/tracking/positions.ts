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
 * Keeps a batch of positions and moves the current one, in one statement. A moment that is already on the route stays
 * as it was first told, so repeating a batch is harmless; a late position is kept and moves nothing. The estimated
 * arrival counts if the batch holds the newest position that is known.
 * @returns the shipment's status, by which the batch was kept or not; undefined when the account has no such shipment
 */
export async function insertPositions(
  db: Kysely<Tables>,
  account: string,
  trackingNumber: string,
  positions: NewPosition[],
  eta: string | undefined,
): Promise<Status | undefined> {
  const { rows } = await sql<{ status: Status }>`
    with s as (
      -- The lock keeps the status as it is until the positions are in.
      select account_id, id, status from shipments
      where account_id = ${account} and tracking_number = ${trackingNumber}
      for share
    ),
    p as (
      select * from unnest(${positions.map(({ at }) => at)}::timestamptz[], ${positions.map(({ lat }) => lat)}::float8[],
                           ${positions.map(({ lng }) => lng)}::float8[],
                           ${positions.map(({ address = null }) => address)}::text[])
        with ordinality as p(updated_at, lat, lng, address, place)
    ),
    kept as (
      insert into positions (account_id, shipment_id, updated_at, lat, lng, address)
      select s.account_id, s.id, p.updated_at, p.lat, p.lng, p.address
      from s, p where s.status = any(${keeping}::text[])
      -- In one order for all, so that overlapping batches do not wait for each other in a circle.
      order by p.updated_at, p.place
      on conflict do nothing
    ),
    moved as (
      insert into current_positions as c (account_id, shipment_id, updated_at, lat, lng, address, eta)
      select s.account_id, s.id, n.updated_at, n.lat, n.lng, n.address, ${eta ? new Date(eta) : null}::timestamptz
      from s, (select * from p order by updated_at desc, place limit 1) n
      where s.status = any(${moving}::text[])
      on conflict (account_id, shipment_id) do update set
        updated_at = excluded.updated_at,
        lat = case when c.updated_at = excluded.updated_at then c.lat else excluded.lat end,
        lng = case when c.updated_at = excluded.updated_at then c.lng else excluded.lng end,
        address = case when c.updated_at = excluded.updated_at then c.address else excluded.address end,
        eta = coalesce(excluded.eta, c.eta)
      where c.updated_at is null or c.updated_at <= excluded.updated_at
    )
    select status from s`.execute(db);
  return rows[0]?.status;
}

/** Keeps the estimated arrival as of a moment, unless a newer position is already known. */
export async function keepEta(
  db: Kysely<Tables>,
  account: string,
  shipmentId: string,
  asOf: Date,
  eta: Date,
): Promise<void> {
  await db
    .insertInto('current_positions')
    .values({ account_id: account, shipment_id: shipmentId, eta })
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

/** Up to `limit` positions after a moment, oldest first. */
export function selectPositions(
  db: Kysely<Tables>,
  account: string,
  shipmentId: string,
  after: Date | undefined,
  limit: number,
): Promise<{ lat: number; lng: number; address: string | null; updated_at: Date }[]> {
  let query = db
    .selectFrom('positions')
    .select(['lat', 'lng', 'address', 'updated_at'])
    .where('account_id', '=', account)
    .where('shipment_id', '=', shipmentId);
  if (after) query = query.where('updated_at', '>', after);
  return query.orderBy('updated_at').limit(limit).execute();
}
