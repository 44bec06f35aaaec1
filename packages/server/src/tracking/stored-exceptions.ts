import { exceptionKinds } from '@waybill/contract/exceptions';
import type { components } from '@waybill/contract/types';
import { type Expression, type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import { type Access, shows } from '../auth/visibility.ts';
import { executeWithNextStatement } from '../database/driver.ts';
import { publicId } from '../database/identifiers.ts';
import { jsonOfRow } from '../database/statements/expressions.ts';
import type { Tables, WithTimes } from '../database/tables.ts';
import { isoTime } from '../database/times.ts';
import type { NewEvent } from '../event-feed/append.ts';
import type { ShipmentKey, TrackedShipment } from './queries.ts';

// A tracking status contains the exceptions: what they are, stored and shown, is here. `exceptions/` has the operations on them.

type Schemas = components['schemas'];

type Columns = Omit<Selectable<Tables['exceptions']>, 'account_id' | 'shipment_id'>;

/** An exception, as it is stored. */
export type StoredException<Time = Date> = WithTimes<Columns, Time>;

const columns: Record<keyof Columns, true> = {
  id: true,
  code: true,
  shipment_status: true,
  occurred_at: true,
  description: true,
  eta: true,
  clears_eta: true,
  lat: true,
  lng: true,
  address: true,
  photos: true,
  resolved_at: true,
  resolution: true,
  resolved_version: true,
  access_id: true,
  voided_at: true,
  void_reason: true,
};
export const exceptionColumns = Object.keys(columns) as (keyof Columns)[];

/** The exceptions of the shipment `s` that count, open ones first. @param accountIds those of all shipments, for Citus */
export const exceptionsOf = (
  db: Kysely<Tables>,
  accountIds: RawBuilder<string[]>,
): Expression<StoredException<string>[]> =>
  db
    .selectFrom('exceptions as x')
    .select((eb) =>
      eb.fn
        .jsonAgg(jsonOfRow<StoredException<string>>('x', exceptionColumns))
        .orderBy((by) => by('x.resolved_at', 'is not', null))
        .orderBy('x.id')
        .as('exceptions'),
    )
    .where('x.account_id', '=', sql.ref<string>('s.account_id'))
    .where('x.shipment_id', '=', sql.ref<string>('s.id'))
    .where('x.voided_at', 'is', null)
    .where((eb) => eb('x.account_id', '=', eb.fn.any(accountIds)))
    .$asScalar()
    .$castTo<StoredException<string>[]>();

/**
 * Ends the open exceptions of a locked shipment that have some codes. None ends before it began.
 * @returns their events
 */
export async function resolveExceptions(
  db: Kysely<Tables>,
  shipment: TrackedShipment,
  codes: Schemas['ExceptionCode'][],
  { at, resolution, version }: { at: Date; resolution: string; version: number },
): Promise<NewEvent[]> {
  const { accountId, id } = shipment;
  const resolved = await db
    .updateTable('exceptions')
    .set((eb) => ({
      resolved_at: eb.fn<Date>('greatest', ['occurred_at', eb.val(at)]),
      resolution,
      resolved_version: version,
    }))
    .where('account_id', '=', accountId)
    .where('shipment_id', '=', id)
    .where('code', 'in', codes)
    .where('resolved_at', 'is', null)
    .where('voided_at', 'is', null)
    .returning(exceptionColumns)
    .execute();
  if (resolved.length === 0) return [];
  await addOpen(db, shipment, -resolved.length);
  return resolved.map((stored) => exceptionChange('tracking.exception_resolved', shipment, stored));
}

/**
 * Opens the exceptions again that an entry of the timeline of a locked shipment has resolved, because it is voided.
 * @returns their events
 */
export async function reopenExceptions(
  db: Kysely<Tables>,
  shipment: TrackedShipment,
  version: number,
): Promise<NewEvent[]> {
  const { accountId, id } = shipment;
  const opened = await db
    .updateTable('exceptions')
    .set({ resolved_at: null, resolution: null, resolved_version: null })
    .where('account_id', '=', accountId)
    .where('shipment_id', '=', id)
    .where('resolved_version', '=', version)
    .where('voided_at', 'is', null)
    .returning(exceptionColumns)
    .execute();
  if (opened.length === 0) return [];
  await addOpen(db, shipment, opened.length);
  return opened.map((stored) => exceptionChange('tracking.exception_raised', shipment, stored));
}

/** Changes the number of open exceptions of a locked shipment. The statement is sent with the next one. */
export async function addOpen(db: Kysely<Tables>, { accountId, id }: ShipmentKey, count: number): Promise<void> {
  const update = db
    .updateTable('shipments')
    .set((eb) => ({ open_exceptions: eb('open_exceptions', '+', count) }))
    .where('account_id', '=', accountId)
    .where('id', '=', id);
  await executeWithNextStatement(db, update);
}

/** An event of an exception. Unlike that of a position it contains the id of the shipment (events/event.ts). */
export const exceptionChange = (
  type: Extract<NewEvent['type'], `tracking.exception_${string}`>,
  { id, tracking_number, status }: TrackedShipment,
  stored: StoredException,
): NewEvent => {
  const exception = exceptionFrom(stored);
  const exception_change = { shipment_id: publicId('ship', id), tracking_number, status, exception };
  return { type, shipmentId: id, data: { exception_change } };
};

/** An exception as callers see it. */
export function exceptionFrom(stored: StoredException<Date | string>): Schemas['ShipmentException'] {
  const { id, code, shipment_status, occurred_at, photos, lat, lng, address, description, eta, ...end } = stored;
  const {
    clears_eta: __,
    resolved_at,
    resolution,
    resolved_version: _,
    access_id,
    voided_at,
    void_reason,
    ...others
  } = end;
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
    ...(access_id !== null && { access_id: publicId('acc', access_id) }),
    ...(voided_at !== null && { voided_at: isoTime(voided_at) }),
    ...(void_reason !== null && { void_reason }),
  };
}

/** Whether an access shows the photos of exceptions. */
export const showsPhotos = (access: Access): boolean => shows(access, 'proof');

/** An exception, as far as an access shows it: that it raised it itself, but not that another access did. */
export function visibleException<Exception extends Schemas['ShipmentException']>(
  { access_id, ...exception }: Exception,
  access: Access,
): Omit<Exception, 'access_id'> & Pick<Schemas['ShipmentException'], 'access_id'> {
  const own = { ...exception, ...(access_id === access.id && { access_id }) };
  if (shows(access, 'location')) return own;
  const { location: _, description: __, resolution: ___, void_reason: ____, ...shown } = own;
  return shown as typeof own;
}
