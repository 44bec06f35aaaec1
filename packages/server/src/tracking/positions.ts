import { isFinal } from '@waybill/contract/statuses';
import { leastJump, maxSpeed } from '@waybill/pages/places/jumps';
import { earthRadius } from '@waybill/pages/places/sphere';
import {
  type Expression,
  expressionBuilder,
  type Kysely,
  type OnConflictBuilder,
  type OnConflictTables,
  type OnConflictUpdateDatabase,
  type RawBuilder,
  type Selectable,
  type SelectQueryBuilder,
  sql,
} from 'kysely';
import { executeWithNextStatement } from '../database/driver.ts';
import { ago } from '../database/statements/expressions.ts';
import type { Tables } from '../database/tables.ts';
import type { NewEvent } from '../event-feed/append.ts';
import type { ShipmentKey, TrackedShipment } from './queries.ts';
import {
  earliestOf,
  movingStatuses,
  newestOf,
  type Place,
  type Position,
  type Report,
  type Status,
  storingStatuses,
} from './reports.ts';
import { currentFrom } from './status.ts';

/**
 * Stores a report of a locked shipment, as its status permits (`positions` of the contract): its positions, the beginning of its
 * route, and the current location and the estimated arrival, unless a newer position is known.
 * positions-group.ts does the same for a group, in one statement.
 * @param reached the status that the report comes with: a late step of a cancelled shipment has its location on the route
 * @returns the events of what has changed
 */
export async function storeReport(
  db: Kysely<Tables>,
  shipment: TrackedShipment,
  report: Report,
  reached: Status = shipment.status,
): Promise<NewEvent[]> {
  const { accountId, id, status } = shipment;
  const { positions, eta, at } = report;
  const isStored = storingStatuses.includes(status) || storingStatuses.includes(reached);
  if (positions.length > 0 && isStored) await insertPositions(db, shipment, positions);
  if (!movingStatuses.includes(status) || (positions.length === 0 && eta === null)) return [];
  const newest = newestOf(report);
  const { updated_at = null, lat = null, lng = null, address = null } = newest ?? {};
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

/** A report of a locked shipment, without positions later than its end. */
export async function untilEnd(db: Kysely<Tables>, shipment: TrackedShipment, report: Report): Promise<Report> {
  const { accountId, id, status } = shipment;
  if (!isFinal(status) || report.positions.length === 0) return report;
  const { occurred_at } = await db
    .selectFrom('tracking_events')
    .select('occurred_at')
    .where('account_id', '=', accountId)
    .where('shipment_id', '=', id)
    .where('status', '=', status)
    .where('voided_at', 'is', null)
    .executeTakeFirstOrThrow();
  return { ...report, positions: report.positions.filter(({ updated_at }) => updated_at <= occurred_at) };
}

async function insertPositions(
  db: Kysely<Tables>,
  { accountId, id }: ShipmentKey,
  positions: Position[],
): Promise<void> {
  const rows = positions.map((position) => ({ account_id: accountId, shipment_id: id, ...position }));
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

export const positionColumns = ['updated_at', 'lat', 'lng', 'address'] as const;
/** The columns of a current position that a report sets. The last two say what the last report has changed. */
export const currentColumns = [...positionColumns, 'eta', 'location_changed', 'eta_changed'] as const;

type PlaceColumns = Record<keyof Place, RawBuilder<unknown>>;

/** Whether a position is a jump from another one (`@waybill/pages/places/jumps.ts`). Null if there is no other one. */
const isJump = (from: PlaceColumns, to: PlaceColumns): RawBuilder<boolean> =>
  sql<boolean>`2 * ${sql.lit(earthRadius)} * asin(sqrt(least(1,
    power(sind((${to.lat} - ${from.lat}) / 2), 2)
    + cosd(${from.lat}) * cosd(${to.lat}) * power(sind((${to.lng} - ${from.lng}) / 2), 2))))
    > ${sql.lit(leastJump)} + ${sql.lit(maxSpeed)} * abs(extract(epoch from ${to.updated_at} - ${from.updated_at})) / 3600`;

type CurrentPosition = Pick<Selectable<Tables['current_positions']>, (typeof currentColumns)[number]>;

/**
 * What an insertion of current positions does when there is one that is not newer:
 *
 * | the report has                                          | current position | jump (`jump_…`) |
 * | ------------------------------------------------------- | ---------------- | --------------- |
 * | an `eta` only                                           | stays            | stays           |
 * | a jump from the current position, and from the last jump | stays            | reported        |
 * | any other position                                      | reported         | none            |
 *
 * So of equal timestamps the last one received wins. Only rows that have changed are returned.
 * @param reportedAt when the row was reported
 */
export const newestWins =
  (reportedAt: Expression<Date>) => (conflict: OnConflictBuilder<Tables, 'current_positions'>) => {
    const eb = expressionBuilder<
      OnConflictUpdateDatabase<Tables, 'current_positions'>,
      OnConflictTables<'current_positions'>
    >();
    const current = (name: string) => sql.ref(`current_positions.${name}`);
    const reported = (name: string) => sql.ref(`excluded.${name}`);
    const placeOf = (column: (name: string) => RawBuilder<unknown>, prefix = ''): PlaceColumns => ({
      updated_at: column(`${prefix}updated_at`),
      lat: column(`${prefix}lat`),
      lng: column(`${prefix}lng`),
    });
    const isJumpFrom = (from: PlaceColumns) => isJump(from, placeOf(reported));
    // Another position of the same time corrects it. The second of two that are near each other is true.
    const isJumped = sql<boolean>`${reported('updated_at')} <> ${current('updated_at')}
      and coalesce(${isJumpFrom(placeOf(current))}, false) and coalesce(${isJumpFrom(placeOf(current, 'jump_'))}, true)`;
    const isMoved = eb.and([
      eb('excluded.updated_at', 'is not', null),
      sql<boolean>`not (${isJumped})`,
      eb.or(
        positionColumns.map((name) =>
          eb(eb.ref(`excluded.${name}`), 'is distinct from', eb.ref(`current_positions.${name}`)),
        ),
      ),
    ]);
    const isDelayed = eb.and([
      eb('excluded.eta', 'is not', null),
      eb('excluded.eta', 'is distinct from', eb.ref('current_positions.eta')),
    ]);
    const inCase = <Value>(etaOnly: RawBuilder<unknown>, jump: RawBuilder<unknown>, other: RawBuilder<unknown>) =>
      sql<Value>`case when ${reported('updated_at')} is null then ${etaOnly} when ${isJumped} then ${jump} else ${other} end`;
    const moved = <Name extends (typeof positionColumns)[number]>(name: Name) =>
      inCase<CurrentPosition[Name]>(current(name), current(name), reported(name));
    const jumped = (name: keyof Place) => inCase<never>(current(`jump_${name}`), reported(name), sql`null`);
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

/** The id of the shipment is added when the event is read (events/event.ts). positions-group.ts makes the same in SQL. */
function changeEvents({ id, tracking_number, status }: TrackedShipment, row: CurrentPosition): NewEvent[] {
  const tracking_change = currentFrom({ ...row, tracking_number, status });
  const types: NewEvent['type'][] = [
    ...(row.location_changed ? (['tracking.location_changed'] as const) : []),
    ...(row.eta_changed ? (['tracking.eta_changed'] as const) : []),
  ];
  return types.map((type) => ({ type, shipmentId: id, data: { tracking_change } }));
}

/** A shipment, and the first timestamp of its route; null without positions. */
type Route = ShipmentKey & { route_since: Date | null };

/** The positions of a route. The partitions of earlier and of later days are not read: no position is later. */
const positionsOf = (
  db: Kysely<Tables>,
  { accountId, id }: ShipmentKey,
  since: Date,
): SelectQueryBuilder<Tables, 'positions', object> =>
  db
    .selectFrom('positions')
    .where('account_id', '=', accountId)
    .where('shipment_id', '=', id)
    .where('updated_at', '>=', since)
    .where('updated_at', '<', ago('-1 day'));

/** Up to `limit` positions of a route after a timestamp, oldest first. */
export async function selectPositions(
  db: Kysely<Tables>,
  route: Route,
  after: Date | undefined,
  limit: number,
): Promise<Position[]> {
  if (!route.route_since) return [];
  let query = positionsOf(db, route, route.route_since).select(positionColumns);
  if (after) query = query.where('updated_at', '>', after);
  return await query.orderBy('updated_at').limit(limit).execute();
}

/** The newest positions of a route, oldest first. */
export async function selectNewestPositions(db: Kysely<Tables>, route: Route, limit: number): Promise<Place[]> {
  if (!route.route_since) return [];
  const newest = await positionsOf(db, route, route.route_since)
    .select(['updated_at', 'lat', 'lng'])
    .orderBy('updated_at', 'desc')
    .limit(limit)
    .execute();
  return newest.reverse();
}
