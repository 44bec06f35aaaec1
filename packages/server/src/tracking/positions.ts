import { positionRules } from '@waybill/contract/lifecycle';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { noShipment } from './queries.ts';

type Status = Tables['shipments']['status'];

/** Whether a shipment with this status accepts positions. */
export const acceptsPositions = (status: Status): boolean => positionRules[status] !== undefined;

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

/** Stores an estimated arrival that was made at a timestamp, unless a newer position is known. */
export async function updateEta(
  db: Kysely<Tables>,
  accountId: string,
  shipmentId: string,
  asOf: Date,
  eta: Date,
): Promise<void> {
  await db
    .insertInto('current_positions')
    .values({ account_id: accountId, shipment_id: shipmentId, eta })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'shipment_id'])
        .doUpdateSet({ eta })
        .where((is) =>
          is.or([is('current_positions.updated_at', 'is', null), is('current_positions.updated_at', '<=', asOf)]),
        ),
    )
    .execute();
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
