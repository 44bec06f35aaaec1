import type { components } from '@waybill/contract/types';
import { notFound } from '@waybill/http/problems';
import type { Kysely } from 'kysely';
import { makeToken } from '../auth/keys.ts';
import { newUuid, publicId, uuidFromPublicId } from '../database/identifiers.ts';
import type { Tables } from '../database/tables.ts';
import type { Services } from '../feature.ts';
import type { Handlers } from '../operations/route-handlers.ts';
import { endUnfinishedUploads } from '../proof/queries.ts';
import { getShipment, lockShipment } from '../tracking/queries.ts';
import { accessLimitReached, newAccess, pageUrl, requireScopes, scopesOf } from './new-access.ts';
import { accessFrom, deleteAccessRow, insertAccess, selectAccesses } from './queries.ts';

type Schemas = components['schemas'];

/** The operations on accesses to a shipment. */
export const accessHandlers = ({
  secrets: { encryptToken },
  origin,
}: Pick<Services, 'secrets' | 'origin'>): Pick<Handlers, 'createAccess' | 'listAccesses' | 'deleteAccess'> => ({
  createAccess: {
    authorize: ({ body }, scopes) => requireScopes(scopesOf(body), scopes),
    async perform({ path, body }, { accountId, db, now }) {
      const shipmentId = uuidFromPublicId('ship', path.shipment_id);
      const { token, url, ...access } = await createAccess(db, accountId, shipmentId, body, { now, origin });
      // The URL contains the token.
      const secrets = { token: encryptToken(token), ...(url !== undefined && { url: encryptToken(url) }) };
      return { status: 201, body: { ...access, ...secrets } };
    },
  },

  async listAccesses({ path }, { accountId, db, now }) {
    const { id } = await getShipment(db, accountId, { id: uuidFromPublicId('ship', path.shipment_id) }, ['id']);
    return { status: 200, body: { data: (await selectAccesses(db, accountId, id, now)).map(accessFrom) } };
  },

  async deleteAccess({ path }, { accountId, db, now }) {
    const shipmentId = uuidFromPublicId('ship', path.shipment_id);
    const accessId = uuidFromPublicId('acc', path.access_id);
    await endUnfinishedUploads(db, { accountId, id: shipmentId }, accessId, now);
    const isDeleted = await deleteAccessRow(db, accountId, shipmentId, accessId);
    if (!isDeleted) throw notFound('access', path.access_id);
    return { status: 204, body: undefined };
  },
});

/**
 * Creates an access to a shipment. Call it in a transaction.
 * @param shipmentId a uuid
 * @param origin of the service, for the link
 * @returns the access with the only copy of its token
 * @throws {Problem} invalid_request, not_found, access_limit_reached
 */
export async function createAccess(
  db: Kysely<Tables>,
  accountId: string,
  shipmentId: string,
  request: Schemas['AccessRequest'],
  { now, origin }: { now: Date; origin: string },
): Promise<Schemas['AccessWithToken']> {
  const fields = newAccess(request, now);
  const publicShipmentId = publicId('ship', shipmentId);
  // Accesses to a shipment are created one after the other.
  const { tracking_number } = await lockShipment(db, accountId, { id: shipmentId }, ['tracking_number']);
  const id = newUuid();
  const { token, secretHash } = makeToken(id);
  const row = {
    account_id: accountId,
    shipment_id: shipmentId,
    id,
    tracking_number,
    secret_hash: secretHash,
    ...fields,
  };
  if (!(await insertAccess(db, row, now))) throw accessLimitReached();
  const url = fields.kind && pageUrl(fields.kind, origin, token, publicShipmentId);
  return { ...accessFrom(row), token, ...(url !== null && { url }) };
}
