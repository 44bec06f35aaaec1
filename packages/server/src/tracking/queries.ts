import { noShipment } from '@waybill/http/shipments/refusals';
import type { StoredTracking } from '@waybill/http/shipments/tracking';
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import { batchedRead } from '../database/batched-read.ts';
import { isCitus } from '../database/citus.ts';
import { type RowStatement, rowStatement } from '../database/row-statement.ts';
import type { Tables } from '../database/tables.ts';

type Status = Tables['shipments']['status'];

/** What identifies a shipment: tracking numbers are unique within an account only. */
type TrackingPair = Pick<TrackingRow, 'account_id' | 'tracking_number'>;

/** Timestamps inside `timeline` are PostgreSQL's JSON text. */
export interface TrackingRow extends StoredTracking {
  account_id: string;
}

/**
 * Selects the tracking statuses of shipments.
 * @param shipments the table with the alias `s`, and what it is joined with
 * @param accountId restricts the other tables
 * @param columns further ones; the table `c` has the current positions
 */
export const selectTrackingFrom = (
  shipments: RawBuilder<unknown>,
  accountId: RawBuilder<unknown>,
  columns: RawBuilder<unknown> = sql``,
): RawBuilder<TrackingRow> => sql<TrackingRow>`
  select s.account_id, s.tracking_number, s.status, c.eta, c.lat, c.lng, c.address, c.updated_at,
    (select json_agg(json_build_object('status', e.status, 'timestamp', e.occurred_at, 'description', e.description)
                     order by e.version)
     from tracking_events e where e.account_id = ${accountId} and e.shipment_id = s.id) as timeline ${columns}
  from ${shipments}
  left join current_positions c on c.account_id = ${accountId} and c.shipment_id = s.id`;

/**
 * Selects by pairs of account id and tracking number, never by their cross product. Not batched: it runs on the
 * database or transaction that it is given.
 */
export const selectTracking: RowStatement<{ pairs: TrackingPair }, TrackingRow> = rowStatement(
  { pairs: { account_id: 'uuid', tracking_number: 'text' } },
  ({ pairs }) =>
    selectTrackingFrom(sql`shipments s join ${pairs} pairs using (account_id, tracking_number)`, sql`s.account_id`),
);

/** Selects shipments of one account. Not batched. */
export async function selectTrackingOfAccount(
  db: Kysely<Tables>,
  accountId: string,
  trackingNumbers: string[],
): Promise<TrackingRow[]> {
  const { rows } = await sql<TrackingRow>`
    ${selectTrackingFrom(sql`shipments s`, sql`${accountId}`)}
    where s.account_id = ${accountId} and s.tracking_number = any(${trackingNumbers}::text[])`.execute(db);
  return rows;
}

const readTracking = batchedRead('read_tracking', selectTracking, 'tracking_number', selectTrackingOfAccount);

/** Batched across requests. @throws {Problem} not_found */
export async function getTrackingOrThrow(
  db: Kysely<Tables>,
  accountId: string,
  trackingNumber: string,
): Promise<TrackingRow> {
  const row = await readTracking(db, { account_id: accountId, tracking_number: trackingNumber });
  if (!row) throw noShipment();
  return row;
}

/** A shipment by its id (a uuid) or its tracking number. */
export type ShipmentRef = { id: string } | { tracking_number: string };
export const matchesShipment = (shipment: ShipmentRef): RawBuilder<boolean> =>
  'id' in shipment ? sql`s.id = ${shipment.id}` : sql`s.tracking_number = ${shipment.tracking_number}`;

export interface StatusUpdate {
  from: Status[];
  to: Status;
  occurredAt: Date;
  /** How far it may be before the last entry of the timeline, in milliseconds. */
  tolerance: number;
  description: string;
  now: Date;
}

/**
 * Updates the status of a shipment and appends the entry to its timeline. Call it in a transaction. The update is guarded:
 * of concurrent callers one finds the status that it requires. The last entry has the version of the row, so that a caller
 * that waited for another update finds no such entry and changes nothing.
 * @returns the shipment's id, or undefined when nothing changed
 */
export async function updateStatus(
  db: Kysely<Tables>,
  accountId: string,
  shipment: ShipmentRef,
  { from, to, occurredAt, tolerance, description, now }: StatusUpdate,
): Promise<string | undefined> {
  const update = sql<Pick<TimelineEntry, 'shipment_id' | 'version'>>`
    update shipments s set status = ${to}, version = s.version + 1, updated_at = ${now}
    where s.account_id = ${accountId} and ${matchesShipment(shipment)} and s.status = any(${from}::text[])
      and ${new Date(occurredAt.getTime() + tolerance)}::timestamptz >= (
        select e.occurred_at from tracking_events e
        where e.account_id = ${accountId} and e.shipment_id = s.id and e.version = s.version)
    returning s.id as shipment_id, s.version`;
  if (await isCitus(db)) {
    const [updated] = (await update.execute(db)).rows;
    if (updated) {
      await insertTimelineEntry(db, {
        ...updated,
        account_id: accountId,
        status: to,
        occurred_at: occurredAt,
        description,
      });
    }
    return updated?.shipment_id;
  }
  const { rows } = await sql<{ shipment_id: string }>`
    with updated as (${update}),
    timeline_entry as (
      insert into tracking_events (account_id, shipment_id, version, status, occurred_at, description)
      select ${accountId}, shipment_id, version, ${to}, ${occurredAt}, ${description} from updated
    )
    select shipment_id from updated`.execute(db);
  return rows[0]?.shipment_id;
}

type TimelineEntry = Selectable<Tables['tracking_events']>;

export async function insertTimelineEntry(db: Kysely<Tables>, entry: TimelineEntry): Promise<void> {
  await db.insertInto('tracking_events').values(entry).execute();
}

/**
 * The status of a shipment, when its last event occurred, and the earliest timestamp of its positions.
 * @throws {Problem} not_found
 */
export async function getCurrentStatusOrThrow(
  db: Kysely<Tables>,
  accountId: string,
  shipment: ShipmentRef,
): Promise<{ id: string; status: Status; occurred_at: Date; route_since: Date | null }> {
  const row = await db
    .selectFrom('shipments as s')
    .innerJoin('tracking_events as e', (join) =>
      join
        .onRef('e.account_id', '=', 's.account_id')
        .onRef('e.shipment_id', '=', 's.id')
        .onRef('e.version', '=', 's.version'),
    )
    .select(['s.id', 's.status', 's.route_since', 'e.occurred_at'])
    .where('s.account_id', '=', accountId)
    .where(matchesShipment(shipment))
    .executeTakeFirst();
  if (!row) throw noShipment();
  return row;
}
