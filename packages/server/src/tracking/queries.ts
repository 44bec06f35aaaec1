import { finalStatuses } from '@waybill/contract/statuses';
import { notFound, Problem } from '@waybill/http/problems';
import { type Expression, type ExpressionBuilder, type Kysely, type Selectable, type SqlBool, sql } from 'kysely';
import { isDuplicate } from '../database/errors.ts';
import { publicId } from '../database/identifiers.ts';
import { isOneOf } from '../database/statements/expressions.ts';
import type { Tables } from '../database/tables.ts';

/** A shipment by its id (a uuid) or its tracking number. */
export type ShipmentRef = { id: string } | { tracking_number: string };
const matchesShipment =
  (accountId: string, shipment: ShipmentRef) =>
  (eb: ExpressionBuilder<{ s: Tables['shipments'] }, 's'>): Expression<SqlBool> =>
    eb.and([
      eb('s.account_id', '=', accountId),
      'id' in shipment ? eb('s.id', '=', shipment.id) : eb('s.tracking_number', '=', shipment.tracking_number),
    ]);

/** What identifies the rows of a shipment. */
export interface ShipmentKey {
  accountId: string;
  /** A uuid. */
  id: string;
}

type ShipmentColumn = keyof Tables['shipments'];
/** With the id they are a `ShipmentKey`. */
type ColumnsOfShipment<Column extends ShipmentColumn> = { accountId: string } & Pick<
  Selectable<Tables['shipments']>,
  Column
>;

export const shipmentQuery = (
  db: Kysely<Tables>,
  accountId: string,
  shipment: ShipmentRef,
  columns: readonly ShipmentColumn[],
) =>
  db
    .selectFrom('shipments as s')
    .select(columns.map((column) => `s.${column}` as const))
    .where(matchesShipment(accountId, shipment));

/** @throws {Problem} not_found */
export function orNotFound<Row>(row: Row | undefined, shipment: ShipmentRef): Row {
  if (row) return row;
  throw notFound('shipment', 'id' in shipment ? publicId('ship', shipment.id) : shipment.tracking_number);
}

/** Columns of a shipment. @throws {Problem} not_found */
export async function getShipment<Column extends ShipmentColumn>(
  db: Kysely<Tables>,
  accountId: string,
  shipment: ShipmentRef,
  columns: readonly Column[],
): Promise<ColumnsOfShipment<Column>> {
  const row = await shipmentQuery(db, accountId, shipment, columns).executeTakeFirst();
  return { accountId, ...orNotFound(row, shipment) } as ColumnsOfShipment<Column>;
}

/**
 * Columns of a shipment, which is locked until the end of the transaction: the writes that lock it are executed one after the
 * other.
 * @throws {Problem} not_found
 */
export async function lockShipment<Column extends ShipmentColumn>(
  db: Kysely<Tables>,
  accountId: string,
  shipment: ShipmentRef,
  columns: readonly Column[],
): Promise<ColumnsOfShipment<Column>> {
  const row = await shipmentQuery(db, accountId, shipment, columns).forNoKeyUpdate().executeTakeFirst();
  return { accountId, ...orNotFound(row, shipment) } as ColumnsOfShipment<Column>;
}

/** The columns that `storeReport` needs. */
export const trackedColumns = ['id', 'tracking_number', 'status'] as const;
export type TrackedShipment = ColumnsOfShipment<(typeof trackedColumns)[number]>;

/** Whether the unique index of references refuses a shipment. The name of the index begins with this. */
export const isReferenceTaken = (error: unknown): boolean => isDuplicate(error, 'shipments_open_reference');

/** The id of the shipment that has a reference and has not ended; undefined without one. */
export async function holderOfReference(
  db: Kysely<Tables>,
  accountId: string,
  reference: string,
): Promise<string | undefined> {
  const holder = await db
    .selectFrom('shipments')
    .select('id')
    .where('account_id', '=', accountId)
    .where('reference', '=', reference)
    .where(sql<boolean>`not ${isOneOf('status', finalStatuses)}`) // as the index shipments_open_reference_active says
    .executeTakeFirst();
  return holder?.id;
}

/** @param holder the id of the shipment that has the reference */
export const referenceTaken = (reference: string, holder: string): Problem =>
  new Problem('reference_taken', `Another shipment has the reference ${reference}.`, {
    shipment_id: publicId('ship', holder),
  });
