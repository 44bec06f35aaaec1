import { requireScopes, scopesOf } from '@waybill/http/access';
import { uuidFromPublicId } from '@waybill/http/identifiers';
import { notFound } from '@waybill/http/shipments/refusals';
import type { EncryptedSecret } from '../database/tables.ts';
import type { Handlers } from '../operations/route-handlers.ts';
import { getCurrentStatusOrThrow } from '../tracking/queries.ts';
import { createAccess } from './create.ts';
import { accessFrom, deleteAccessRow, selectAccesses } from './queries.ts';

interface Options {
  /** Encrypts a token, or the URL with it, for the stored response. */
  encryptToken(token: string): EncryptedSecret;
  /** The public origin of the service, for links. */
  origin: string;
}

/** The operations on accesses to a shipment. */
export const accessHandlers = ({
  encryptToken,
  origin,
}: Options): Pick<Handlers, 'createAccess' | 'listAccesses' | 'deleteAccess'> => ({
  createAccess: {
    authorize: ({ body }, scopes) => requireScopes(scopesOf(body), scopes),
    async execute({ path, body }, { accountId, db, now }) {
      const shipmentId = uuidFromPublicId('ship', path.shipment_id);
      const { token, url, ...access } = await createAccess(db, accountId, shipmentId, body, { now, origin });
      // The URL contains the token.
      const secrets = { token: encryptToken(token), ...(url !== undefined && { url: encryptToken(url) }) };
      return { status: 201, body: { ...access, ...secrets } };
    },
  },

  async listAccesses({ path }, { accountId, db, now }) {
    const { id } = await getCurrentStatusOrThrow(db, accountId, { id: uuidFromPublicId('ship', path.shipment_id) });
    return { status: 200, body: { data: (await selectAccesses(db, accountId, id, now)).map(accessFrom) } };
  },

  async deleteAccess({ path }, { accountId, db }) {
    const shipmentId = uuidFromPublicId('ship', path.shipment_id);
    const isDeleted = await deleteAccessRow(db, accountId, shipmentId, uuidFromPublicId('acc', path.access_id));
    if (!isDeleted) throw notFound('access', path.access_id);
    return { status: 204, body: undefined };
  },
});
