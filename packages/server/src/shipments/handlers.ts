import { defaultPageSize } from '@waybill/contract/limits';
import type { components } from '@waybill/contract/types';
import { dateOf, endOf } from '@waybill/contract/validation/timestamps';
import {
  lowestUuid,
  newUuid,
  publicId,
  timeOfUuid,
  trackingNumber,
  uuidFromBytes,
  uuidFromPublicId,
  uuidToBytes,
} from '@waybill/http/identifiers';
import { makeCursor, pageOf, readCursor } from '@waybill/http/pagination';
import { Problem } from '@waybill/http/problems';
import { initialTransition } from '@waybill/http/shipments/lifecycle';
import { referenceTaken } from '@waybill/http/shipments/refusals';
import { takeSequenceNumbers } from '../database/tracking-sequence.ts';
import type { Handler, ResponseOf, WriteContext } from '../operations/handler-types.ts';
import { transition } from '../tracking/transition.ts';
import {
  findShipmentIdByReference,
  getShipmentOrThrow,
  insertShipment,
  type ShipmentDetails,
  type ShipmentRow,
  selectShipments,
  updateShipmentRow,
} from './queries.ts';

type Schemas = components['schemas'];

export const createShipment: Handler<'createShipment'> = async (
  { body },
  { accountId, appendEvent, db, trackingPrefix, basePath },
) => {
  const id = newUuid();
  const { to: status, description } = initialTransition;
  const createdAt = timeOfUuid(id); // created_at is not a column: responses read it from the id (decision 0009)
  // Not by `nextSequenceNumber`, which keeps a block of numbers for a pool: here `db` is a transaction.
  const [number] = (await takeSequenceNumbers(db, 1)) as [string];
  const row = await insertShipment(db, accountId, status, {
    id,
    details: detailsFrom(body),
    entryDescription: description,
    trackingNumber: trackingNumber(trackingPrefix, createdAt, number),
    createdAt,
  });
  if (!row) throw await whyNotCreated(db, accountId, body.reference ?? '');
  const response = createdResponse(row, basePath);
  appendEvent({ type: 'shipment.created', shipmentId: id, data: { shipment: response.body } });
  return response;
};

/** The response to the creation of a shipment. */
export function createdResponse(row: VisibleRow, basePath: string): ResponseOf<'createShipment'> {
  const shipment = shipmentFrom(row);
  return { status: 201, headers: { location: `${basePath}/shipments/${shipment.id}` }, body: shipment };
}

async function whyNotCreated(db: WriteContext['db'], accountId: string, reference: string): Promise<Problem> {
  const id = await findShipmentIdByReference(db, accountId, reference);
  // The other shipment was cancelled between the two statements.
  if (!id) return new Problem('unavailable', 'The reference has just become free. Send the request again.');
  return referenceTaken(reference, publicId('ship', id));
}

export const cancelShipment: Handler<'cancelShipment'> = async ({ path, body }, context) => {
  const { accountId, appendEvent, db, now } = context;
  const id = uuidFromPublicId('ship', path.shipment_id);
  await transition(db, accountId, { id }, { operation: 'cancelShipment', to: 'cancelled', now });
  const row = await updateShipmentRow(db, accountId, id, { cancellation_reason: body.reason });
  const shipment = shipmentFrom(row);
  appendEvent({ type: 'shipment.cancelled', shipmentId: id, data: { shipment } });
  return { status: 200, body: shipment };
};

export const getShipment: Handler<'getShipment'> = async ({ path }, { accountId, database }) => {
  const row = await getShipmentOrThrow(database, accountId, uuidFromPublicId('ship', path.shipment_id));
  return { status: 200, body: shipmentFrom(row) };
};

export const listShipments: Handler<'listShipments'> = async ({ query }, { accountId, db }) => {
  const { limit = defaultPageSize, cursor, ...filters } = query;
  const after = cursor === undefined ? undefined : uuidFromBytes(readCursor(cursor, filters, 16));
  const { status, reference, from_date, to_date } = filters;
  const range = {
    status,
    reference,
    from: from_date && lowestUuid(dateOf(from_date)),
    to: to_date && lowestUuid(endOf(to_date)),
  };
  const rows = await selectShipments(db, accountId, range, after, limit + 1);
  const body = pageOf(rows, limit, shipmentFrom, ({ id }) => makeCursor(uuidToBytes(id), filters));
  return { status: 200, body };
};

/** The columns that a request sets. */
export const detailsFrom = (request: Schemas['ShipmentRequest']): ShipmentDetails => ({
  type: request.type,
  origin: JSON.stringify(request.origin),
  destination: JSON.stringify(request.destination),
  pickup_start: dateOf(request.pickup_window.start),
  pickup_end: dateOf(request.pickup_window.end),
  reference: request.reference ?? null,
  notes: request.notes ?? null,
});

/** The columns that responses show. */
type VisibleRow = Omit<ShipmentRow, 'account_id' | 'version' | 'route_since'>;

function shipmentFrom(row: VisibleRow): Schemas['Shipment'] {
  return {
    id: publicId('ship', row.id),
    status: row.status,
    tracking_number: row.tracking_number,
    type: row.type,
    origin: row.origin,
    destination: row.destination,
    pickup_window: { start: row.pickup_start.toISOString(), end: row.pickup_end.toISOString() },
    ...(row.reference !== null && { reference: row.reference }),
    ...(row.notes !== null && { notes: row.notes }),
    ...(row.cancellation_reason !== null && { cancellation_reason: row.cancellation_reason }),
    created_at: timeOfUuid(row.id).toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
