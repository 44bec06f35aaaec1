import { maxTotalCount } from '@waybill/contract/limits';
import { statusesBefore } from '@waybill/contract/statuses';
import { type Expression, type Kysely, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely';
import { lowestUuid } from '../database/identifiers.ts';
import { isOneOf } from '../database/statements/expressions.ts';
import { type RowStatement, rowStatement, rowsOf } from '../database/statements/row-statement.ts';
import type { Tables } from '../database/tables.ts';
import { everyStatus, type OrderTime, type ShipmentFilters } from './filters.ts';

/** A prepared `select *` fails once on each connection after a migration has added a column. */
export const shipmentColumns = [
  'account_id',
  'id',
  'tracking_number',
  'status',
  'type',
  'origin',
  'destination',
  'pickup_start',
  'pickup_end',
  'reference',
  'notes',
  'details',
  'cancellation_reason',
  'handover_code',
  'updated_at',
] as const;

/** A stored shipment. */
export type ShipmentRow = Pick<Selectable<Tables['shipments']>, (typeof shipmentColumns)[number]>;

type WantedShipment = Pick<ShipmentRow, 'account_id' | 'id'>;

/** Selects shipments by their ids. */
export const selectShipments: RowStatement<{ wanted: WantedShipment }, ShipmentRow> = rowStatement(
  { wanted: rowsOf<WantedShipment>({ account_id: 'uuid', id: 'uuid' }) },
  (db, { wanted }) =>
    db
      .selectFrom(wanted.as('w'))
      .innerJoin('shipments as s', (join) => join.onRef('s.account_id', '=', 'w.account_id').onRef('s.id', '=', 'w.id'))
      .select(shipmentColumns.map((column) => `s.${column}` as const))
      // Citus finds the shards of the accounts by it.
      .where((eb) => eb('s.account_id', '=', eb.fn.any(wanted.distinct('account_id')))),
);

/** Time that a list is ordered by, before the id → its expression in an index. */
const times: Record<OrderTime, RawBuilder<Date | string>> = {
  updated_at: sql.ref<Date>('updated_at'),
  pickup_start: sql.ref<Date>('pickup_start'),
  pickup_end: sql.ref<Date>('pickup_end'),
  /** As it is stored: text of a time in UTC, which sorts as the time does. */
  delivery_start: sql<string>`((details -> 'delivery_window' ->> 'start') collate "C")`,
};

/** A shipment of a list, with the time of its order, if it has one. */
export type ListedRow = ShipmentRow & { order_time?: Date | string };

/** The last shipment of a page. */
export type ShipmentPlace = Pick<ShipmentRow, 'id'> & { time?: Date };

/** Up to `limit` shipments after a place. Each page reads about as many rows as it returns. */
export const selectShipmentPage = (
  db: Kysely<Tables>,
  accountId: string,
  filters: ShipmentFilters,
  page: Omit<Page, 'columns'>,
): Promise<ListedRow[]> => pageQuery(db, accountId, filters, { ...page, columns: shipmentColumns }).execute();

/** How many shipments match, up to a limit, so that a count reads a bounded part of an index. */
export async function countShipments(
  db: Kysely<Tables>,
  accountId: string,
  filters: ShipmentFilters,
  limit: number = maxTotalCount,
): Promise<number> {
  const page = pageQuery(db, accountId, filters, { limit, columns: ['id'] });
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from (${page}) as page`.execute(db);
  return rows[0]?.count ?? 0;
}

interface Page {
  after?: ShipmentPlace | undefined;
  limit: number;
  columns: readonly (typeof shipmentColumns)[number][];
}

/**
 * A condition of equality whose index is always used. PostgreSQL expects few rows in a range, and of a value as many as others
 * have: while most rows have one value, a search for another one would read them all in the order of the list.
 */
const equalByIndex = (column: RawBuilder<unknown>, value: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`${column} = ${value} and ${column} between ${value} and ${value}`;

/** A reference without blanks and capital letters, as its indexes have it: people write the same number in several ways. */
const referenceKey = (reference: RawBuilder<string>): RawBuilder<string> =>
  sql`lower(regexp_replace(${reference}, '[[:space:]\\u00a0\\u1680\\u2000-\\u200b\\u202f\\u205f\\u3000\\ufeff]', '', 'g'))`;

/**
 * The order is newest first, or with `range` the earliest time first. Ids contain the time of creation, so that one index serves
 * every range of it.
 */
function pageQuery(
  db: Kysely<Tables>,
  accountId: string,
  filters: ShipmentFilters,
  { after, limit, columns }: Page,
): Expression<ListedRow> & { execute(): Promise<ListedRow[]> } {
  const { statuses, reference, trackingNumber, from, to, range, ...few } = filters;
  const { hasException, carrierScac, destinationCity, ...others } = few;
  others satisfies Record<string, never>; // every filter selects
  const time = range && times[range.by];
  const boundOf = (date: Date): Date | string => (range?.by === 'delivery_start' ? date.toISOString() : date);
  const names = [...columns, ...(time ? (['order_time'] as const) : [])];
  const order = time ? sql`order_time, id` : sql`id desc`;
  const ids: [operator: '<' | '>=', id: string][] = [];
  if (from) ids.push(['>=', lowestUuid(from)]);
  if (to) ids.push(['<', lowestUuid(to)]);
  if (after && !time) ids.push(['<', after.id]);

  let query = db
    .selectFrom('shipments')
    .select([...columns, ...(time ? [time.as('order_time')] : [])])
    .where('account_id', '=', accountId)
    .orderBy(order)
    .limit(limit);
  for (const [operator, id] of ids) query = query.where('id', operator, id);
  if (time && range.from) query = query.where(time, '>=', boundOf(range.from));
  if (time && range.to) query = query.where(time, '<', boundOf(range.to));
  if (time && after?.time) query = query.where(sql<boolean>`(${time}, id) > (${boundOf(after.time)}, ${after.id})`);
  // The condition of its index, in literals.
  if (range?.by === 'pickup_end') query = query.where(isOneOf('status', [...statusesBefore('picked_up')]));
  if (trackingNumber !== undefined) query = query.where('tracking_number', '=', trackingNumber);
  if (hasException) query = query.where('open_exceptions', '>', sql.lit(0)); // a literal, for its index
  if (carrierScac !== undefined)
    query = query.where(equalByIndex(sql`details -> 'carrier' ->> 'scac'`, sql`${carrierScac}`));
  if (destinationCity !== undefined)
    query = query.where(equalByIndex(sql`lower(destination ->> 'city')`, sql`lower(${destinationCity}::text)`));

  const isOfFew = reference !== undefined || trackingNumber !== undefined;
  // The other indexes begin with one status: the page is the first rows of those of each status.
  const isByStatus = range ? range.by !== 'pickup_end' : Object.values(few).some(Boolean);
  const separate = isOfFew ? [] : (statuses ?? (isByStatus ? everyStatus : []));
  if (statuses && separate.length < 2) query = query.where('status', 'in', statuses);
  if (reference !== undefined) {
    const wanted = referenceKey(sql`${reference}::text`);
    let found = db
      .selectFrom('shipment_references')
      .select('shipment_id')
      .where('account_id', '=', accountId)
      .where(referenceKey(sql.ref('value')), '=', wanted)
      .orderBy('shipment_id', 'desc');
    for (const [operator, id] of ids) found = found.where('shipment_id', operator, id);
    // A lateral join reads the shipments in the order of what is found, and only as many as the page has.
    const ofReferences = db
      .selectFrom(found.as('r'))
      .innerJoinLateral(query.where('id', '=', sql.ref<string>('r.shipment_id')).as('s'), (join) => join.onTrue())
      .select(names.map((name) => `s.${name}` as const))
      .orderBy(time ? order : sql`shipment_id desc`)
      .limit(limit);
    return db
      .selectFrom(
        query
          .where(referenceKey(sql.ref('reference')), '=', wanted)
          .where('reference', 'is not', null)
          .as('s'),
      )
      .select(names)
      .union(db.selectFrom(ofReferences.as('s')).select(names))
      .orderBy(order)
      .limit(limit);
  }
  const [first, ...more] = separate.map((status) =>
    db.selectFrom(query.where('status', '=', status).as('s')).select(names),
  );
  if (!first || more.length === 0) return query;
  return more
    .reduce((all, each) => all.unionAll(each), first)
    .orderBy(order)
    .limit(limit);
}

/** Changes columns of an existing shipment. @returns the shipment */
export function updateShipmentRow(
  db: Kysely<Tables>,
  accountId: string,
  id: string,
  columns: Updateable<Tables['shipments']>,
): Promise<ShipmentRow> {
  return db
    .updateTable('shipments')
    .set(columns)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning(shipmentColumns)
    .executeTakeFirstOrThrow();
}
