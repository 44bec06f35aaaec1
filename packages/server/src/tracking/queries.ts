import { CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely';
import { batchedRead } from '../database/batch.ts';
import type { Tables } from '../database/tables.ts';

type Status = Tables['shipments']['status'];

/** What a tracking answer is made of. Times inside `timeline` are PostgreSQL's JSON text. */
export interface TrackingRow {
  account_id: string;
  tracking_number: string;
  status: Status;
  eta: Date | null;
  lat: number | null;
  lng: number | null;
  address: string | null;
  updated_at: Date | null;
  timeline: { status: Status; timestamp: string; description: string }[];
}

const trackingOf = sql<TrackingRow>`
  select s.account_id, s.tracking_number, s.status, c.eta, c.lat, c.lng, c.address, c.updated_at,
    (select json_agg(json_build_object('status', e.status, 'timestamp', e.occurred_at, 'description', e.description)
                     order by e.version)
     from tracking_events e where e.account_id = s.account_id and e.shipment_id = s.id) as timeline
  from shipments s
  join unnest(${[]}::uuid[], ${[]}::text[]) k(account_id, tracking_number) using (account_id, tracking_number)
  left join current_positions c on c.account_id = s.account_id and c.shipment_id = s.id`;

/** The same for every connection and transaction, so reads and writes compile it once. */
let trackingText: string | undefined;

/** Rows by pairs of account and tracking number; pairs never become a cross product. */
export function selectTracking(
  db: Kysely<Tables>,
): (accountIds: string[], trackingNumbers: string[]) => Promise<TrackingRow[]> {
  trackingText ??= trackingOf.compile(db).sql;
  const text = trackingText;
  return async (accountIds, numbers) =>
    (await db.executeQuery<TrackingRow>(CompiledQuery.raw(text, [accountIds, numbers]))).rows;
}

/** Tracking by the account's own tracking number, batched across requests; undefined when the account has none. */
export const trackingReader = (
  db: Kysely<Tables>,
): ((accountId: string, trackingNumber: string) => Promise<TrackingRow | undefined>) =>
  batchedRead(selectTracking(db), (row) => row.tracking_number);

/** A shipment by its id (a uuid) or its tracking number. */
export type Which = { id: string } | { tracking_number: string };
export const isShipment = (which: Which): RawBuilder<boolean> =>
  'id' in which ? sql`s.id = ${which.id}` : sql`s.tracking_number = ${which.tracking_number}`;

export interface Step {
  from: Status[];
  to: Status;
  occurredAt: Date;
  /** How far it may lie before the previous event, in milliseconds. */
  tolerance: number;
  description: string;
  now: Date;
}

/**
 * Moves a shipment one step on and appends the event, in one guarded statement: of racing callers one finds the
 * status it needs. The previous event is the one of the row's own version, so a caller that waited for another's step
 * finds none and is refused.
 * @returns the shipment's id, or undefined when the guard refused
 */
export async function advance(
  db: Kysely<Tables>,
  accountId: string,
  which: Which,
  { from, to, occurredAt, tolerance, description, now }: Step,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    with moved as (
      update shipments s set status = ${to}, version = s.version + 1, updated_at = ${now}
      where s.account_id = ${accountId} and ${isShipment(which)} and s.status = any(${from}::text[])
        and ${new Date(occurredAt.getTime() + tolerance)}::timestamptz >= (
          select e.occurred_at from tracking_events e
          where e.account_id = s.account_id and e.shipment_id = s.id and e.version = s.version)
      returning s.account_id, s.id, s.version
    ),
    event as (
      insert into tracking_events (account_id, shipment_id, version, status, occurred_at, description)
      select account_id, id, version, ${to}, ${occurredAt}, ${description} from moved
    )
    select id from moved`.execute(db);
  return rows[0]?.id;
}

/** Where a shipment stands and when its last event was; undefined when the account has no such shipment. */
export function selectStanding(
  db: Kysely<Tables>,
  accountId: string,
  which: Which,
): Promise<{ id: string; status: Status; occurred_at: Date; route_since: Date | null } | undefined> {
  return db
    .selectFrom('shipments as s')
    .innerJoin('tracking_events as e', (join) =>
      join
        .onRef('e.account_id', '=', 's.account_id')
        .onRef('e.shipment_id', '=', 's.id')
        .onRef('e.version', '=', 's.version'),
    )
    .select(['s.id', 's.status', 's.route_since', 'e.occurred_at'])
    .where('s.account_id', '=', accountId)
    .where(isShipment(which))
    .executeTakeFirst();
}
