import type { components } from '@waybill/contract/types';
import { noShipment } from '@waybill/http/shipments/refusals';
import { type Kysely, type Selectable, sql, type Updateable } from 'kysely';
import { batchedRead } from '../database/batched-read.ts';
import { columnList, rowStatement } from '../database/row-statement.ts';
import type { Tables } from '../database/tables.ts';
import { insertTimelineEntry } from '../tracking/queries.ts';

type Schemas = components['schemas'];
export type ShipmentRow = Selectable<Tables['shipments']>;

/** A prepared `select *` fails once on each connection after a migration has added a column. */
const selectedColumns = [
  ...(['account_id', 'id', 'tracking_number', 'status', 'version', 'type', 'origin', 'destination'] as const),
  ...(['pickup_start', 'pickup_end', 'reference', 'notes', 'cancellation_reason'] as const),
  ...(['route_since', 'updated_at'] as const),
];
const columnsSql = columnList(selectedColumns);

/** The columns that the shipper sets. */
export type ShipmentDetails = Pick<ShipmentRow, 'type' | 'pickup_start' | 'pickup_end' | 'reference' | 'notes'> & {
  /** JSON. */
  origin: string;
  /** JSON. */
  destination: string;
};

export interface NewShipment {
  id: string;
  details: ShipmentDetails;
  /** Of the first entry of the timeline. */
  entryDescription: string;
  trackingNumber: string;
  createdAt: Date;
}

/**
 * Inserts a shipment and the first entry of its timeline. Call it in a transaction.
 * @returns undefined when another shipment of the account that is not cancelled has the reference
 */
export async function insertShipment(
  db: Kysely<Tables>,
  accountId: string,
  status: Schemas['ShipmentStatus'],
  { id, details, entryDescription, trackingNumber, createdAt }: NewShipment,
): Promise<ShipmentRow | undefined> {
  const columns = columnList(Object.keys(details));
  const values = sql.join(Object.values(details));
  const { rows } = await sql<ShipmentRow>`
    insert into shipments (account_id, id, tracking_number, status, version, updated_at, ${columns})
    values (${accountId}, ${id}, ${trackingNumber}, ${status}, 1, ${createdAt}, ${values})
    -- the unique index of references, which leaves out cancelled shipments
    on conflict (account_id, reference) where reference is not null and status <> 'cancelled' do nothing
    returning ${columnsSql}`.execute(db);
  const [row] = rows;
  if (row) {
    const entry = { version: 1, status, occurred_at: createdAt, description: entryDescription };
    await insertTimelineEntry(db, { account_id: accountId, shipment_id: id, ...entry });
  }
  return row;
}

/** The id of the account's shipment that has the reference and is not cancelled. */
export async function findShipmentIdByReference(
  db: Kysely<Tables>,
  accountId: string,
  reference: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from shipments
    where account_id = ${accountId} and reference = ${reference} and status <> 'cancelled'`.execute(db);
  return rows[0]?.id;
}

const readShipment = batchedRead(
  'read_shipments',
  rowStatement<{ pairs: Pick<ShipmentRow, 'account_id' | 'id'> }, ShipmentRow>(
    { pairs: { account_id: 'uuid', id: 'uuid' } },
    ({ pairs }) => sql`select ${columnsSql} from shipments join ${pairs} pairs using (account_id, id)`,
  ),
  'id',
  async (db, accountId, ids) => {
    const { rows } = await sql<ShipmentRow>`
      select ${columnsSql} from shipments where account_id = ${accountId} and id = any(${ids}::uuid[])`.execute(db);
    return rows;
  },
);

/** Batched across requests. @throws {Problem} not_found */
export async function getShipmentOrThrow(db: Kysely<Tables>, accountId: string, id: string): Promise<ShipmentRow> {
  const row = await readShipment(db, { account_id: accountId, id });
  if (!row) throw noShipment();
  return row;
}

export interface ShipmentFilter {
  status?: Schemas['ShipmentStatus'] | undefined;
  reference?: string | undefined;
  /** Lowest id, inclusive. */
  from?: string | undefined;
  /** Highest id, exclusive. */
  to?: string | undefined;
}

/** Up to `limit` shipments with ids below `after`, newest first. Ids contain the time, so that one index serves every range. */
export function selectShipments(
  db: Kysely<Tables>,
  accountId: string,
  { status, reference, from, to }: ShipmentFilter,
  after: string | undefined,
  limit: number,
): Promise<ShipmentRow[]> {
  let query = db.selectFrom('shipments').select(selectedColumns).where('account_id', '=', accountId);
  if (status) query = query.where('status', '=', status);
  if (reference) query = query.where('reference', '=', reference);
  if (from) query = query.where('id', '>=', from);
  if (to) query = query.where('id', '<', to);
  if (after) query = query.where('id', '<', after);
  return query.orderBy('id', 'desc').limit(limit).execute();
}

/** Changes columns of an existing shipment. @returns the shipment */
export function updateShipmentRow(
  db: Kysely<Tables>,
  accountId: string,
  id: string,
  columns: Updateable<Tables['shipments']>,
): Promise<ShipmentRow> {
  return db
    .updateTable('shipments')
    .set(columns)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning(selectedColumns)
    .executeTakeFirstOrThrow();
}
