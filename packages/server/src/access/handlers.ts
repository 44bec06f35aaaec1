import { accessLimitReached, newAccess, requireScopes } from '@waybill/http/access';
import { newUuid, uuidFromPublicId } from '@waybill/http/identifiers';
import { noShipment, notFound } from '@waybill/http/shipments/refusals';
import { makeToken } from '../auth/keys.ts';
import type { Handlers } from '../operations/handler-types.ts';
import type { TokenBox } from '../operations/reveal-body.ts';
import { lockShipmentRow } from '../shipments/queries.ts';
import { getCurrentStatusOrThrow } from '../tracking/queries.ts';
import { accessFrom, deleteAccessRow, insertAccess, selectAccesses } from './queries.ts';

/** The operations on accesses to a shipment. */
export const accessHandlers = ({
  encryptToken,
}: Pick<TokenBox, 'encryptToken'>): Pick<Handlers, 'createAccess' | 'listAccesses' | 'deleteAccess'> => ({
  createAccess: {
    authorize: ({ body }, scopes) => requireScopes(body.scopes, scopes),
    async execute({ path, body }, { accountId, db, now }) {
      const shipmentId = uuidFromPublicId('ship', path.shipment_id);
      const fields = newAccess(body, now);
      // Accesses to a shipment are created one after the other.
      const shipment = await lockShipmentRow(db, accountId, shipmentId);
      if (!shipment) throw noShipment(path);
      const id = newUuid();
      const { token, secretHash } = makeToken(id);
      const row = {
        ...{ account_id: accountId, shipment_id: shipmentId, id, tracking_number: shipment.tracking_number },
        ...{ secret_hash: secretHash, ...fields },
      };
      if (!(await insertAccess(db, row, now))) throw accessLimitReached();
      return { status: 201, body: { ...accessFrom(row), token: encryptToken(token) } };
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
