import { exceptionKinds } from '@waybill/contract/exceptions';
import type { components } from '@waybill/contract/types';
import type { Selectable } from 'kysely';
import { publicId } from '../database/identifiers.ts';
import { isoTime } from '../database/iso-time.ts';
import type { Tables } from '../database/tables.ts';

type Schemas = components['schemas'];

type Columns = Omit<Selectable<Tables['exceptions']>, 'account_id' | 'shipment_id'>;

/** An exception, as it is stored. */
export type StoredException<Time = Date> = {
  [Name in keyof Columns]: Columns[Name] extends Date | null ? Time | Extract<Columns[Name], null> : Columns[Name];
};

const columns: Record<keyof Columns, true> = {
  id: true,
  code: true,
  shipment_status: true,
  occurred_at: true,
  description: true,
  eta: true,
  lat: true,
  lng: true,
  address: true,
  photos: true,
  resolved_at: true,
  resolution: true,
};
export const exceptionColumns = Object.keys(columns) as (keyof Columns)[];

/** An exception as callers see it. */
export function exceptionFrom(stored: StoredException<Date | string>): Schemas['ShipmentException'] {
  const { id, code, shipment_status, occurred_at, photos, lat, lng, address, description, eta, ...end } = stored;
  const { resolved_at, resolution, ...others } = end;
  others satisfies Record<string, never>; // every column is shown
  const { severity, responsible, next } = exceptionKinds[code];
  return {
    id: publicId('exc', id),
    code,
    severity,
    responsible_party: responsible,
    next_steps: next,
    shipment_status,
    occurred_at: isoTime(occurred_at),
    ...(description !== null && { description }),
    ...(eta !== null && { eta: isoTime(eta) }),
    ...(lat !== null && lng !== null && { location: { lat, lng, ...(address !== null && { address }) } }),
    photo_count: photos.length,
    ...(resolved_at !== null && { resolved_at: isoTime(resolved_at) }),
    ...(resolution !== null && { resolution }),
  };
}
