import type { components } from '@waybill/contract/types';
import {
  type Expression,
  expressionBuilder,
  type Kysely,
  type OnConflictBuilder,
  type OnConflictTables,
  type OnConflictUpdateDatabase,
  type Selectable,
  type SelectQueryBuilder,
  sql,
} from 'kysely';
import { executeWithNextStatement } from '../database/driver.ts';
import { ago } from '../database/expressions.ts';
import type { Tables } from '../database/tables.ts';
import type { NewEvent } from '../event-feed/append.ts';
import { isJumpInSql } from './jumps.ts';
import { lockShipment } from './queries.ts';
import { earliestOf, movingStatuses, type NewPosition, newestOf, type Report } from './reports.ts';
import { changeFrom } from './status.ts';

type Status = components['schemas']['ShipmentStatus'];

/** A shipment that is locked. */
export interface LockedShipment {
  accountId: string;
  id: string;
  trackingNumber: string;
  status: Status;
}

/** Locks a shipment, for its status and its reports. @throws {Problem} not_found */
export const lockTrackedShipment = async (
  db: Kysely<Tables>,
  accountId: string,
  trackingNumber: string,
): Promise<LockedShipment> => ({
  accountId,
  trackingNumber,
  ...(await lockShipment(db, accountId, { tracking_number: trackingNumber }, ['id', 'status'])),
});

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
  const newest = newestOf(report);
  const { lat = null, lng = null, address = null, occurredAt: updated_at = null } = newest ?? {};
  const row = await db
    .insertInto('current_positions')
    .values({
      account_id: accountId,
      shipment_id: id,
      updated_at,
      lat,
      lng,
      address,
      eta,
      location_changed: newest !== undefined,
      eta_changed: eta !== null,
    })
    .onConflict(newestWins(sql.val(updated_at ?? at)))
    .returning(currentColumns)
    .executeTakeFirst();
  return row ? changeEvents(shipment, row) : [];
}

async function insertPositions(
  db: Kysely<Tables>,
  { accountId, id }: LockedShipment,
  positions: NewPosition[],
): Promise<void> {
  const rows = positions.map(({ occurredAt: updated_at, ...position }) => ({
    account_id: accountId,
    shipment_id: id,
    updated_at,
    ...position,
  }));
  await executeWithNextStatement(db, db.insertInto('positions').values(rows).onConflict(lastReceivedWins));
  const earliest = earliestOf(positions);
  const update = db
    .updateTable('shipments')
    .set({ route_since: earliest })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where((eb) => eb.or([eb('route_since', 'is', null), eb('route_since', '>', earliest)]));
  await executeWithNextStatement(db, update);
}

/** What an insertion of positions does when one has a known timestamp: it is stored again only with other values. */
export const lastReceivedWins = (conflict: OnConflictBuilder<Tables, 'positions'>) =>
  conflict
    .columns(['account_id', 'shipment_id', 'updated_at'])
    .doUpdateSet((eb) => ({
      lat: eb.ref('excluded.lat'),
      lng: eb.ref('excluded.lng'),
      address: eb.ref('excluded.address'),
    }))
    .where((eb) =>
      eb(
        eb.refTuple('positions.lat', 'positions.lng', 'positions.address'),
        'is distinct from',
        eb.refTuple('excluded.lat', 'excluded.lng', 'excluded.address'),
      ),
    );

const locationColumns = ['updated_at', 'lat', 'lng', 'address'] as const;
/** The columns of a current position that a report sets. The last two say what the last report has changed. */
export const currentColumns = [...locationColumns, 'eta', 'location_changed', 'eta_changed'] as const;

type CurrentPosition = Pick<Selectable<Tables['current_positions']>, (typeof currentColumns)[number]>;

/**
 * What an insertion of current positions does when there is one: the newest position wins, and of equal timestamps the last
 * one received. A row without a position has an `eta` only. Only rows that have changed are returned.
 * @param reportedAt when the row was reported
 */
export const newestWins =
  (reportedAt: Expression<Date>) => (conflict: OnConflictBuilder<Tables, 'current_positions'>) => {
    const eb = expressionBuilder<
      OnConflictUpdateDatabase<Tables, 'current_positions'>,
      OnConflictTables<'current_positions'>
    >();
    const columnsOf = (table: string, prefix = '') => ({
      updated_at: sql.ref(`${table}.${prefix}updated_at`),
      lat: sql.ref(`${table}.${prefix}lat`),
      lng: sql.ref(`${table}.${prefix}lng`),
    });
    const reported = columnsOf('excluded');
    // Another position of the same time corrects it. The second of two that are near each other is true.
    const isJumped = sql<boolean>`excluded.updated_at <> current_positions.updated_at and coalesce(${isJumpInSql(columnsOf('current_positions'), reported)}, false)
      and coalesce(${isJumpInSql(columnsOf('current_positions', 'jump_'), reported)}, true)`;
    const isMoved = eb.and([
      eb('excluded.updated_at', 'is not', null),
      sql<boolean>`not (${isJumped})`,
      eb.or(
        locationColumns.map((name) =>
          eb(eb.ref(`excluded.${name}`), 'is distinct from', eb.ref(`current_positions.${name}`)),
        ),
      ),
    ]);
    const isDelayed = eb.and([
      eb('excluded.eta', 'is not', null),
      eb('excluded.eta', 'is distinct from', eb.ref('current_positions.eta')),
    ]);
    const moved = <Name extends (typeof locationColumns)[number]>(name: Name) =>
      eb
        .case()
        .when(eb.or([eb('excluded.updated_at', 'is', null), isJumped]))
        .then(eb.ref(`current_positions.${name}`))
        .else(eb.ref(`excluded.${name}`))
        .end()
        .$castTo<CurrentPosition[Name]>();
    const jumped = (name: 'updated_at' | 'lat' | 'lng') =>
      sql<never>`case when excluded.updated_at is null then ${sql.ref(`current_positions.jump_${name}`)}
        when ${isJumped} then ${sql.ref(`excluded.${name}`)} end`;
    return conflict
      .columns(['account_id', 'shipment_id'])
      .doUpdateSet({
        jump_updated_at: jumped('updated_at'),
        jump_lat: jumped('lat'),
        jump_lng: jumped('lng'),
        updated_at: moved('updated_at'),
        lat: moved('lat'),
        lng: moved('lng'),
        address: moved('address'),
        eta: eb.fn.coalesce('excluded.eta', 'current_positions.eta').$castTo<Date | null>(),
        location_changed: isMoved.$castTo<boolean>(),
        eta_changed: isDelayed.$castTo<boolean>(),
      })
      .where(
        eb.and([
          eb.or([eb('current_positions.updated_at', 'is', null), eb('current_positions.updated_at', '<=', reportedAt)]),
          eb.or([isMoved, isDelayed, isJumped]),
        ]),
      );
  };

/** The id of the shipment is added when the event is read (events/event.ts). */
function changeEvents({ id, trackingNumber, status }: LockedShipment, row: CurrentPosition): NewEvent[] {
  const tracking_change = changeFrom({ ...row, tracking_number: trackingNumber, status });
  const types: NewEvent['type'][] = [
    ...(row.location_changed ? (['tracking.location_changed'] as const) : []),
    ...(row.eta_changed ? (['tracking.eta_changed'] as const) : []),
  ];
  return types.map((type) => ({ type, shipmentId: id, data: { tracking_change } }));
}

/** The positions of a route. @param since its first timestamp: partitions of earlier days are not read */
const positionsOf = (
  db: Kysely<Tables>,
  accountId: string,
  shipmentId: string,
  since: Date,
): SelectQueryBuilder<Tables, 'positions', object> =>
  db
    .selectFrom('positions')
    .where('account_id', '=', accountId)
    .where('shipment_id', '=', shipmentId)
    .where('updated_at', '>=', since)
    // No position is later, and the partitions of the next days are not read.
    .where('updated_at', '<', ago('-1 day'));

/** Up to `limit` positions of a route after a timestamp, oldest first. @param since the first timestamp of the route */
export function selectPositions(
  db: Kysely<Tables>,
  accountId: string,
  shipmentId: string,
  after: Date | undefined,
  limit: number,
  since: Date,
): Promise<{ lat: number; lng: number; address: string | null; updated_at: Date }[]> {
  let query = positionsOf(db, accountId, shipmentId, since).select(['lat', 'lng', 'address', 'updated_at']);
  if (after) query = query.where('updated_at', '>', after);
  return query.orderBy('updated_at').limit(limit).execute();
}

/** The newest positions of a route, oldest first. @param since the first timestamp of the route */
export async function selectNewestPositions(
  db: Kysely<Tables>,
  accountId: string,
  shipmentId: string,
  limit: number,
  since: Date,
): Promise<Pick<NewPosition, 'lat' | 'lng' | 'occurredAt'>[]> {
  const newest = await positionsOf(db, accountId, shipmentId, since)
    .select(['lat', 'lng', 'updated_at as occurredAt'])
    .orderBy('updated_at', 'desc')
    .limit(limit)
    .execute();
  return newest.reverse();
}
