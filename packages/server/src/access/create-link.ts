import type { components } from '@waybill/contract/types';
import { idPattern, uuidFromPublicId } from '@waybill/http/identifiers';
import { Problem } from '@waybill/http/problems';
import type { Kysely } from 'kysely';
import { AdministrationError, requireAccount } from '../auth/administration.ts';
import { recordAudit } from '../database/audit-log.ts';
import type { Tables } from '../database/tables.ts';
import { lockShipmentOrThrow } from '../tracking/positions.ts';
import { createAccess } from './create.ts';

type Schemas = components['schemas'];

const publicShipmentId = new RegExp(`^ship_${idPattern}$`);

/**
 * Creates an access to a shipment, with a link.
 * @param shipment its id or its tracking number
 * @param origin of the service, for the link
 * @returns the only copy of the link
 * @throws {AdministrationError} when there is no such account or shipment, or it has the most accesses already
 */
export function createLink(
  db: Kysely<Tables>,
  accountId: string,
  shipment: string,
  request: Pick<Schemas['AccessRequest'], 'name' | 'expires_at'> & { kind: Schemas['AccessKind'] },
  origin: string,
): Promise<Schemas['AccessWithToken']> {
  return db.transaction().execute(async (trx) => {
    await requireAccount(trx, accountId);
    try {
      const shipmentId = publicShipmentId.test(shipment)
        ? uuidFromPublicId('ship', shipment)
        : (await lockShipmentOrThrow(trx, accountId, shipment)).id;
      const access = await createAccess(trx, accountId, shipmentId, request, { now: new Date(), origin });
      const { id: access_id, kind, expires_at } = access;
      await recordAudit(trx, { action: 'link', accountId, details: { access_id, shipment, kind, expires_at } });
      return access;
    } catch (error) {
      throw error instanceof Problem ? new AdministrationError(error.message) : error;
    }
  });
}
