import { maxTotalCount } from '@waybill/contract/limits';
import { statusesBefore } from '@waybill/contract/statuses';
import { type Expression, type Kysely, type Selectable, sql, type Updateable } from 'kysely';
import { lowestUuid } from '../database/identifiers.ts';
import { isOneOf } from '../database/statements/expressions.ts';
import { type RowStatement, rowStatement, rowsOf } from '../database/statements/row-statement.ts';
import type { Tables } from '../database/tables.ts';
import { everyStatus, type ShipmentFilters } from './filters.ts';

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
  page: Omit<Page, 'columns'>,
): Promise<ShipmentRow[]> => pageQuery(db, accountId, filters, { ...page, columns: shipmentColumns }).execute();

/** How many shipments match, up to a limit, so that a count reads a bounded part of an index. */
export async function countShipments(
  db: Kysely<Tables>,
  accountId: string,
  filters: ShipmentFilters,
  limit: number = maxTotalCount,
): Promise<number> {
  const order = orderOf(filters);
  const page = pageQuery(db, accountId, filters, { limit, columns: order ? ['id', order] : ['id'] });
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from (${page}) as page`.execute(db);
  return rows[0]?.count ?? 0;
}

interface Page {
  after?: ShipmentPlace | undefined;
  limit: number;
  columns: readonly (typeof shipmentColumns)[number][];
}

/**
 * The order is newest first, or with `updatedSince` and `pickupBefore` the earliest time first. Ids contain the time, so that
 * one index serves every range.
 */
function pageQuery(
  db: Kysely<Tables>,
  accountId: string,
  filters: ShipmentFilters,
  { after, limit, columns }: Page,
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
    query = query.where('pickup_end', '<', pickupBefore).where(isOneOf('status', [...statusesBefore('picked_up')]));
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
