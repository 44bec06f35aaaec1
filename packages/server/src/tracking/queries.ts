import { statuses } from '@waybill/contract/lifecycle';
import { notFound, Problem } from '@waybill/http/problems';
import type { Expression, ExpressionBuilder, Kysely, Selectable, SqlBool, Transaction } from 'kysely';
import { executeWithNextStatement } from '../database/driver.ts';
import { publicId } from '../database/identifiers.ts';
import { rowInsertion } from '../database/statements/row-statement.ts';
import type { Tables } from '../database/tables.ts';
import { planTransition, type TransitionRequest, transitionTime } from './lifecycle.ts';

type Status = Tables['shipments']['status'];

/** A shipment by its id (a uuid) or its tracking number. */
type ShipmentRef = { id: string } | { tracking_number: string };
const isShipment =
  (accountId: string, shipment: ShipmentRef) =>
  (eb: ExpressionBuilder<{ s: Tables['shipments'] }, 's'>): Expression<SqlBool> =>
    eb.and([
      eb('s.account_id', '=', accountId),
      'id' in shipment ? eb('s.id', '=', shipment.id) : eb('s.tracking_number', '=', shipment.tracking_number),
    ]);

/** What identifies the rows of a shipment. */
export interface ShipmentKey {
  accountId: string;
  /** A uuid. */
  id: string;
}

type ShipmentColumn = keyof Tables['shipments'];
/** With the id they are a `ShipmentKey`. */
type ColumnsOfShipment<Column extends ShipmentColumn> = { accountId: string } & Pick<
  Selectable<Tables['shipments']>,
  Column
>;

const shipmentQuery = (
  db: Kysely<Tables>,
  accountId: string,
  shipment: ShipmentRef,
  columns: readonly ShipmentColumn[],
) =>
  db
    .selectFrom('shipments as s')
    .select(columns.map((column) => `s.${column}` as const))
    .where(isShipment(accountId, shipment));

/** @throws {Problem} not_found */
function orNotFound<Row>(row: Row | undefined, shipment: ShipmentRef): Row {
  if (row) return row;
  throw notFound('shipment', 'id' in shipment ? publicId('ship', shipment.id) : shipment.tracking_number);
}

/** Columns of a shipment. @throws {Problem} not_found */
export async function getShipment<Column extends ShipmentColumn>(
  db: Kysely<Tables>,
  accountId: string,
  shipment: ShipmentRef,
  columns: readonly Column[],
): Promise<ColumnsOfShipment<Column>> {
  const row = await shipmentQuery(db, accountId, shipment, columns).executeTakeFirst();
  return { accountId, ...orNotFound(row, shipment) } as ColumnsOfShipment<Column>;
}

/**
 * Columns of a shipment, which is locked until the end of the transaction: the writes that lock it are executed one after the
 * other.
 * @throws {Problem} not_found
 */
export async function lockShipment<Column extends ShipmentColumn>(
  db: Kysely<Tables>,
  accountId: string,
  shipment: ShipmentRef,
  columns: readonly Column[],
): Promise<ColumnsOfShipment<Column>> {
  const row = await shipmentQuery(db, accountId, shipment, columns).forNoKeyUpdate().executeTakeFirst();
  return { accountId, ...orNotFound(row, shipment) } as ColumnsOfShipment<Column>;
}

/** The columns that `storeReport` needs. */
export const trackedColumns = ['id', 'tracking_number', 'status'] as const;
export type TrackedShipment = ColumnsOfShipment<(typeof trackedColumns)[number]>;

interface StatusUpdate {
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
async function updateStatus(
  db: Kysely<Tables>,
  accountId: string,
  shipment: ShipmentRef,
  { from, to, occurredAt, tolerance, description, now }: StatusUpdate,
): Promise<string | undefined> {
  const updated = await db
    .updateTable('shipments as s')
    .set((eb) => ({ status: to, version: eb('s.version', '+', 1), updated_at: now }))
    .where(isShipment(accountId, shipment))
    .where((eb) => eb('s.status', '=', eb.fn.any(eb.val(from))))
    .where((eb) =>
      eb(
        eb
          .selectFrom('tracking_events as e')
          .select('e.occurred_at')
          .where('e.account_id', '=', accountId)
          .whereRef('e.shipment_id', '=', 's.id')
          .whereRef('e.version', '=', 's.version'),
        '<=',
        new Date(occurredAt.getTime() + tolerance),
      ),
    )
    .returning(['s.id', 's.version'])
    .executeTakeFirst();
  if (!updated) return undefined;
  const { id, version } = updated;
  const entry = { version, status: to, occurred_at: occurredAt, description };
  await insertTimelineEntries(db, [{ account_id: accountId, shipment_id: id, ...entry }]);
  return id;
}

type TimelineEntry = Selectable<Tables['tracking_events']>;

const insertEntries = rowInsertion<TimelineEntry>('tracking_events', {
  account_id: 'uuid',
  shipment_id: 'uuid',
  version: 'integer',
  status: 'text',
  occurred_at: 'timestamptz',
  description: 'text',
});

/** Inserts entries together with the next statement of the transaction. */
export const insertTimelineEntries = (db: Kysely<Tables>, entries: TimelineEntry[], isCitus?: boolean): Promise<void> =>
  executeWithNextStatement(db, insertEntries(entries, isCitus));

/** The status of a shipment, and when its last event occurred. @throws {Problem} not_found */
async function getCurrentStatus(
  db: Kysely<Tables>,
  accountId: string,
  shipment: ShipmentRef,
): Promise<{ status: Status; occurred_at: Date }> {
  const row = await db
    .selectFrom('shipments as s')
    .innerJoin('tracking_events as e', (join) =>
      join
        .onRef('e.account_id', '=', 's.account_id')
        .onRef('e.shipment_id', '=', 's.id')
        .onRef('e.version', '=', 's.version'),
    )
    .select(['s.status', 'e.occurred_at'])
    .where(isShipment(accountId, shipment))
    .executeTakeFirst();
  return orNotFound(row, shipment);
}

/** A shipment has each status at most once, so that concurrent requests can change it at most this often. */
const maxAttempts = Object.keys(statuses).length;

/**
 * Changes the status of a shipment.
 * @returns the shipment's id (a uuid)
 * @throws {Problem} not_found, invalid_transition, or invalid_request for an event that is before the previous one
 */
export async function transition(
  db: Transaction<Tables>,
  accountId: string,
  shipment: ShipmentRef,
  { now, ...request }: TransitionRequest & { now: Date },
): Promise<string> {
  const planned = planTransition(request);
  const update = { ...planned, to: request.to, occurredAt: request.occurred?.at ?? now, now };
  // An update that waited for a concurrent transition changes nothing, but may be valid after it.
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const id = await updateStatus(db, accountId, shipment, update);
    if (id) return id;
    update.occurredAt = await requireTransition(db, accountId, shipment, { ...request, now });
  }
  throw new Problem('unavailable', 'The shipment is changing too quickly. Send the request again.');
}

/**
 * Requires that the status of a shipment can be changed.
 * @returns when the transition would occur
 * @throws {Problem} those of `transition`
 */
export async function requireTransition(
  db: Transaction<Tables>,
  accountId: string,
  shipment: ShipmentRef,
  { now, ...request }: TransitionRequest & { now: Date },
): Promise<Date> {
  const { status, occurred_at } = await getCurrentStatus(db, accountId, shipment);
  return transitionTime(request, planTransition(request), { status, previous: occurred_at, now });
}
