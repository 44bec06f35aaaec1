import type { components } from '@waybill/contract/types';
import { dateOf } from '@waybill/contract/validation/timestamps';
import { type Expression, type InsertType, type Kysely, type Selectable, sql, type Updateable } from 'kysely';
import { lowestUuid, publicId, timeOfUuid } from '../database/identifiers.ts';
import { type RowStatement, rowStatement, rowsOf } from '../database/row-statement.ts';
import type { ShipmentDetails, Tables } from '../database/tables.ts';
import { visibleDetails } from './details.ts';
import { everyStatus, type ShipmentFilters } from './filters.ts';

type Schemas = components['schemas'];
/** The columns of a new shipment, except those that are the same for all. */
export type NewShipment = {
  [Column in Exclude<
    keyof Tables['shipments'],
    | 'status'
    | 'version'
    | 'cancellation_reason'
    | 'route_since'
    | 'wrong_handover_codes'
    | 'exceptions'
    | 'open_exceptions'
  >]: Exclude<InsertType<Tables['shipments'][Column]>, undefined>;
};

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

type ShipmentRow = Pick<Selectable<Tables['shipments']>, (typeof shipmentColumns)[number]>;

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

/** The last shipment of a page. */
export type ShipmentPlace = Pick<ShipmentRow, 'id'> & { time?: Date };

/** The column that a list with the filters is ordered by, before the id; undefined for one with the newest first. */
export const orderOf = ({ updatedSince, pickupBefore }: ShipmentFilters): 'updated_at' | 'pickup_end' | undefined =>
  updatedSince ? 'updated_at' : pickupBefore && 'pickup_end';

/** Up to `limit` shipments after a place. Each page reads about as many rows as it returns. */
export const selectShipmentPage = (
  db: Kysely<Tables>,
  accountId: string,
  filters: ShipmentFilters,
  after: ShipmentPlace | undefined,
  limit: number,
): Promise<ShipmentRow[]> => pageQuery(db, accountId, filters, after, limit, shipmentColumns).execute();

/** The largest number that a list is counted to, so that a count reads a bounded part of an index. */
const maxCount = 10_000;

/** How many shipments match, up to a limit. */
export async function countShipments(
  db: Kysely<Tables>,
  accountId: string,
  filters: ShipmentFilters,
  limit: number = maxCount,
): Promise<number> {
  const order = orderOf(filters);
  const page = pageQuery(db, accountId, filters, undefined, limit, order ? ['id', order] : ['id']);
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from (${page}) as page`.execute(db);
  return rows[0]?.count ?? 0;
}

/**
 * The order is newest first, or with `updatedSince` and `pickupBefore` the earliest time first. Ids contain the time, so that
 * one index serves every range.
 */
function pageQuery(
  db: Kysely<Tables>,
  accountId: string,
  filters: ShipmentFilters,
  after: ShipmentPlace | undefined,
  limit: number,
  columns: readonly (typeof shipmentColumns)[number][],
): Expression<ShipmentRow> & { execute(): Promise<ShipmentRow[]> } {
  const { statuses, reference, trackingNumber, hasException, from, to, updatedSince, pickupBefore, ...others } =
    filters;
  others satisfies Record<string, never>; // every filter selects
  const order = orderOf(filters);
  let query = db.selectFrom('shipments').select(columns).where('account_id', '=', accountId).limit(limit);
  query = order ? query.orderBy(order).orderBy('id') : query.orderBy('id', 'desc');
  if (from) query = query.where('id', '>=', lowestUuid(from));
  if (to) query = query.where('id', '<', lowestUuid(to));
  if (updatedSince) query = query.where('updated_at', '>=', updatedSince);
  // The condition of its index, in literals.
  if (pickupBefore)
    query = query.where('pickup_end', '<', pickupBefore).where(sql<boolean>`status in ('scheduled', 'dispatched')`);
  if (after?.time && order) {
    const { id, time } = after;
    query = query.where(({ eb, refTuple, tuple }) => eb(refTuple(order, 'id'), '>', tuple(time, id)));
  }
  if (after && !order) query = query.where('id', '<', after.id);
  if (reference !== undefined) query = query.where('reference', '=', reference);
  if (trackingNumber !== undefined) query = query.where('tracking_number', '=', trackingNumber);
  if (hasException) query = query.where('open_exceptions', '>', sql.lit(0)); // a literal, for its index
  const isOfFew = reference !== undefined || trackingNumber !== undefined;
  // The other indexes begin with one status: the page is the first rows of those of each status.
  const separate = isOfFew ? [] : (statuses ?? (updatedSince || hasException ? everyStatus : []));
  if (statuses && separate.length < 2) query = query.where('status', 'in', statuses);
  const [first, ...more] = separate.map((status) =>
    db.selectFrom(query.where('status', '=', status).as('s')).select(columns),
  );
  if (!first || more.length === 0) return query;
  const union = more.reduce((all, each) => all.unionAll(each), first).limit(limit);
  return order ? union.orderBy(order).orderBy('id') : union.orderBy('id', 'desc');
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

/** The columns that responses show. */
type VisibleRow = Omit<ShipmentRow, 'account_id'>;

/** A shipment as all responses and events have it: without its handover code. */
export function shipmentFrom(row: VisibleRow): Schemas['Shipment'] {
  return {
    id: publicId('ship', row.id),
    status: row.status,
    tracking_number: row.tracking_number,
    type: row.type,
    origin: row.origin,
    destination: row.destination,
    pickup_window: { start: row.pickup_start.toISOString(), end: row.pickup_end.toISOString() },
    ...(row.reference !== null && { reference: row.reference }),
    ...(row.notes !== null && { notes: row.notes }),
    ...visibleDetails(row.details),
    ...(row.handover_code !== null && { handover_code_required: true }),
    ...(row.cancellation_reason !== null && { cancellation_reason: row.cancellation_reason }),
    created_at: timeOfUuid(row.id).toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** The columns of the fields that `createShipment` sets and `updateShipment` changes. */
export const columnsOf = (
  {
    origin,
    destination,
    pickup_window,
    notes,
    handover_code,
  }: Schemas['ShipmentRequest'] | Schemas['ShipmentWithHandoverCode'],
  details: ShipmentDetails | null,
): Pick<
  NewShipment,
  'origin' | 'destination' | 'pickup_start' | 'pickup_end' | 'notes' | 'details' | 'handover_code'
> => ({
  origin: JSON.stringify(origin),
  destination: JSON.stringify(destination),
  pickup_start: dateOf(pickup_window.start),
  pickup_end: dateOf(pickup_window.end),
  notes: notes ?? null,
  details: details && JSON.stringify(details),
  handover_code: handover_code ?? null,
});
