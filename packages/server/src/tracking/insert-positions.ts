import { positionRules } from '@waybill/contract/lifecycle';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { isCitus } from '../database/citus.ts';
import { columnList, type RowStatement, rowStatement } from '../database/row-statement.ts';
import type { Tables } from '../database/tables.ts';
import type { Report } from './report.ts';

/** A report with the shipment that it is about. The caller has locked the shipment. */
export interface ShipmentReport extends Pick<Report, 'positions' | 'eta'> {
  account_id: string;
  shipment_id: string;
  status: Tables['shipments']['status'];
}

/**
 * Stores the positions of shipments and, in a status whose rule is `move`, updates the current position and `eta`. Of equal
 * timestamps the last one received wins, within a report the later element. A late position does not change the current
 * one. Nothing is written for positions that are stored already. `route_since` of the shipment becomes the timestamp of its
 * earliest position, so that a read of the route skips the partitions before it.
 * @param reports at most one of each shipment, in a status that accepts positions
 */
export async function insertPositions(db: Kysely<Tables>, reports: ShipmentReport[]): Promise<void> {
  const rows = rowsFrom(reports);
  await ((await isCitus(db)) ? insertTableByTable(db, rows) : insertInOneStatement(db, rows));
}

/** Makes the rows that a statement with `positionsSql` inserts for reports. */
export function rowsFrom(reports: ShipmentReport[]): PositionRows {
  const rows: PositionRows = { positions: [], earliest: [], newest: [] };
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
  return rows;
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
interface PositionRows {
  positions: PositionRow[];
  earliest: Pick<PositionRow, 'account_id' | 'shipment_id' | 'updated_at'>[];
  newest: NewestRow[];
}

const shipmentAndTime = { account_id: 'uuid', shipment_id: 'uuid', updated_at: 'timestamptz' };
const positionColumns = { ...shipmentAndTime, lat: 'float8', lng: 'float8', address: 'text' };
const newestColumns = { ...positionColumns, eta: 'timestamptz' };

const historySql = (positions: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into positions as old (${columnList(Object.keys(positionColumns))})
  select * from ${positions} p
  on conflict (account_id, shipment_id, updated_at) do update set
    lat = excluded.lat, lng = excluded.lng, address = excluded.address
  where (old.lat, old.lng, old.address) is distinct from (excluded.lat, excluded.lng, excluded.address)`;

const currentPositionsSql = (newest: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into current_positions as old (${columnList(Object.keys(newestColumns))})
  select * from ${newest} n
  on conflict (account_id, shipment_id) do update set
    updated_at = excluded.updated_at, lat = excluded.lat, lng = excluded.lng, address = excluded.address,
    eta = coalesce(excluded.eta, old.eta)
  where (old.updated_at is null or old.updated_at <= excluded.updated_at)
    and (old.updated_at, old.lat, old.lng, old.address, old.eta) is distinct from
        (excluded.updated_at, excluded.lat, excluded.lng, excluded.address, coalesce(excluded.eta, old.eta))`;

/** A row of each input of `positionsSql`: `positions`, `earliest` and `newest`, with the types of its columns. */
export type PositionsInput = { [Name in keyof PositionRows]: PositionRows[Name][number] };
export const positionsInputColumns: { [Name in keyof PositionRows]: Record<keyof PositionsInput[Name], string> } = {
  positions: positionColumns,
  earliest: shipmentAndTime,
  newest: newestColumns,
};

/** What insertPositions does, as expressions for the `with` clause of a statement. */
export const positionsSql = ({
  positions,
  earliest,
  newest,
}: Record<keyof PositionRows, RawBuilder<unknown>>): RawBuilder<unknown> => sql`
    history as (${historySql(positions)}),
    route_start as (
      update shipments s set route_since = earliest.updated_at
      from ${earliest} earliest
      where s.account_id = earliest.account_id and s.id = earliest.shipment_id
        and (s.route_since is null or s.route_since > earliest.updated_at)
    ),
    current_position as (${currentPositionsSql(newest)})`;

/**
 * The statement of insertPositions. It is separate from the statement that locks the shipment: outside groups, that
 * statement may wait, and these rows need a snapshot from after the wait.
 */
const insertInOneStatement: RowStatement<PositionsInput, unknown> = rowStatement(
  positionsInputColumns,
  (sources) => sql`with ${positionsSql(sources)} select`,
);

/** The same for Citus, where a statement that changes several tables is for all nodes. */
async function insertTableByTable(db: Kysely<Tables>, { positions, earliest, newest }: PositionRows): Promise<void> {
  await insertHistory(db, { positions });
  for (const { account_id, shipment_id, updated_at } of earliest) {
    await sql`
      update shipments set route_since = ${updated_at}
      where account_id = ${account_id} and id = ${shipment_id}
        and (route_since is null or route_since > ${updated_at})`.execute(db);
  }
  if (newest.length > 0) await updateCurrentPositions(db, { newest });
}

const insertHistory: RowStatement<{ positions: PositionRow }, unknown> = rowStatement(
  { positions: positionColumns },
  ({ positions }) => historySql(positions),
);
const updateCurrentPositions: RowStatement<{ newest: NewestRow }, unknown> = rowStatement(
  { newest: newestColumns },
  ({ newest }) => currentPositionsSql(newest),
);
