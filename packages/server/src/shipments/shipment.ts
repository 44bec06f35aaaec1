import type { EventData } from '@waybill/contract/events';
import { isFinal } from '@waybill/contract/statuses';
import type { components } from '@waybill/contract/types';
import { dateOf } from '@waybill/contract/validation/timestamps';
import type { InsertType } from 'kysely';
import { type Access, shows } from '../auth/visibility.ts';
import { publicId, timeOfUuid } from '../database/identifiers.ts';
import type { ShipmentDetails, Tables } from '../database/tables.ts';
import { isoText } from '../database/times.ts';
import { itemsOf, totalsOf } from './items.ts';
import type { ShipmentRow } from './queries.ts';

type Schemas = components['schemas'];

// What a shipment is: its columns, as a request sets them, as responses have it, and as an access shows it.

/** The columns of a new shipment, except those that are the same for all. */
export type NewShipment = {
  [Column in Exclude<
    keyof Tables['shipments'],
    | 'status'
    | 'version'
    | 'cancellation_reason'
    | 'route_since'
    | 'wrong_handover_codes'
    | 'exceptions'
    | 'open_exceptions'
  >]: Exclude<InsertType<Tables['shipments'][Column]>, undefined>;
};

/** The fields of a shipment that `createShipment` sets. */
export type NewFields = Pick<
  Schemas['ShipmentWithHandoverCode'],
  keyof Schemas['ShipmentRequest'] & keyof Schemas['ShipmentWithHandoverCode']
>;

/** The columns of the fields that `createShipment` sets and `updateShipment` changes. */
export const columnsOf = (
  { origin, destination, pickup_window, reference, notes, handover_code }: NewFields,
  details: ShipmentDetails | null,
): Pick<
  NewShipment,
  'origin' | 'destination' | 'pickup_start' | 'pickup_end' | 'reference' | 'notes' | 'details' | 'handover_code'
> => ({
  origin: JSON.stringify(origin),
  destination: JSON.stringify(destination),
  pickup_start: dateOf(pickup_window.start),
  pickup_end: dateOf(pickup_window.end),
  reference: reference ?? null,
  notes: notes ?? null,
  details: details && JSON.stringify(details),
  handover_code: handover_code ?? null,
});

/** The details that are stored as requests have them. */
const copied: Record<Exclude<keyof ShipmentDetails, 'delivery_window' | 'items'>, true> = {
  references: true,
  declared_value: true,
  temperature: true,
  carrier: true,
  service_level: true,
  equipment: true,
  driver: true,
  signature_required: true,
};
const copiedFields = Object.keys(copied) as (keyof typeof copied)[];

/** The details of a request or of a changed shipment; null when it has none. */
export function detailsOf(fields: NewFields): ShipmentDetails | null {
  const { delivery_window: window, items } = fields;
  const details: ShipmentDetails = {
    ...(window && { delivery_window: inUtc(window) }),
    ...(items && { items: itemsOf(items) }),
    ...Object.fromEntries(copiedFields.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]]))),
  };
  return Object.keys(details).length > 0 ? details : null;
}

/** A timestamp of a request as responses have it. */
const utc = (timestamp: string): string => isoText(dateOf(timestamp));

/** A range of timestamps in a request, as responses have it. */
export const inUtc = ({ start, end }: Schemas['PickupWindowRequest']): Schemas['PickupWindow'] => ({
  start: utc(start),
  end: utc(end),
});

/** The details as callers see them, with the sums over the items. */
function visibleDetails(
  details: ShipmentDetails | null,
): (ShipmentDetails & Pick<Schemas['Shipment'], 'totals'>) | undefined {
  return details?.items ? { ...details, totals: totalsOf(details.items) } : (details ?? undefined);
}

/** A shipment as all responses and events have it: without its handover code. */
export function shipmentFrom(row: Omit<ShipmentRow, 'account_id'>): Schemas['Shipment'] {
  return {
    id: publicId('ship', row.id),
    status: row.status,
    tracking_number: row.tracking_number,
    type: row.type,
    origin: row.origin,
    destination: row.destination,
    pickup_window: { start: isoText(row.pickup_start), end: isoText(row.pickup_end) },
    ...(row.reference !== null && { reference: row.reference }),
    ...(row.notes !== null && { notes: row.notes }),
    ...visibleDetails(row.details),
    ...(row.handover_code !== null && { handover_code_required: true }),
    ...(row.cancellation_reason !== null && { cancellation_reason: row.cancellation_reason }),
    created_at: isoText(timeOfUuid(row.id)),
    updated_at: isoText(row.updated_at),
  };
}

/** The code that `getShipment` shows: of keys, to those that may set it. What an access shows of it is in `visibleShipment`. */
export const shownCode = (
  code: string | null,
  { access, scopes }: { access: object | undefined; scopes: string[] },
): string | null => (access || scopes.includes('shipments:write') ? code : null);

/** A shipment as its shipper sees it. */
export const withHandoverCode = (
  shipment: Schemas['Shipment'],
  code: string | null,
): Schemas['ShipmentWithHandoverCode'] => ({ ...shipment, ...(code !== null && { handover_code: code }) });

/**
 * A shipment, as far as the detail of an access shows it: to the link of a consignee with its handover code, and to that of a
 * driver with the phone of the dispatcher, and contacts as long as there is work on it.
 */
export function visibleShipment(
  { handover_code, ...shipment }: Schemas['ShipmentWithHandoverCode'],
  access: Access,
): Schemas['ShipmentWithHandoverCode'] {
  const isShown = access.kind === 'track' && shows(access, 'proof');
  const dispatcher_phone = access.kind === 'drive' && access.dispatcherPhone;
  return {
    ...forAccess(shipment, access),
    ...(isShown && handover_code !== undefined && { handover_code }),
    ...(dispatcher_phone && { dispatcher_phone }),
  };
}

/** The shipment of an event. */
export const visibleChange = ({ shipment }: Required<EventData>, access: Access) =>
  access.scopes.includes('shipments:read') ? { shipment: forAccess(shipment, access) } : undefined;

/** What the carrier has said of the transport, as far as the detail of an access shows it. */
export function visibleTransport<Transport extends Pick<Schemas['Shipment'], 'equipment' | 'driver'>>(
  { equipment, driver, ...others }: Transport,
  access: Pick<Access, 'detail'>,
) {
  return {
    ...others,
    ...(equipment && shows(access, 'location') && { equipment }),
    ...(driver && shows(access, 'proof') && { driver }),
  };
}

/** A driver needs nobody's name and number any more when a shipment cannot change: the link may be valid for weeks. */
function forAccess(shipment: Schemas['Shipment'], access: Access): Schemas['Shipment'] {
  const visible: Schemas['Shipment'] = visibleTransport(shipment, access);
  if (access.kind !== 'drive' || !isFinal(shipment.status)) return visible;
  const withoutContact = ({ contact_name: _, contact_phone: __, ...address }: Schemas['Address']) => address;
  const { origin, destination, driver: _, ...others } = visible;
  return { ...others, origin: withoutContact(origin), destination: withoutContact(destination) };
}
