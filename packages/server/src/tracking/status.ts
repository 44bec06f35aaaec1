import type { EventData } from '@waybill/contract/events';
import type { components } from '@waybill/contract/types';
import { sql, type Transaction } from 'kysely';
import { type Access, shows } from '../auth/visibility.ts';
import { jsonOfRow } from '../database/statements/expressions.ts';
import { type RowStatement, rowStatement, rowsOf } from '../database/statements/row-statement.ts';
import type { Tables } from '../database/tables.ts';
import { isoText } from '../database/times.ts';
import { exceptionFrom, exceptionsOf, type StoredException, visibleException } from './stored-exceptions.ts';
import { entryColumns, entryFrom, inOrder, type StoredEntry, withDefaultText } from './timeline.ts';

type Schemas = components['schemas'];
type Data = Required<EventData>;

/** The tracking status of a shipment, as it is stored. */
interface TrackingRow {
  account_id: string;
  id: string;
  tracking_number: string;
  status: Schemas['ShipmentStatus'];
  eta: Date | null;
  lat: number | null;
  lng: number | null;
  address: string | null;
  /** Time of the current position; null without one. */
  updated_at: Date | null;
  /** In any order. Its times are PostgreSQL's JSON text. */
  timeline: StoredEntry<string>[];
  /** In the order of the list; null if there is none. Their times may be PostgreSQL's JSON text. */
  exceptions: StoredException<Date | string>[] | null;
}

/** What identifies a shipment: tracking numbers are unique within an account only. */
type WantedShipment = Pick<TrackingRow, 'account_id' | 'tracking_number'>;

/** Selects the tracking statuses of shipments. */
export const selectTracking: RowStatement<{ wanted: WantedShipment }, TrackingRow> = rowStatement(
  { wanted: rowsOf<WantedShipment>({ account_id: 'uuid', tracking_number: 'text' }) },
  (db, { wanted }) =>
    db
      .selectFrom(wanted.as('w'))
      .innerJoin('shipments as s', (join) =>
        join.onRef('s.account_id', '=', 'w.account_id').onRef('s.tracking_number', '=', 'w.tracking_number'),
      )
      .leftJoin('current_positions as c', (join) =>
        join.onRef('c.account_id', '=', 's.account_id').onRef('c.shipment_id', '=', 's.id'),
      )
      .select([
        's.account_id',
        's.id',
        's.tracking_number',
        's.status',
        'c.eta',
        'c.lat',
        'c.lng',
        'c.address',
        'c.updated_at',
      ])
      .select((eb) =>
        eb
          .selectFrom('tracking_events as e')
          .select((eb) =>
            eb.fn
              .jsonAgg(jsonOfRow<StoredEntry<string>>('e', entryColumns))
              .$castTo<StoredEntry<string>[]>()
              .as('timeline'),
          )
          .whereRef('e.account_id', '=', 's.account_id')
          .whereRef('e.shipment_id', '=', 's.id')
          .where((eb) => eb('e.account_id', '=', eb.fn.any(wanted.distinct('account_id'))))
          .$asScalar()
          .$notNull()
          .as('timeline'),
      )
      .select((eb) =>
        eb
          .case()
          .when('s.exceptions', '>', sql.lit(0)) // most shipments have none
          .then(exceptionsOf(db, wanted.distinct('account_id')))
          .end()
          .as('exceptions'),
      )
      // By this condition, also in the timeline, Citus finds the shards of the accounts. Else it asks all workers.
      .where((eb) => eb('s.account_id', '=', eb.fn.any(wanted.distinct('account_id')))),
);

/**
 * The tracking status of a shipment that the transaction has locked. A separate statement: the statement that locks the
 * shipment may wait, and then its snapshot is old.
 */
export async function readLockedTracking(
  db: Transaction<Tables>,
  accountId: string,
  trackingNumber: string,
): Promise<Schemas['TrackingStatus']> {
  const [row] = await selectTracking(db, { wanted: [{ account_id: accountId, tracking_number: trackingNumber }] });
  if (!row) throw new Error('A shipment was deleted inside a transaction');
  return trackingFrom(row);
}

/** The current part of a tracking status, which the event of a change has, too. */
export function currentFrom(
  row: Omit<TrackingRow, 'account_id' | 'id' | 'timeline' | 'exceptions'>,
): Omit<Schemas['TrackingStatus'], 'timeline' | 'exceptions'> {
  const { lat, lng, address, updated_at } = row;
  const hasLocation = lat !== null && lng !== null && updated_at !== null;
  return {
    tracking_number: row.tracking_number,
    status: row.status,
    eta: row.eta && isoText(row.eta),
    current_location: hasLocation ? { lat, lng, address, updated_at: isoText(updated_at) } : null,
  };
}

/** The tracking status as callers see it. */
export function trackingFrom(row: TrackingRow): Schemas['TrackingStatus'] {
  return {
    ...currentFrom(row),
    timeline: inOrder(row.timeline).map((entry) => entryFrom(entry, row.id)),
    ...(row.exceptions && { exceptions: row.exceptions.map(exceptionFrom) }),
  };
}

/** The tracking status, as far as an access shows it: without voided entries. */
export function visibleTracking(tracking: Schemas['TrackingStatus'], access: Access): Schemas['TrackingStatus'] {
  const { tracking_number, status, eta, current_location, timeline, exceptions, ...others } = tracking;
  others satisfies Record<string, never>; // each new member is shown or left out
  const isLocated = shows(access, 'location');
  const entries = timeline.filter(({ voided_at }) => voided_at === undefined);
  return {
    tracking_number,
    status,
    eta,
    current_location: isLocated ? current_location : null,
    timeline: isLocated ? entries : entries.map(withDefaultText),
    ...(exceptions && { exceptions: exceptions.map((exception) => visibleException(exception, access)) }),
  };
}

/** Whether an access shows events of the tracking of its shipment. */
export const mayTrack = ({ scopes }: Access): boolean => scopes.includes('tracking:read');

/** The tracking status of an event. */
export const visibleStatus = ({ tracking }: Data, access: Access) =>
  mayTrack(access) ? { tracking: visibleTracking(tracking, access) } : undefined;
