import { lifecycle } from '@waybill/contract/lifecycle';
import { maxTrackingEvents } from '@waybill/contract/limits';
import { entryOf, furthest, isFinal, rankOf, recordable } from '@waybill/contract/statuses';
import type { components } from '@waybill/contract/types';
import { Problem } from '@waybill/http/problems';
import type { Kysely, Selectable, Transaction } from 'kysely';
import { executeWithNextStatement } from '../database/driver.ts';
import { newUuid, publicId, timeOfUuid } from '../database/identifiers.ts';
import { jsonOfRow } from '../database/statements/expressions.ts';
import { rowInsertion } from '../database/statements/row-statement.ts';
import type { Tables, WithTimes } from '../database/tables.ts';
import { isoText, isoTime } from '../database/times.ts';
import type { NewEvent } from '../event-feed/append.ts';
import {
  isReferenceTaken,
  orNotFound,
  type ShipmentKey,
  type ShipmentRef,
  shipmentQuery,
  type TrackedShipment,
} from './queries.ts';
import { resolveExceptions } from './stored-exceptions.ts';

type Schemas = components['schemas'];
type Status = Schemas['ShipmentStatus'];
type Columns = Omit<Selectable<Tables['tracking_events']>, 'account_id' | 'shipment_id' | 'eta' | 'clears_eta'>;

/** An entry of a timeline, as it is stored. */
export type StoredEntry<Time = Date> = WithTimes<Columns, Time>;

const columns: Record<keyof Columns, true> = {
  version: true,
  id: true,
  status: true,
  occurred_at: true,
  description: true,
  access_id: true,
  voided_at: true,
  void_reason: true,
};
export const entryColumns = Object.keys(columns) as (keyof Columns)[];

/** A shipment that is locked, with its timeline. */
export interface LockedShipment extends TrackedShipment {
  version: number;
}

/**
 * Locks a shipment and reads it with its timeline, with voided entries, in the order in which they were recorded. Both statements
 * are sent at once. The second one is executed when the first one has the lock, so that it sees what was committed until then.
 * @throws {Problem} not_found
 */
export async function lockTimeline<Column extends keyof Tables['shipments'] = never>(
  db: Transaction<Tables>,
  accountId: string,
  shipment: ShipmentRef,
  more: readonly Column[] = [],
): Promise<{
  shipment: LockedShipment & Pick<Selectable<Tables['shipments']>, Column>;
  entries: StoredEntry<string>[];
}> {
  await executeWithNextStatement(db, shipmentQuery(db, accountId, shipment, ['id']).forNoKeyUpdate());
  const rows = await shipmentQuery(db, accountId, shipment, ['id', 'tracking_number', 'status', 'version', ...more])
    .innerJoin('tracking_events as e', (join) =>
      join.onRef('e.account_id', '=', 's.account_id').onRef('e.shipment_id', '=', 's.id'),
    )
    .select(jsonOfRow<StoredEntry<string>>('e', entryColumns).as('entry'))
    .orderBy('e.version')
    .execute();
  const locked = { accountId, ...orNotFound(rows[0], shipment) };
  return { shipment: locked as never, entries: rows.map(({ entry }) => entry) };
}

/** A status that a shipment has reached. */
export interface Reached {
  status: Status;
  at: Date;
  /** Undefined for the default one. */
  description?: string | undefined;
  /** The estimated arrival that is reported with it; null clears it. */
  eta?: Date | null | undefined;
  /** The access that reports it; null for a key. */
  accessId: string | null;
  now: Date;
}

/**
 * Requires that a status can be recorded.
 * @throws {Problem} status_recorded, invalid_transition, tracking_event_limit_reached
 */
export function requirePossibleStatus(
  { id, status: current }: TrackedShipment,
  entries: StoredEntry<string>[],
  { status, accessId }: Pick<Reached, 'status' | 'accessId'>,
): void {
  const recorded = entryOf(entries, status);
  if (recorded)
    throw new Problem('status_recorded', `The shipment is recorded as ${status} already.`, {
      current_status: current,
      entry: visibleEntry(entryFrom(recorded, id), accessId),
    });
  const allowed = [...recordable(current)].filter((other) => !entryOf(entries, other));
  if (!allowed.includes(status))
    throw new Problem('invalid_transition', `A shipment that is ${current} cannot become ${status}.`, {
      current_status: current,
      allowed,
    });
  if (entries.length >= maxTrackingEvents)
    throw new Problem('tracking_event_limit_reached', `The timeline has ${maxTrackingEvents} entries.`);
}

/** Requires of an entry that is no end that it is not later than the end, if there is one. @throws {Problem} invalid_transition */
function requireBeforeEnd({ status: current }: TrackedShipment, entries: StoredEntry<string>[], at: Date): void {
  const end = isFinal(current) ? entryOf(entries, current) : undefined;
  if (!end || at <= new Date(end.occurred_at)) return;
  const detail = `The shipment is ${current} since ${isoTime(end.occurred_at)}. Only what was before can be recorded.`;
  const allowed = [...recordable(current)].filter((other) => !entryOf(entries, other));
  throw new Problem('invalid_transition', detail, { current_status: current, allowed });
}

/**
 * Records a status that a locked shipment has reached. The status of the shipment becomes the furthest one, and exceptions that
 * the recorded one ends are resolved.
 * @returns the shipment with its status, the id of the entry, and the events of the exceptions
 * @throws {Problem} those of `requirePossibleStatus`
 */
export async function recordStatus(
  db: Transaction<Tables>,
  shipment: LockedShipment,
  entries: StoredEntry<string>[],
  reached: Reached,
): Promise<{ shipment: TrackedShipment; entryId: string; changes: NewEvent[] }> {
  requirePossibleStatus(shipment, entries, reached);
  const { accountId, id } = shipment;
  const { status, at, accessId, now } = reached;
  requireBeforeEnd(shipment, entries, at);
  const { description, resolves } = lifecycle[status];
  const version = shipment.version + 1;
  const entry = {
    account_id: accountId,
    shipment_id: id,
    version,
    id: newUuid(),
    status,
    occurred_at: at,
    description: reached.description ?? description,
    access_id: accessId,
    ...(reached.eta !== undefined && { eta: reached.eta, clears_eta: reached.eta === null }),
  };
  await executeWithNextStatement(db, db.insertInto('tracking_events').values(entry));
  const updated = { ...shipment, status: furthest([shipment.status, status]) };
  await updateStatus(db, shipment, { status: updated.status, version, updated_at: now });
  if (resolves.length === 0) return { shipment: updated, entryId: entry.id, changes: [] };
  return {
    shipment: updated,
    entryId: entry.id,
    changes: await resolveExceptions(db, updated, resolves, { at, resolution: description, version }),
  };
}

/** The columns that say what a delivery requires. */
export const columnsOfProof = ['details', 'handover_code'] as const;
type RequiredOfProof = Pick<Selectable<Tables['shipments']>, (typeof columnsOfProof)[number]>;

/**
 * Records a status without a proof of delivery, which may follow.
 * @throws {Problem} those of `recordStatus`, and signature_required and handover_code_required of a delivery
 */
export function recordWithoutProof(
  db: Transaction<Tables>,
  shipment: LockedShipment & RequiredOfProof,
  entries: StoredEntry<string>[],
  reached: Reached,
): ReturnType<typeof recordStatus> {
  requirePossibleStatus(shipment, entries, reached);
  if (reached.status === 'delivered') requireNoProof(shipment);
  return recordStatus(db, shipment, entries, reached);
}

/** @throws {Problem} signature_required, handover_code_required */
function requireNoProof({ details, handover_code }: RequiredOfProof): void {
  const how = 'Submit the proof of delivery instead.';
  if (details?.signature_required) throw new Problem('signature_required', `The shipper requires a signature. ${how}`);
  if (handover_code !== null)
    throw new Problem('handover_code_required', `The shipment requires the handover code of the consignee. ${how}`);
}

/** Changes the status of a locked shipment. The statement is sent with the next one. */
export async function updateStatus(
  db: Kysely<Tables>,
  { accountId, id }: ShipmentKey,
  columns: { status: Status; version?: number; updated_at: Date; cancellation_reason?: null },
): Promise<void> {
  const update = db.updateTable('shipments').set(columns).where('account_id', '=', accountId).where('id', '=', id);
  await executeWithNextStatement(db, update, (error) =>
    isReferenceTaken(error)
      ? new Problem('unavailable', 'Another shipment has just got the reference. Send the request again.')
      : error,
  );
}

/** How long an access can void what it has recorded of a shipment that has ended, in milliseconds. The contract states it. */
const ownVoidTime = 10 * 60 * 1000;

/**
 * Requires that an entry can be voided.
 * @throws {Problem} void_not_allowed
 */
export function requireVoidable(
  entry: StoredEntry<string>,
  { id: shipmentId, status }: { id: string; status: Status },
  { accessId, now }: { accessId: string | null; now: Date },
): void {
  const refuse = (detail: string): never => {
    throw new Problem('void_not_allowed', detail, { entry: visibleEntry(entryFrom(entry, shipmentId), accessId) });
  };
  if (entry.version === 1) refuse('The creation of a shipment cannot be voided. Cancel the shipment instead.');
  if (entry.voided_at) refuse('The entry was voided before.');
  if (accessId === null) return;
  if (entry.access_id !== accessId) refuse('An access voids only what it has recorded itself.');
  const recorded = timeOfUuid(entryUuid(entry, shipmentId)).getTime();
  if (isFinal(status) && now.getTime() > recorded + ownVoidTime)
    refuse('After the end of a shipment, an access can void an entry for ten minutes only.');
}

/** Marks an entry of a locked shipment as voided. The statement is sent with the next one. */
export async function voidEntry(
  db: Kysely<Tables>,
  { accountId, id }: ShipmentKey,
  { version }: Pick<StoredEntry, 'version'>,
  { now, reason }: { now: Date; reason: string },
): Promise<void> {
  const update = db
    .updateTable('tracking_events')
    .set({ voided_at: now, void_reason: reason })
    .where('account_id', '=', accountId)
    .where('shipment_id', '=', id)
    .where('version', '=', version);
  await executeWithNextStatement(db, update);
}

/** The milliseconds that the clock of a time counts: messages of EDI have whole minutes, and some programs whole seconds. */
const precisionOf = (time: number): number => [60_000, 1000].find((unit) => time % unit === 0) ?? 1;

/**
 * Entries as they happened: of equal times the one of the lower status first. The creation is first, unless another was before it by
 * the precision of that time.
 */
export function inOrder(entries: StoredEntry<string>[]): StoredEntry<string>[] {
  if (entries.length < 2) return entries;
  const timed = entries.map((entry) => ({ entry, time: Date.parse(entry.occurred_at) }));
  const [creation, ...others] = timed.sort((a, b) => a.entry.version - b.entry.version);
  if (!creation) return [];
  const isEarlier = (time: number): boolean => {
    const precision = precisionOf(time);
    return time < Math.floor(creation.time / precision) * precision;
  };
  others.sort((a, b) => a.time - b.time || rankOf(a.entry.status) - rankOf(b.entry.status));
  const earlier = others.filter(({ time }) => isEarlier(time)).length;
  return others.toSpliced(earlier, 0, creation).map(({ entry }) => entry);
}

/** Whether a further status has the time of one that is recorded after it: then it is the newer one. */
export const isOvertaken = (entries: StoredEntry<string>[], { status, at }: Pick<Reached, 'status' | 'at'>): boolean =>
  entries.some(
    (each) => !each.voided_at && rankOf(each.status) > rankOf(status) && Date.parse(each.occurred_at) === +at,
  );

type FirstEntry = Pick<
  Selectable<Tables['tracking_events']>,
  'account_id' | 'shipment_id' | 'version' | 'status' | 'occurred_at' | 'description'
>;

const insertEntries = rowInsertion<FirstEntry>('tracking_events', {
  account_id: 'uuid',
  shipment_id: 'uuid',
  version: 'integer',
  status: 'text',
  occurred_at: 'timestamptz',
  description: 'text',
});

/** Inserts the first entries of shipments together with the next statement of the transaction. */
export const insertFirstEntries = (db: Kysely<Tables>, entries: FirstEntry[], isCitus?: boolean): Promise<void> =>
  executeWithNextStatement(db, insertEntries(entries, isCitus));

/**
 * The uuid of an entry. The first one has that of its shipment, whose time is that of the creation; others without an id are of
 * release 1.0.0.
 */
export function entryUuid({ id, version }: Pick<StoredEntry, 'id' | 'version'>, shipmentId: string): string {
  if (id !== null) return id;
  const last = Number.parseInt(shipmentId.slice(-2), 16) ^ (version - 1);
  return shipmentId.slice(0, -2) + last.toString(16).padStart(2, '0');
}

/** An entry as keys see it. @param shipmentId a uuid */
export function entryFrom(entry: StoredEntry<Date | string>, shipmentId: string): Schemas['TimelineEntry'] {
  const uuid = entryUuid(entry, shipmentId);
  const { id, version, status, occurred_at, description, voided_at, void_reason } = entry;
  const hasOwnTime = id !== null || version === 1;
  return {
    id: publicId('tev', uuid),
    status,
    timestamp: isoTime(occurred_at),
    description,
    recorded_at: hasOwnTime ? isoText(timeOfUuid(uuid)) : isoTime(occurred_at),
    ...(voided_at !== null && { voided_at: isoTime(voided_at) }),
    ...(void_reason !== null && { void_reason }),
  };
}

/** An entry of a problem: an access does not get the words of others. */
export const visibleEntry = (entry: Schemas['TimelineEntry'], accessId: string | null): Schemas['TimelineEntry'] =>
  accessId === null ? entry : withDefaultText(entry);

/** An entry with the default description of its status. */
export const withDefaultText = ({ id, status, timestamp, recorded_at }: Schemas['TimelineEntry']) => ({
  id,
  status,
  timestamp,
  description: lifecycle[status as Status]?.description ?? status,
  recorded_at,
});
