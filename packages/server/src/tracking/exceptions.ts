import { exceptionKinds } from '@waybill/contract/exceptions';
import type { components } from '@waybill/contract/types';
import { publicId } from '../database/identifiers.ts';
import { isoTime } from '../database/iso-time.ts';

type Schemas = components['schemas'];
type Status = Schemas['ShipmentStatus'];

/** An exception, as it is stored. */
export interface StoredException<Time = Date> {
  /** A uuid. */
  id: string;
  code: Schemas['ExceptionCode'];
  /** Status of the shipment when it was raised. */
  shipment_status: Status;
  occurred_at: Time;
  description: string | null;
  eta: Time | null;
  lat: number | null;
  lng: number | null;
  address: string | null;
  /** Upload ids (uuids). */
  photos: string[];
  resolved_at: Time | null;
  resolution: string | null;
}

/** An exception as callers see it. */
export function exceptionFrom(stored: StoredException<Date | string>): Schemas['ShipmentException'] {
  const { code, lat, lng, address, description, eta, resolved_at, resolution } = stored;
  const { severity, responsible, next } = exceptionKinds[code];
  return {
    id: publicId('exc', stored.id),
    code,
    severity,
    responsible_party: responsible,
    next_steps: next,
    shipment_status: stored.shipment_status,
    occurred_at: isoTime(stored.occurred_at),
    ...(description !== null && { description }),
    ...(eta !== null && { eta: isoTime(eta) }),
    ...(lat !== null && lng !== null && { location: { lat, lng, ...(address !== null && { address }) } }),
    photo_count: stored.photos.length,
    ...(resolved_at !== null && { resolved_at: isoTime(resolved_at) }),
    ...(resolution !== null && { resolution }),
  };
}
