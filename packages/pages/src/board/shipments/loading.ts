import type { Client } from '@waybill/client';
import { dayLength } from '@waybill/contract/duration';
import { activeStatuses } from '@waybill/contract/statuses';
import { figureDays } from './figures.ts';
import { type End, ends, maxEnded, maxRows, type Rows, rowOf } from './rows.ts';

/** Active shipments that are all read at once. An account with more has the list in parts. */
const maxAtOnce = 500;
/** Shipments with the same need, such as an open exception. */
const maxOfNeed = 1000;
/** Shipments from which the figures are made, and if there are more, those of each day. */
export const maxHistory = 1000;
export const maxOfDay = 100;

/** What is read of the shipments that need attention, or may soon. */
export type Part = 'exceptions' | 'overdue' | 'moving' | 'assigned' | End;

/** Shipments of an account at one time. */
export interface Snapshot {
  rows: Rows;
  /** The parts of which there are more. */
  cut: Set<Part>;
  /** The numbers in the account, while not all active shipments are loaded. */
  totals: Totals | undefined;
  /** Where the next page of the active shipments begins, the newest first; null at the end. */
  next: string | null | undefined;
}

/** Each at most 10,000. */
interface Totals {
  active: number;
  moving: number;
  overdue: number;
}

export interface History {
  rows: Rows;
  /** Whether there are more. */
  isSample: boolean;
}

type Query = NonNullable<Parameters<Client['listShipments']>[0]>;

const moving: Query = { status: ['picked_up', 'in_transit'] };
const overdue = (): Query => ({ pickup_before: new Date() });

/** Reads the shipments that the board shows: those that need attention first. Yields the snapshot as it grows. */
export async function* readSnapshot(client: Client, startOfDay: number): AsyncGenerator<Snapshot> {
  const snapshot: Snapshot = { rows: new Map(), cut: new Set(), totals: undefined, next: null };
  const read = async (part: Part | undefined, query: Query, max: number): Promise<void> => {
    const { rows, isCut } = await listed(client, query, max);
    for (const [number, row] of rows) snapshot.rows.set(number, row);
    if (part && isCut) snapshot.cut.add(part);
  };
  const readEnded = () =>
    Promise.all(ends.map((end) => read(end, { status: end, updated_since: new Date(startOfDay) }, maxEnded)));
  const active = await countOf(client, { status: activeStatuses });
  if (active <= maxAtOnce) {
    await Promise.all([read(undefined, { status: activeStatuses }, maxRows), readEnded()]);
    yield snapshot;
    return;
  }
  snapshot.totals = await readTotals(client);
  await Promise.all([
    read('exceptions', { status: activeStatuses, has_exception: true }, maxOfNeed),
    read('overdue', overdue(), maxOfNeed),
  ]);
  yield snapshot;
  await Promise.all([
    read('moving', moving, maxOfNeed),
    read('assigned', { status: 'dispatched' }, maxOfNeed),
    readEnded(),
  ]);
  snapshot.next = undefined;
  await readMore(client, snapshot);
  yield snapshot;
}

/** Reads the next page of the active shipments. */
export async function readMore(client: Client, snapshot: Snapshot): Promise<void> {
  if (snapshot.next === null || snapshot.rows.size >= maxRows) return;
  const query: Query = { status: activeStatuses, include: 'tracking', limit: 100 };
  const page = await client.listShipments({ ...query, ...(snapshot.next && { cursor: snapshot.next }) });
  for (const shipment of page.data) snapshot.rows.set(shipment.tracking_number, rowOf(shipment));
  snapshot.next = page.next_cursor;
}

/** Reads the numbers again, and the overdue pickups if there are others. */
export async function refreshTotals(client: Client, snapshot: Snapshot): Promise<void> {
  const before = snapshot.totals?.overdue;
  snapshot.totals = await readTotals(client);
  if (snapshot.totals.overdue === before) return;
  const { rows } = await listed(client, overdue(), maxOfNeed);
  for (const [number, row] of rows) if (snapshot.rows.size < maxRows) snapshot.rows.set(number, row);
}

/** Reads a shipment that is not loaded, and that an event has changed. */
export async function readMissing(client: Client, snapshot: Snapshot, tracking_number: string): Promise<void> {
  const { data } = await client.listShipments({ tracking_number, include: 'tracking', limit: 1 });
  for (const shipment of data) snapshot.rows.set(tracking_number, rowOf(shipment));
}

/**
 * Reads the shipments that were created in the last days for the figures. If there are too many, a part of each day: of the
 * newest ones alone, hardly any are delivered.
 */
export async function readHistory(client: Client): Promise<History> {
  const now = Date.now();
  const { rows, isCut } = await listed(client, { from_date: new Date(now - figureDays * dayLength) }, maxHistory);
  if (!isCut) return { rows, isSample: false };
  const sample: Rows = new Map();
  for (let days = figureDays; days > 0; days--) {
    const dates = { from_date: new Date(now - days * dayLength), to_date: new Date(now - (days - 1) * dayLength) };
    for (const [number, row] of (await listed(client, dates, maxOfDay)).rows) sample.set(number, row);
  }
  return { rows: sample, isSample: true };
}

async function readTotals(client: Client): Promise<Totals> {
  const queries = [{ status: activeStatuses }, moving, overdue()] as const;
  const [active = 0, onTheWay = 0, late = 0] = await Promise.all(queries.map((query) => countOf(client, query)));
  return { active, moving: onTheWay, overdue: late };
}

const countOf = async (client: Client, query: Query): Promise<number> =>
  (await client.listShipments({ ...query, limit: 1, total_count: true })).total_count ?? 0;

/** Oldest first. */
async function listed(client: Client, query: Query, max: number): Promise<{ rows: Rows; isCut: boolean }> {
  const limit = Math.min(100, max);
  const found = await client.listShipments({ ...query, include: 'tracking', limit }).toArray({ limit: max + 1 });
  const rows = found.slice(0, max).reverse().map(rowOf);
  return { rows: new Map(rows.map((row) => [row.tracking.tracking_number, row])), isCut: found.length > max };
}
