import { maxAccesses } from '@waybill/contract/limits';
import type { components } from '@waybill/contract/types';
import type { Insertable, Kysely, Selectable } from 'kysely';
import { executeWithNextStatement } from '../database/driver.ts';
import { publicId, timeOfUuid } from '../database/identifiers.ts';
import type { Tables } from '../database/tables.ts';
import { isoText } from '../database/times.ts';

/** The columns that responses show. */
const visibleColumns = ['id', 'name', 'kind', 'scopes', 'detail', 'documents', 'expires_at'] as const;
type AccessRow = Pick<Selectable<Tables['accesses']>, (typeof visibleColumns)[number]>;

/** Returns an access as callers see it. */
export const accessFrom = ({
  id,
  name,
  kind,
  scopes,
  detail,
  documents,
  expires_at,
}: AccessRow): components['schemas']['Access'] => ({
  id: publicId('acc', id),
  ...(name !== null && { name }),
  ...(kind !== null && { kind }),
  scopes,
  detail,
  documents: documents === true,
  created_at: isoText(timeOfUuid(id)),
  expires_at: isoText(expires_at),
});

/** Inserts an access to a locked shipment. @returns false when the shipment has the most already */
export async function insertAccess(
  db: Kysely<Tables>,
  access: Insertable<Tables['accesses']>,
  now: Date,
): Promise<boolean> {
  const others = await selectAccesses(db, access.account_id, access.shipment_id, now);
  if (others.length >= maxAccesses) return false;
  await executeWithNextStatement(db, db.insertInto('accesses').values(access));
  return true;
}

/** The accesses to a shipment that have not expired, oldest first. */
export const selectAccesses = (
  db: Kysely<Tables>,
  accountId: string,
  shipmentId: string,
  now: Date,
): Promise<AccessRow[]> =>
  db
    .selectFrom('accesses')
    .select(visibleColumns)
    .where('account_id', '=', accountId)
    .where('shipment_id', '=', shipmentId)
    .where('expires_at', '>', now)
    .orderBy('id')
    .execute();

/** Deletes an access. @returns false when the shipment has no such access */
export async function deleteAccessRow(
  db: Kysely<Tables>,
  accountId: string,
  shipmentId: string,
  id: string,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('accesses')
    .where('account_id', '=', accountId)
    .where('shipment_id', '=', shipmentId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
