import type { components } from '@waybill/contract/types';
import { document } from '../contract/document.ts';
import type { Handler } from '../contract/operations.ts';
import { createdAt, lowestUuid, newUuid, publicId, uuidOf } from '../identifiers.ts';
import { Problem } from '../problems.ts';
import { beginning } from '../tracking/lifecycle.ts';
import { makeCursor, readCursor } from './cursor.ts';
import { insertShipment, type ShipmentRow, selectShipments } from './queries.ts';

const defaultLimit = document.components.parameters.limit.schema.default;

export const createShipment: Handler<'createShipment'> = async (
  { body },
  { account, db, trackingPrefix, basePath },
) => {
  const id = newUuid();
  const { to, description } = beginning;
  const row = await insertShipment(db, account, to, {
    ...body,
    id,
    description,
    trackingPrefix,
    createdAt: createdAt(id),
  });
  const shipment = shipmentFrom(row);
  return { status: 201, headers: { location: `${basePath}/shipments/${shipment.id}` }, body: shipment };
};

export const getShipment: Handler<'getShipment'> = async ({ path }, { account, load }) => {
  const row = await load.shipment(account, uuidOf('ship', path.shipment_id));
  if (!row) throw new Problem('not_found', 'There is no such shipment.');
  return { status: 200, body: shipmentFrom(row) };
};

export const listShipments: Handler<'listShipments'> = async ({ query }, { account, db }) => {
  const { limit = defaultLimit, cursor, ...filters } = query;
  const after = cursor === undefined ? undefined : readCursor(cursor, filters);
  const { status, from_date, to_date } = filters;
  const range = {
    status,
    from: from_date && lowestUuid(new Date(from_date)),
    to: to_date && lowestUuid(endOf(to_date)),
  };
  const rows = await selectShipments(db, account, range, after, limit + 1);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    status: 200,
    body: {
      data: page.map(shipmentFrom),
      has_more: last !== undefined,
      next_cursor: last ? makeCursor(last.id, filters) : null,
    },
  };
};

/** A date's end is the midnight after it; a date-time is its own end. */
function endOf(date: string): Date {
  const end = new Date(date);
  if (date.length === 'YYYY-MM-DD'.length) end.setUTCDate(end.getUTCDate() + 1);
  return end;
}

function shipmentFrom(row: ShipmentRow): components['schemas']['Shipment'] {
  return {
    id: publicId('ship', row.id),
    status: row.status,
    tracking_number: row.tracking_number,
    type: row.type,
    origin: row.origin,
    destination: row.destination,
    pickup_window: { start: row.pickup_start.toISOString(), end: row.pickup_end.toISOString() },
    ...(row.notes !== null && { notes: row.notes }),
    created_at: createdAt(row.id).toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
