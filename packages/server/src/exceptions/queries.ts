import { maxExceptions } from '@waybill/contract/limits';
import { Problem } from '@waybill/http/problems';
import type { Kysely } from 'kysely';
import { executeWithNextStatement } from '../database/driver.ts';
import type { Tables } from '../database/tables.ts';
import type { ShipmentKey } from '../tracking/queries.ts';
import { addOpen, exceptionColumns, type StoredException } from '../tracking/stored-exceptions.ts';

/** Adds an open exception to the numbers of a shipment. @throws {Problem} exception_limit_reached */
export async function incrementOpenOrThrow(db: Kysely<Tables>, { accountId, id }: ShipmentKey): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('shipments')
    .set((eb) => ({ exceptions: eb('exceptions', '+', 1), open_exceptions: eb('open_exceptions', '+', 1) }))
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('exceptions', '<', maxExceptions)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return;
  throw new Problem('exception_limit_reached', `The shipment has ${maxExceptions} exceptions.`);
}

/** The statement is sent with the next one or the commit. */
export async function insertException(
  db: Kysely<Tables>,
  { accountId, id }: ShipmentKey,
  exception: StoredException,
): Promise<void> {
  const row = { account_id: accountId, shipment_id: id, ...exception };
  await executeWithNextStatement(db, db.insertInto('exceptions').values(row));
}

/** Undefined when the shipment has no such exception. @param id a uuid */
export const findException = (
  db: Kysely<Tables>,
  shipment: ShipmentKey,
  id: string,
): Promise<StoredException | undefined> =>
  db
    .selectFrom('exceptions')
    .select(exceptionColumns)
    .where('account_id', '=', shipment.accountId)
    .where('shipment_id', '=', shipment.id)
    .where('id', '=', id)
    .executeTakeFirst();

/** The upload ids of the photos of those exceptions of a shipment that have some. */
export const selectExceptionPhotos = (
  db: Kysely<Tables>,
  { accountId, id }: ShipmentKey,
): Promise<Pick<StoredException, 'id' | 'photos'>[]> =>
  db
    .selectFrom('exceptions')
    .select(['id', 'photos'])
    .where('account_id', '=', accountId)
    .where('shipment_id', '=', id)
    .where('voided_at', 'is', null)
    .where(({ fn }) => fn<number>('cardinality', ['photos']), '>', 0)
    .limit(maxExceptions)
    .execute();

/** Stores the end of an exception of a locked shipment, which has one open one less if it was open. */
export async function updateEnd(
  db: Kysely<Tables>,
  shipment: ShipmentKey,
  { resolved_at: before }: StoredException,
  { id, resolved_at, resolution, voided_at, void_reason }: StoredException,
): Promise<void> {
  const update = db
    .updateTable('exceptions')
    .set({ resolved_at, resolution, voided_at, void_reason })
    .where('account_id', '=', shipment.accountId)
    .where('shipment_id', '=', shipment.id)
    .where('id', '=', id);
  await executeWithNextStatement(db, update);
  if (before === null) await addOpen(db, shipment, -1);
}
