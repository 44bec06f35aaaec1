import type { components } from '@waybill/contract/types';
import { accessLimitReached, newAccess, pageUrl } from '@waybill/http/access';
import { newUuid, publicId } from '@waybill/http/identifiers';
import { noShipment } from '@waybill/http/shipments/refusals';
import type { Kysely } from 'kysely';
import { makeToken } from '../auth/keys.ts';
import type { Tables } from '../database/tables.ts';
import { lockShipmentRow } from '../shipments/queries.ts';
import { accessFrom, insertAccess } from './queries.ts';

type Schemas = components['schemas'];

interface Options {
  now: Date;
  /** The public origin of the service. */
  origin: string;
}

/**
 * Creates an access to a shipment. Call it in a transaction.
 * @param shipmentId a uuid
 * @returns the access with the only copy of its token
 * @throws {Problem} invalid_request, not_found, access_limit_reached
 */
export async function createAccess(
  db: Kysely<Tables>,
  accountId: string,
  shipmentId: string,
  request: Schemas['AccessRequest'],
  { now, origin }: Options,
): Promise<Schemas['AccessWithToken']> {
  const fields = newAccess(request, now);
  const publicShipmentId = publicId('ship', shipmentId);
  // Accesses to a shipment are created one after the other.
  const shipment = await lockShipmentRow(db, accountId, shipmentId);
  if (!shipment) throw noShipment({ shipment_id: publicShipmentId });
  const id = newUuid();
  const { token, secretHash } = makeToken(id);
  const row = {
    ...{ account_id: accountId, shipment_id: shipmentId, id, tracking_number: shipment.tracking_number },
    ...{ secret_hash: secretHash, ...fields },
  };
  if (!(await insertAccess(db, row, now))) throw accessLimitReached();
  const url = fields.kind && pageUrl(fields.kind, origin, token, publicShipmentId);
  return { ...accessFrom(row), token, ...(url !== null && { url }) };
}
