import { isFinal, steps } from '@waybill/contract/statuses';
import {
  certainAgreeing,
  leastAgreeing,
  leastJump,
  maxSpeed,
  mostAgreeing,
  settled,
} from '@waybill/pages/places/jumps';
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
import { getShipment, type ShipmentKey, type TrackedShipment } from './queries.ts';
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
 * @param source the id of the entry of the timeline or of the exception that it comes with; null for positions
 * @returns the events of what has changed
 */
export async function storeReport(
  db: Kysely<Tables>,
  shipment: TrackedShipment,
  report: Report,
  { reached = shipment.status, source = null }: { reached?: Status; source?: string | null } = {},
): Promise<NewEvent[]> {
  const { accountId, id, status } = shipment;
  const { positions, eta, at } = report;
  const isStored = storingStatuses.includes(status) || storingStatuses.includes(reached);
  if (positions.length > 0 && isStored) await insertPositions(db, shipment, positions);
  if (!movingStatuses.includes(status) || (positions.length === 0 && eta === undefined)) return [];
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
      eta: eta ?? null,
      ...(eta !== undefined && (source ? { eta_source: source } : { position_eta: eta, position_eta_at: at })),
      agreeing: newest?.agreeing ?? null,
      location_changed: newest !== undefined,
      eta_changed: eta instanceof Date,
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

const withoutSigns = ({ lat, lng, ...place }: PlaceColumns): PlaceColumns => ({
  ...place,
  lat: sql`abs(${lat})`,
  lng: sql`abs(${lng})`,
});
const exchanged = ({ lat, lng, ...place }: PlaceColumns): PlaceColumns => ({ ...place, lat: lng, lng: lat });

type CurrentPosition = Pick<Selectable<Tables['current_positions']>, (typeof currentColumns)[number]>;

/**
 * What an insertion of current positions does when there is one that is not newer:
 *
 * `eta` becomes the reported one, if there is one, or null.
 *
 * | the report has                                          | current position | jump (`jump_…`) |
 * | ------------------------------------------------------- | ---------------- | --------------- |
 * | an `eta` only                                           | stays            | stays           |
 * | a jump, which more positions agree with than with the current one | reported | none         |
 * | any other jump                                          | stays            | reported        |
 * | what devices report by error (`isDeviceError` there)    | stays            | stays           |
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
    const agreeing = sql`coalesce(${current('agreeing')}, ${sql.lit(leastAgreeing)})`;
    const isAgain = sql`${reported('updated_at')} = ${current('jump_updated_at')}`;
    const elsewhere = sql`case when coalesce(${isJumpFrom(placeOf(current, 'jump_'))}, true) then ${reported('agreeing')}
      else coalesce(${current('jump_agreeing')}, 1) + case when ${isAgain} then 0 else ${reported('agreeing')} end end`;
    // Another position of the same time corrects it.
    const isFar = sql<boolean>`coalesce(${reported('updated_at')} <> ${current('updated_at')} and ${isJumpFrom(placeOf(current))}, false)`;
    const [one, other] = [withoutSigns(placeOf(current)), withoutSigns(placeOf(reported))];
    const zero = { ...placeOf(reported), lat: sql.lit(0), lng: sql.lit(0) };
    const isDeviceError = sql<boolean>`(${isFar} and ${agreeing} >= ${sql.lit(certainAgreeing)} and not (
      ${isJump(one, other)} and ${isJump(one, exchanged(other))} and ${isJump(zero, placeOf(reported))}))`;
    const isJumped = sql<boolean>`(${isFar} and not ${isDeviceError}
      and ${elsewhere} <= least(greatest(${agreeing}, ${sql.lit(leastAgreeing)}), ${sql.lit(mostAgreeing)}))`;
    const isMoved = eb.and([
      eb('excluded.updated_at', 'is not', null),
      sql<boolean>`not (${isFar} and (${isJumped} or ${isDeviceError}))`,
      eb.or(
        positionColumns.map((name) =>
          eb(eb.ref(`excluded.${name}`), 'is distinct from', eb.ref(`current_positions.${name}`)),
        ),
      ),
    ]);
    const isEstimated = sql<boolean>`(${reported('position_eta_at')} is not null or ${reported('eta_source')} is not null)`;
    const isDelayed = eb.and([isEstimated, eb('excluded.eta', 'is distinct from', eb.ref('current_positions.eta'))]);
    const when = <Value>(condition: RawBuilder<boolean>, name: string) =>
      sql<Value>`case when ${condition} then ${reported(name)} else ${current(name)} end`;
    const isByPositions = sql<boolean>`${reported('position_eta_at')} is not null`;
    // Most positions are not far, which is computed once for each column.
    const inCase = <Value>(stays: RawBuilder<unknown>, jump: RawBuilder<unknown>, other: RawBuilder<unknown>) =>
      sql<Value>`case when ${reported('updated_at')} is null then ${stays} when not ${isFar} then ${other}
        when ${isDeviceError} then ${stays} when ${isJumped} then ${jump} else ${other} end`;
    const moved = <Name extends (typeof positionColumns)[number]>(name: Name) =>
      inCase<CurrentPosition[Name]>(current(name), current(name), reported(name));
    const jumped = (name: keyof Place) => inCase<never>(current(`jump_${name}`), reported(name), sql`null`);
    const together = sql`case when ${current('updated_at')} is null then ${reported('agreeing')} when ${isFar} then ${elsewhere}
      when ${reported('updated_at')} = ${current('updated_at')} then ${agreeing}
      else least(${agreeing} + ${reported('agreeing')}, ${sql.lit(mostAgreeing + 1)}) end`;
    return conflict
      .columns(['account_id', 'shipment_id'])
      .doUpdateSet({
        jump_updated_at: jumped('updated_at'),
        jump_lat: jumped('lat'),
        jump_lng: jumped('lng'),
        jump_agreeing: inCase<number | null>(current('jump_agreeing'), elsewhere, sql`null`),
        agreeing: inCase<number | null>(current('agreeing'), current('agreeing'), together),
        updated_at: moved('updated_at'),
        lat: moved('lat'),
        lng: moved('lng'),
        address: moved('address'),
        eta: when<Date | null>(isEstimated, 'eta'),
        eta_source: when<string | null>(isEstimated, 'eta_source'),
        position_eta: when<Date | null>(isByPositions, 'position_eta'),
        position_eta_at: when<Date | null>(isByPositions, 'position_eta_at'),
        location_changed: isMoved.$castTo<boolean>(),
        eta_changed: isDelayed.$castTo<boolean>(),
      })
      .where(
        eb.and([
          eb.or([eb('current_positions.updated_at', 'is', null), eb('current_positions.updated_at', '<=', reportedAt)]),
          eb.or([
            eb('current_positions.counts_after', 'is', null),
            eb('current_positions.counts_after', '<', reportedAt),
          ]),
          eb.or([isMoved, isEstimated, isJumped]),
        ]),
      );
  };

/**
 * Makes everything that was reported of a locked shipment until now history, such as by a carrier that has dropped the load.
 * @returns the events of what has changed
 */
export async function forgetReports(db: Kysely<Tables>, shipment: TrackedShipment): Promise<NewEvent[]> {
  const { accountId, id } = shipment;
  const latestOf = (table: 'tracking_events' | 'exceptions') =>
    db
      .selectFrom(table)
      .select((eb) => eb.fn.max<Date | null>('occurred_at').as('latest'))
      .where('account_id', '=', accountId)
      .where('shipment_id', '=', id)
      .where('eta', 'is not', null);
  const row = await db
    .updateTable('current_positions')
    .set((eb) => ({
      counts_after: sql<Date | null>`greatest(counts_after, updated_at, jump_updated_at, position_eta_at,
        ${latestOf('tracking_events')}, ${latestOf('exceptions')})`,
      location_changed: eb('updated_at', 'is not', null).$castTo<boolean>(),
      eta_changed: eb('eta', 'is not', null).$castTo<boolean>(),
      ...{ updated_at: null, lat: null, lng: null, address: null, agreeing: null, ...noJump },
      ...{ eta: null, eta_source: null, position_eta: null, position_eta_at: null },
    }))
    .where('account_id', '=', accountId)
    .where('shipment_id', '=', id)
    .returning(currentColumns)
    .executeTakeFirst();
  return row ? changeEvents(shipment, row) : [];
}

const noJump = { jump_updated_at: null, jump_lat: null, jump_lng: null, jump_agreeing: null };

/**
 * Takes back what came with a voided entry of the timeline or exception of a locked shipment: the newest position and the last
 * estimated arrival of those that count are current again. A shipment that has no driver any more has neither.
 * @param shipment with its status without the entry
 * @returns the events of what has changed
 */
export async function withdrawReport(
  db: Kysely<Tables>,
  shipment: TrackedShipment,
  { source, at, wasEnded }: { source: string; at: Date; wasEnded: boolean },
): Promise<NewEvent[]> {
  const { accountId, id, status } = shipment;
  if (!isFinal(status) && !movingStatuses.includes(status)) return forgetReports(db, shipment);
  const before = await db
    .selectFrom('current_positions')
    .select([...currentColumns, 'eta_source'])
    .where('account_id', '=', accountId)
    .where('shipment_id', '=', id)
    .executeTakeFirst();
  // One that was overtaken was stored a millisecond earlier (`before` of reports.ts).
  const isOwn = [0, 1].includes(at.getTime() - (before?.updated_at?.getTime() ?? Number.NaN));
  const isMoved = isOwn || (wasEnded && !isFinal(status));
  const isDelayed = before?.eta_source === source;
  if (!isMoved && !isDelayed) return [];
  const route = isMoved && (await getShipment(db, accountId, { id }, ['id', 'route_since']));
  const found = route && settled(await selectNewestPositions(db, route, 20));
  const { updated_at = null, lat = null, lng = null, address = null } = (found ? found.kept.at(-1) : before) ?? {};
  const { eta = null, eta_source = null } = (isDelayed ? await latestArrival(db, shipment) : before) ?? {};
  const columns = {
    ...{ updated_at, lat, lng, address, eta, eta_source, ...noJump },
    ...(found && { agreeing: found.agreeing }),
    location_changed: updated_at?.getTime() !== before?.updated_at?.getTime(),
    eta_changed: eta?.getTime() !== before?.eta?.getTime(),
  };
  const row = await db
    .insertInto('current_positions')
    .values({ account_id: accountId, shipment_id: id, ...columns })
    .onConflict((conflict) => conflict.columns(['account_id', 'shipment_id']).doUpdateSet(columns))
    .returning(currentColumns)
    .executeTakeFirstOrThrow();
  return changeEvents(shipment, row);
}

/** The last estimated arrival of a shipment that counts, with what it came with. */
async function latestArrival(db: Kysely<Tables>, { accountId, id }: ShipmentKey) {
  const ofShipment = sql`account_id = ${accountId} and shipment_id = ${id}`;
  const { rows } = await sql<{ eta: Date | null; eta_source: string | null }>`
    select r.eta, r.eta_source from current_positions c, lateral (
        select eta, id as eta_source, occurred_at as at from tracking_events t
          where ${ofShipment} and voided_at is null and (eta is not null or clears_eta) and not exists (
            select from tracking_events where ${ofShipment} and voided_at is null and occurred_at = t.occurred_at
              and (eta is not null or clears_eta) and array_position(${steps}::text[], status) > array_position(${steps}::text[], t.status))
        union all select eta, id, occurred_at from exceptions
          where ${ofShipment} and voided_at is null and (eta is not null or clears_eta)
        union all select c.position_eta, null, c.position_eta_at where c.position_eta_at is not null
      ) r
    where c.account_id = ${accountId} and c.shipment_id = ${id} and r.at > coalesce(c.counts_after, '-infinity')
    order by r.at desc, r.eta_source desc nulls last limit 1`.execute(db);
  return rows[0];
}

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

/**
 * The newest positions of a route that count, oldest first: without those of voided entries and exceptions, and of an earlier carrier.
 */
export async function selectNewestPositions(db: Kysely<Tables>, route: Route, limit: number): Promise<Position[]> {
  if (!route.route_since) return [];
  const ofShipment = sql`account_id = ${route.accountId} and shipment_id = ${route.id}`;
  const newest = await positionsOf(db, route, route.route_since)
    .select(positionColumns)
    .where(sql<boolean>`updated_at > coalesce(
      (select counts_after from current_positions where ${ofShipment}), '-infinity')`)
    .where(sql<boolean>`updated_at not in (
      select occurred_at from (
        select occurred_at, voided_at, null as status from tracking_events where ${ofShipment}
        union all select occurred_at - interval '1 millisecond', voided_at, status from tracking_events where ${ofShipment}
        union all select occurred_at, voided_at, null from exceptions where ${ofShipment}
      ) e group by occurred_at, status having bool_and(voided_at is not null))`)
    .orderBy('updated_at', 'desc')
    .limit(limit)
    .execute();
  return newest.reverse();
}
