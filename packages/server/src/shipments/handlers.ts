import { isDeepStrictEqual } from 'node:util';
import { defaultPageSize } from '@waybill/contract/limits';
import type { components } from '@waybill/contract/types';
import { notFound } from '@waybill/http/problems';
import { requireMatch } from '@waybill/http/responses';
import { timeOfUuid, uuidFromBytes, uuidFromPublicId, uuidToBytes } from '../database/identifiers.ts';
import { batchedRead } from '../database/statements/batched-read.ts';
import type { Services } from '../feature.ts';
import { makeCursor, pageOf, readCursor, timeFromCursor, timeLength, timeToBytes } from '../operations/pagination.ts';
import type { Handlers } from '../operations/route-handlers.ts';
import type { WriteContext } from '../operations/write.ts';
import { forgetReports } from '../tracking/positions.ts';
import { lockShipment } from '../tracking/queries.ts';
import { selectTracking, trackingFrom } from '../tracking/status.ts';
import { lockTimeline, recordStatus } from '../tracking/timeline.ts';
import { changedShipment, shipmentTag } from './changes.ts';
import { shipmentCreation } from './create.ts';
import { requireIncludeScope, type ShipmentFilters, shipmentFilters } from './filters.ts';
import {
  countShipments,
  type ListedRow,
  type ShipmentPlace,
  type ShipmentRow,
  selectShipmentPage,
  selectShipments,
  shipmentColumns,
  updateShipmentRow,
} from './queries.ts';
import { replaceReferences, updateReferencedRow, withPro } from './references.ts';
import { columnsOf, detailsOf, shipmentFrom, shownCode, withHandoverCode } from './shipment.ts';

type Schemas = components['schemas'];
type Address = Schemas['Address'];
type Carrier = Schemas['Carrier'] | undefined;

/** The operations on shipments. */
export function shipmentHandlers(
  services: Pick<Services, 'database' | 'basePath' | 'trackingPrefix'>,
): Pick<
  Handlers,
  'createShipment' | 'getShipment' | 'listShipments' | 'updateShipment' | 'updateTracking' | 'cancelShipment'
> {
  const readShipment = batchedRead(services.database, 'read_shipments', 'id', selectShipments);
  return {
    createShipment: shipmentCreation(services),

    async cancelShipment({ path, body }, { accountId, accessId, addEvent, db, now }) {
      const id = uuidFromPublicId('ship', path.shipment_id);
      const { shipment: locked, entries } = await lockTimeline(db, accountId, { id });
      // The clock of this server may be behind that of another one, which has recorded the creation, or of a carrier.
      const recorded = entries.map(({ occurred_at }) => Date.parse(occurred_at));
      const at = new Date(Math.max(now.getTime(), timeOfUuid(id).getTime(), ...recorded));
      await recordStatus(db, locked, entries, { status: 'cancelled', at, accessId, now });
      const row = await updateShipmentRow(db, accountId, id, { cancellation_reason: body.reason });
      const shipment = shipmentFrom(row);
      addEvent({ type: 'shipment.cancelled', shipmentId: id, data: { shipment } });
      return { status: 200, body: shipment };
    },

    async updateShipment({ path, headers, body }, { accountId, addEvent, db, now }) {
      const id = uuidFromPublicId('ship', path.shipment_id);
      const row = await lockShipment(db, accountId, { id }, shipmentColumns);
      if (headers['if-match'] !== undefined) requireMatch(headers['if-match'], shipmentTag(shipmentFrom(row)));
      const shipment = await changeShipment(row, body, { addEvent, db, now });
      return { status: 200, body: shipment, etag: shipmentTag(shipment) };
    },

    async updateTracking({ path, body }, { accountId, addEvent, db, now }) {
      const row = await lockShipment(db, accountId, path, shipmentColumns);
      const { pro, ...transport } = body;
      const named = pro !== undefined && { references: withPro(row.details?.references, pro) };
      const shipment = await changeShipment(row, { ...transport, ...named }, { addEvent, db, now });
      const { tracking_number, status, equipment, driver, references = [] } = shipment;
      const reference = references.find(({ type }) => type === 'pro');
      return {
        status: 200,
        body: {
          ...{ tracking_number, status },
          ...(equipment && { equipment }),
          ...(driver && { driver }),
          ...(reference && { pro: reference.value }),
        },
      };
    },

    async getShipment({ path }, { accountId, access, scopes }) {
      const row = await readShipment(accountId, uuidFromPublicId('ship', path.shipment_id));
      if (!row) throw notFound('shipment', path.shipment_id);
      const shipment = shipmentFrom(row);
      const body = withHandoverCode(shipment, shownCode(row.handover_code, { access, scopes }));
      // That of an access is made of what it shows: with the ETag of the whole, it could try values of what it does not show.
      return { status: 200, body, ...(!access && { etag: shipmentTag(shipment) }) };
    },

    async listShipments({ query }, { accountId, db, scopes }) {
      const { limit = defaultPageSize, cursor, include, total_count, ...filters } = query;
      requireIncludeScope(include, scopes);
      const selected = shipmentFilters(filters);
      const after = cursor === undefined ? undefined : placeFrom(cursor, filters, selected);
      const rows = await selectShipmentPage(db, accountId, selected, { after, limit: limit + 1 });
      const cursorAfter = (row: (typeof rows)[number]) => makeCursor(bytesOf(row), filters);
      const page = {
        ...pageOf(rows, limit, shipmentFrom, cursorAfter),
        ...(total_count && { total_count: await countShipments(db, accountId, selected) }),
      };
      if (include === undefined || page.data.length === 0) return { status: 200, body: page };
      const wanted = page.data.map(({ tracking_number }) => ({ account_id: accountId, tracking_number }));
      const found = (await selectTracking(db, { wanted })).map(trackingFrom);
      const trackingOf = new Map(found.map((tracking) => [tracking.tracking_number, tracking]));
      const data = page.data.map((shipment) => {
        const tracking = trackingOf.get(shipment.tracking_number);
        return tracking ? { ...shipment, tracking } : shipment;
      });
      return { status: 200, body: { ...page, data } };
    },
  };
}

/** Whether an address is another place, whoever is its contact. */
function isElsewhere(before: Address, after: Address): boolean {
  const placeOf = ({ contact_name: _, contact_phone: __, ...place }: Address) => place;
  return !isDeepStrictEqual(placeOf(before), placeOf(after));
}

/**
 * Whether a shipment had a carrier that is not its carrier any more. Another name is another company, unless its code is sent with it.
 * @param scac that of the change
 */
function isOtherCarrier(before: Carrier, after: Carrier, scac: string | null | undefined): boolean {
  if (!before || isDeepStrictEqual(before, after)) return false;
  if (before.scac && after?.scac && before.scac !== after.scac) return true;
  return before.name.toLowerCase() !== after?.name.toLowerCase() && (!scac || scac !== before.scac);
}

/**
 * Changes fields of a locked shipment, with events.
 * @returns the shipment
 * @throws {Problem} change_not_allowed, invalid_request, reference_taken
 */
async function changeShipment(
  row: ShipmentRow,
  changes: Schemas['ShipmentChanges'],
  { addEvent, db, now }: Pick<WriteContext, 'addEvent' | 'db' | 'now'>,
): Promise<Schemas['Shipment']> {
  const before = shipmentFrom(row);
  const changed = changedShipment(withHandoverCode(before, row.handover_code), changes);
  if (!changed) return before;
  const isOtherCode = row.handover_code !== (changed.handover_code ?? null);
  const columns = {
    ...columnsOf(changed, detailsOf(changed)),
    ...(isOtherCode && { wrong_handover_codes: 0 }),
    updated_at: now,
  };
  const shipment = shipmentFrom(await updateReferencedRow(db, row, columns));
  await replaceReferences(db, row, before.references, shipment.references);
  addEvent({ type: 'shipment.updated', shipmentId: row.id, data: { shipment } });
  if (isOtherCarrier(before.carrier, shipment.carrier, changes.carrier?.scac)) {
    const { account_id: accountId, id, tracking_number, status } = row;
    for (const change of await forgetReports(db, { accountId, id, tracking_number, status })) addEvent(change);
  }
  if (isElsewhere(before.destination, shipment.destination))
    addEvent({ type: 'shipment.destination_changed', shipmentId: row.id, data: { shipment } });
  return shipment;
}

/** The end of a page in a cursor: the id of its last shipment, after its time in a list in the order of a time. */
const bytesOf = ({ id, order_time: time }: ListedRow): Buffer =>
  time === undefined ? uuidToBytes(id) : Buffer.concat([timeToBytes(new Date(time)), uuidToBytes(id)]);

/** @throws {Problem} cursor_mismatch */
function placeFrom(cursor: string, query: Record<string, unknown>, filters: ShipmentFilters): ShipmentPlace {
  if (!filters.range) return { id: uuidFromBytes(readCursor(cursor, query, 16)) };
  const bytes = readCursor(cursor, query, timeLength + 16);
  return { id: uuidFromBytes(bytes.subarray(timeLength)), time: timeFromCursor(bytes) };
}
