import type { EventData } from '@waybill/contract/events';
import { transitions } from '@waybill/contract/lifecycle';
import type { components } from '@waybill/contract/types';
import { type Access, shows } from '../auth/visibility.ts';

type Schemas = components['schemas'];

/** A shipment, to the link of a consignee with its handover code, and to that of a driver as long as there is work on it. */
export function visibleShipment(
  { handover_code, ...shipment }: Schemas['ShipmentWithHandoverCode'],
  access: Access,
): Schemas['ShipmentWithHandoverCode'] {
  const isShown = access.kind === 'track' && shows(access, 'proof');
  return { ...forKind(shipment, access), ...(isShown && handover_code !== undefined && { handover_code }) };
}

/** The shipment of an event. */
export const visibleChange = ({ shipment }: Required<EventData>, access: Access) =>
  access.scopes.includes('shipments:read') ? { shipment: forKind(shipment, access) } : undefined;

/** A driver needs nobody's name and number any more when a shipment cannot change: the link may be valid for weeks. */
function forKind(shipment: Schemas['Shipment'], { kind }: Access): Schemas['Shipment'] {
  if (kind !== 'drive' || transitions.some(({ from }) => from === shipment.status)) return shipment;
  const withoutContact = ({ contact_name: _, contact_phone: __, ...address }: Schemas['Address']) => address;
  const { origin, destination } = shipment;
  return { ...shipment, origin: withoutContact(origin), destination: withoutContact(destination) };
}
