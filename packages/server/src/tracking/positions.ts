import { positionRules } from '@waybill/contract/lifecycle';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { isCitus } from '../database/citus.ts';
import { type RowStatement, rowStatement } from '../database/row-statement.ts';
import type { Tables } from '../database/tables.ts';
import { noShipment } from '../http/problems.ts';

type Status = Tables['shipments']['status'];

export interface NewPosition {
  lat: number;
  lng: number;
  address?: string;
  occurredAt: Date;
}

/** What a request reports about a shipment. The caller has locked the shipment. */
export interface ShipmentPositions {
  account_id: string;
  shipment_id: string;
  status: Status;
  positions: NewPosition[];
  /** Stored if the report has the newest known position. */
  eta: Date | null;
}

/** Whether a shipment with this status accepts positions. */
export const acceptsPositions = (status: Status): boolean => positionRules[status] !== undefined;

/**
 * Stores the positions of shipments and, in a status whose rule is `move`, updates the current position and `eta`. Of equal
 * timestamps the last one received wins, within a report the later element. A late position does not change the current
 * one. Nothing is written for positions that are stored already.
 * @param reports at most one of each shipment, in a status that accepts positions
 */
export async function insertPositions(db: Kysely<Tables>, reports: ShipmentPositions[]): Promise<void> {
  const rows: InsertedRows = { positions: [], earliest: [], newest: [] };
  for (const { account_id, shipment_id, status, positions, eta } of reports) {
    const shipment = { account_id, shipment_id };
    const rowAt = new Map(
      positions.map(({ occurredAt, lat, lng, address = null }) => [
        occurredAt.getTime(),
        { ...shipment, updated_at: occurredAt, lat, lng, address },
      ]),
    );
    const times = [...rowAt.keys()];
    const newest = rowAt.get(Math.max(...times));
    rows.positions.push(...rowAt.values());
    rows.earliest.push({ ...shipment, updated_at: new Date(Math.min(...times)) });
    if (newest && positionRules[status] === 'move') rows.newest.push({ ...newest, eta });
  }
  await ((await isCitus(db)) ? insertTableByTable(db, rows) : insertRows(db, rows));
}

interface PositionRow {
  account_id: string;
  shipment_id: string;
  updated_at: Date;
  lat: number;
  lng: number;
  address: string | null;
}
type NewestRow = PositionRow & { eta: Date | null };
interface InsertedRows {
  positions: PositionRow[];
  earliest: Pick<PositionRow, 'account_id' | 'shipment_id' | 'updated_at'>[];
  newest: NewestRow[];
}

const shipmentAndTime = { account_id: 'uuid', shipment_id: 'uuid', updated_at: 'timestamptz' };
const positionColumns = { ...shipmentAndTime, lat: 'float8', lng: 'float8', address: 'text' };
const newestColumns = { ...positionColumns, eta: 'timestamptz' };

const insertStored = (positions: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into positions as old (account_id, shipment_id, updated_at, lat, lng, address)
  select * from ${positions} p
  on conflict (account_id, shipment_id, updated_at) do update set
    lat = excluded.lat, lng = excluded.lng, address = excluded.address
  where (old.lat, old.lng, old.address) is distinct from (excluded.lat, excluded.lng, excluded.address)`;

const insertNewest = (newest: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into current_positions as old (account_id, shipment_id, updated_at, lat, lng, address, eta)
  select * from ${newest} n
  on conflict (account_id, shipment_id) do update set
    updated_at = excluded.updated_at, lat = excluded.lat, lng = excluded.lng, address = excluded.address,
    eta = coalesce(excluded.eta, old.eta)
  where (old.updated_at is null or old.updated_at <= excluded.updated_at)
    and (old.updated_at, old.lat, old.lng, old.address, old.eta) is distinct from
        (excluded.updated_at, excluded.lat, excluded.lng, excluded.address, coalesce(excluded.eta, old.eta))`;

/**
 * The statement of insertPositions. It is not part of the statement that locks: outside groups that one may wait, and this
 * one needs a snapshot from after the wait.
 */
const insertRows: RowStatement<{ [Name in keyof InsertedRows]: InsertedRows[Name][number] }, unknown> = rowStatement(
  { positions: positionColumns, earliest: shipmentAndTime, newest: newestColumns },
  ({ positions, earliest, newest }) => sql`
    with stored as (${insertStored(positions)}),
    route_start as (
      update shipments s set route_since = earliest.updated_at
      from ${earliest} earliest
      where s.account_id = earliest.account_id and s.id = earliest.shipment_id
        and (s.route_since is null or s.route_since > earliest.updated_at)
    )
    ${insertNewest(newest)}`,
);

/** The same for Citus, where a statement that changes several tables is for all nodes. */
async function insertTableByTable(db: Kysely<Tables>, { positions, earliest, newest }: InsertedRows): Promise<void> {
  await insertStoredRows(db, { positions });
  for (const { account_id, shipment_id, updated_at } of earliest) {
    await sql`
      update shipments set route_since = ${updated_at}
      where account_id = ${account_id} and id = ${shipment_id}
        and (route_since is null or route_since > ${updated_at})`.execute(db);
  }
  if (newest.length > 0) await insertNewestRows(db, { newest });
}

const insertStoredRows: RowStatement<{ positions: PositionRow }, unknown> = rowStatement(
  { positions: positionColumns },
  ({ positions }) => insertStored(positions),
);
const insertNewestRows: RowStatement<{ newest: NewestRow }, unknown> = rowStatement(
  { newest: newestColumns },
  ({ newest }) => insertNewest(newest),
);

/**
 * Locks a shipment, so that its reports are stored one after the other and its status does not change meanwhile.
 * @throws {Problem} not_found
 */
export async function lockShipmentOrThrow(
  db: Kysely<Tables>,
  accountId: string,
  trackingNumber: string,
): Promise<{ id: string; status: Status }> {
  const row = await db
    .selectFrom('shipments')
    .select(['id', 'status'])
    .where('account_id', '=', accountId)
    .where('tracking_number', '=', trackingNumber)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!row) throw noShipment();
  return row;
}

/** Stores an estimated arrival that was made at a timestamp, unless a newer position is known. */
export async function updateEta(
  db: Kysely<Tables>,
  accountId: string,
  shipmentId: string,
  asOf: Date,
  eta: Date,
): Promise<void> {
  await db
    .insertInto('current_positions')
    .values({ account_id: accountId, shipment_id: shipmentId, eta })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'shipment_id'])
        .doUpdateSet({ eta })
        .where((is) =>
          is.or([is('current_positions.updated_at', 'is', null), is('current_positions.updated_at', '<=', asOf)]),
        ),
    )
    .execute();
}

/**
 * Up to `limit` positions after a timestamp, oldest first.
 * @param since the first timestamp of the route: partitions of earlier days are not read
 */
export function selectPositions(
  db: Kysely<Tables>,
  accountId: string,
  shipmentId: string,
  after: Date | undefined,
  limit: number,
  since: Date,
): Promise<{ lat: number; lng: number; address: string | null; updated_at: Date }[]> {
  let query = db
    .selectFrom('positions')
    .select(['lat', 'lng', 'address', 'updated_at'])
    .where('account_id', '=', accountId)
    .where('shipment_id', '=', shipmentId)
    .where('updated_at', '>=', since)
    // No position is later, and the partitions of the next days are not read.
    .where('updated_at', '<', sql<Date>`now() + interval '1 day'`);
  if (after) query = query.where('updated_at', '>', after);
  return query.orderBy('updated_at').limit(limit).execute();
}
