import { exceptionKinds } from '@waybill/contract/exceptions';
import type { components } from '@waybill/contract/types';
import { type Expression, type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import { jsonBuildObject } from 'kysely/helpers/postgres';
import { type Access, shows } from '../auth/visibility.ts';
import { publicId } from '../database/identifiers.ts';
import { isoTime } from '../database/iso-time.ts';
import type { Tables } from '../database/tables.ts';

// A tracking status contains the exceptions: what they are, stored and shown, is here. `exceptions/` has the operations on them.

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

/** The exceptions of the shipment `s`, open ones first. @param accountIds those of all shipments, for Citus */
export const exceptionsOf = (
  db: Kysely<Tables>,
  accountIds: RawBuilder<string[]>,
): Expression<StoredException<string>[]> =>
  db
    .selectFrom('exceptions as x')
    .select((eb) =>
      eb.fn
        .jsonAgg(jsonBuildObject(Object.fromEntries(exceptionColumns.map((name) => [name, eb.ref(`x.${name}`)]))))
        .orderBy((by) => by('x.resolved_at', 'is not', null))
        .orderBy('x.id')
        .as('exceptions'),
    )
    .where('x.account_id', '=', sql.ref<string>('s.account_id'))
    .where('x.shipment_id', '=', sql.ref<string>('s.id'))
    .where((eb) => eb('x.account_id', '=', eb.fn.any(accountIds)))
    .$asScalar()
    .$castTo<StoredException<string>[]>();

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

/** Whether an access shows the photos of exceptions. */
export const showsPhotos = (access: Access): boolean => shows(access, 'proof');

/** An exception, as far as an access shows it. */
export function visibleException(
  exception: Schemas['ShipmentException'],
  access: Access,
): Schemas['ShipmentException'] {
  if (shows(access, 'location')) return exception;
  const { location: _, description: __, resolution: ___, ...shown } = exception;
  const { id, code, severity, responsible_party, next_steps, shipment_status, occurred_at, ...more } = shown;
  const { photo_count, eta, resolved_at, ...others } = more;
  others satisfies Record<string, never>; // each new member is shown or left out
  return shown;
}
