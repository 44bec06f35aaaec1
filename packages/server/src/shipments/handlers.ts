import { defaultPageSize } from '@waybill/contract/limits';
import { dateOf, endOf } from '@waybill/contract/validation/timestamps';
import { lowestUuid, uuidFromBytes, uuidFromPublicId, uuidToBytes } from '@waybill/http/identifiers';
import { makeCursor, pageOf, readCursor } from '@waybill/http/pagination';
import { noShipment } from '@waybill/http/shipments/refusals';
import { batchedRead } from '../database/batched-read.ts';
import type { Database } from '../database/database.ts';
import type { Handlers } from '../operations/handler-types.ts';
import { transition } from '../tracking/transition.ts';
import { shipmentCreation } from './create.ts';
import {
  type ShipmentFilter,
  selectShipmentPage,
  selectShipments,
  shipmentFrom,
  updateShipmentRow,
} from './queries.ts';

interface Options {
  database: Database;
  /** The path of the base URL, such as `/v1`. */
  basePath: string;
  /** The first part of tracking numbers. */
  trackingPrefix: string;
}

/** The operations on shipments. */
export function shipmentHandlers(
  options: Options,
): Pick<Handlers, 'createShipment' | 'getShipment' | 'listShipments' | 'cancelShipment'> {
  const readShipment = batchedRead(options.database, 'read_shipments', 'id', selectShipments);
  return {
    createShipment: shipmentCreation(options),

    async cancelShipment({ path, body }, { accountId, appendEvent, db, now }) {
      const id = uuidFromPublicId('ship', path.shipment_id);
      await transition(db, accountId, { id }, { operation: 'cancelShipment', to: 'cancelled', now });
      const row = await updateShipmentRow(db, accountId, id, { cancellation_reason: body.reason });
      const shipment = shipmentFrom(row);
      appendEvent({ type: 'shipment.cancelled', shipmentId: id, data: { shipment } });
      return { status: 200, body: shipment };
    },

    async getShipment({ path }, { accountId }) {
      const row = await readShipment(accountId, uuidFromPublicId('ship', path.shipment_id));
      if (!row) throw noShipment(path);
      return { status: 200, body: shipmentFrom(row) };
    },

    async listShipments({ query }, { accountId, db }) {
      const { limit = defaultPageSize, cursor, ...filters } = query;
      const after = cursor === undefined ? undefined : uuidFromBytes(readCursor(cursor, filters, 16));
      const { status, reference, from_date, to_date, ...others } = filters;
      others satisfies Record<string, never>; // every filter is read
      const range: ShipmentFilter = {
        status,
        reference,
        from: from_date && lowestUuid(dateOf(from_date)),
        to: to_date && lowestUuid(endOf(to_date)),
      };
      const rows = await selectShipmentPage(db, accountId, range, after, limit + 1);
      const body = pageOf(rows, limit, shipmentFrom, ({ id }) => makeCursor(uuidToBytes(id), filters));
      return { status: 200, body };
    },
  };
}
