import type { components } from '@waybill/contract/types';
import { noShipment } from '@waybill/http/shipments/refusals';
import { movingStatuses, type NewPosition, type Report } from '@waybill/http/shipments/tracking';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../database/tables.ts';
import type { NewEvent } from '../event-feed/append.ts';

type Status = components['schemas']['ShipmentStatus'];

/**
 * Locks a shipment, so that its reports are stored one after the other and its status does not change meanwhile.
 * @throws {Problem} not_found
 */
export async function lockShipmentOrThrow(
  db: Kysely<Tables>,
  accountId: string,
  trackingNumber: string,
): Promise<{ id: string; status: Status }> {
  const row = await db
    .selectFrom('shipments')
    .select(['id', 'status'])
    .where('account_id', '=', accountId)
    .where('tracking_number', '=', trackingNumber)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!row) throw noShipment();
  return row;
}

/** A shipment that is locked. */
export interface LockedShipment {
  accountId: string;
  id: string;
  trackingNumber: string;
  status: Status;
}

/**
 * Stores a report of a locked shipment: its positions, the beginning of its route, and the current location and the
 * estimated arrival, unless a newer position is known.
 * @returns the events of what has changed
 */
export async function storeReport(db: Kysely<Tables>, shipment: LockedShipment, report: Report): Promise<NewEvent[]> {
  const { accountId, id, status } = shipment;
  const { positions, eta, at } = report;
  if (positions.length > 0) await insertPositions(db, shipment, positions);
  if (!movingStatuses.includes(status) || (positions.length === 0 && eta === null)) return [];
  const newest = positions.find(({ occurredAt }) => occurredAt.getTime() === at.getTime());
  const { rows } = await sql<CurrentPosition>`
    insert into current_positions as old (account_id, shipment_id, ${currentColumns})
    values (${accountId}, ${id}, ${newest?.occurredAt ?? null}, ${newest?.lat ?? null}, ${newest?.lng ?? null},
      ${newest?.address ?? null}, ${eta}, ${newest !== undefined}, ${eta !== null})
    ${newestWins(sql`${at}::timestamptz`)}`.execute(db);
  return rows.flatMap((row) => changeEvents(shipment, row));
}

async function insertPositions(
  db: Kysely<Tables>,
  { accountId, id }: LockedShipment,
  positions: NewPosition[],
): Promise<void> {
  const rows = positions.map(({ occurredAt: updated_at, ...position }) => ({
    ...{ account_id: accountId, shipment_id: id, updated_at, ...position },
  }));
  await db
    .insertInto('positions')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'shipment_id', 'updated_at'])
        .doUpdateSet((is) => ({
          lat: is.ref('excluded.lat'),
          lng: is.ref('excluded.lng'),
          address: is.ref('excluded.address'),
        }))
        .where(isOtherPosition('positions')),
    )
    .execute();
  const earliest = new Date(Math.min(...positions.map(({ occurredAt }) => occurredAt.getTime())));
  await db
    .updateTable('shipments')
    .set({ route_since: earliest })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where((is) => is.or([is('route_since', 'is', null), is('route_since', '>', earliest)]))
    .execute();
}

/** A position with a known timestamp is stored again only with other values. @param stored the table or its alias */
export const isOtherPosition = (stored: string): RawBuilder<boolean> => {
  const column = (name: string) => sql.ref(`${stored}.${name}`);
  return sql`(${column('lat')}, ${column('lng')}, ${column('address')})
    is distinct from (excluded.lat, excluded.lng, excluded.address)`;
};

/** The columns of a current position that a report sets. The last two say what the last report has changed. */
export const currentColumns: RawBuilder<unknown> = sql`updated_at, lat, lng, address, eta, location_changed, eta_changed`;

/** A current position that a report has changed. */
interface CurrentPosition {
  updated_at: Date | null;
  lat: number | null;
  lng: number | null;
  address: string | null;
  eta: Date | null;
  location_changed: boolean;
  eta_changed: boolean;
}

/**
 * What an insertion of current positions, as `old`, does when there is one: the newest position wins, and of equal
 * timestamps the last one received. It returns the rows that have changed. A row without a position has an `eta` only.
 * @param reportedAt when the row was reported
 */
export const newestWins = (reportedAt: RawBuilder<unknown>): RawBuilder<unknown> => {
  const isMoved = sql`excluded.updated_at is not null and (old.updated_at, old.lat, old.lng, old.address)
    is distinct from (excluded.updated_at, excluded.lat, excluded.lng, excluded.address)`;
  const isDelayed = sql`excluded.eta is not null and excluded.eta is distinct from old.eta`;
  const moved = (name: string) =>
    sql`${sql.ref(name)} = case when excluded.updated_at is null then old.${sql.ref(name)} else excluded.${sql.ref(name)} end`;
  return sql`
    on conflict (account_id, shipment_id) do update set
      ${sql.join(['updated_at', 'lat', 'lng', 'address'].map(moved))},
      eta = coalesce(excluded.eta, old.eta), location_changed = ${isMoved}, eta_changed = ${isDelayed}
    where (old.updated_at is null or old.updated_at <= ${reportedAt}) and (${isMoved} or ${isDelayed})
    returning account_id, shipment_id, ${currentColumns}`;
};

/** The id of the shipment is added when the event is read (events/event.ts). */
function changeEvents({ id, trackingNumber, status }: LockedShipment, row: CurrentPosition): NewEvent[] {
  const { lat, lng, address, updated_at } = row;
  const hasLocation = lat !== null && lng !== null && updated_at !== null;
  const tracking_change = {
    ...{ tracking_number: trackingNumber, status, eta: row.eta?.toISOString() ?? null },
    current_location: hasLocation ? { lat, lng, address, updated_at: updated_at.toISOString() } : null,
  };
  const types: NewEvent['type'][] = [
    ...(row.location_changed ? (['tracking.location_changed'] as const) : []),
    ...(row.eta_changed ? (['tracking.eta_changed'] as const) : []),
  ];
  return types.map((type) => ({ type, shipmentId: id, data: { tracking_change } }));
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
