import type { FastifyInstance } from 'fastify';
import type { Expression, Kysely, Transaction } from 'kysely';
import type { Database } from '../database/database.ts';
import { type DayTable, type PartitionChanges, updatePartitions } from '../database/day-partitions.ts';
import { deleteExpired, type ExpiredRows } from '../database/delete-expired.ts';
import { ago } from '../database/expressions.ts';
import type { Tables } from '../database/tables.ts';
import { eventDays } from '../event-feed/feed.ts';
import { retentionHours } from '../operations/stored-responses.ts';
import { endOfUpload, releaseBytes } from '../proof/queries.ts';
import { type Storage, storageKey } from '../storage/storage.ts';
import { expireShipments, type ShipmentRetention } from './expire-shipments.ts';

/** A run of a job that has ended. */
export interface JobRun {
  name: string;
  seconds: number;
  /** What it removed, by kind; undefined when it failed. */
  removed: Removed | undefined;
  /** By table, but for those that it did not reach. */
  partitions: Partitions;
}

type Partitions = Partial<Record<DayTable['name'], PartitionChanges>>;

/** What operators have removed earlier than the service requires. */
export interface Retention {
  /** Days for which positions are retained. */
  positionDays: number;
  /** Days for which finished deliveries of webhooks are retained; undefined for as long as their events. */
  deliveryDays?: number | undefined;
  /** Undefined for ever. */
  shipments?: ShipmentRetention | undefined;
}

interface Options extends Omit<Retention, 'positionDays'> {
  /** Gets the partitions of each table. */
  partitions?: Partitions;
}

/** Milliseconds between the starts of two runs. */
const runInterval = 60_000;

/**
 * Removes expired data once a minute until the app closes. Runs do not overlap. A failed run is logged, and the next one
 * tries again.
 * @param onEnd is called after each run
 */
export function scheduleCleanUp(
  app: FastifyInstance,
  db: Database,
  storage: Storage,
  retention: Retention,
  onEnd?: (run: JobRun) => void,
): void {
  let running: Promise<void> | undefined;
  const stop = new AbortController();
  const run = async (): Promise<void> => {
    const start = performance.now();
    let removed: Removed | undefined;
    const partitions: Partitions = {};
    try {
      removed = await cleanUp(db, storage, retention.positionDays, stop.signal, { ...retention, partitions });
      if (Object.values(removed).some((count) => count > 0)) app.log.info({ removed }, 'removed expired data');
    } catch (error) {
      app.log.warn({ err: error }, 'could not remove expired data');
    }
    onEnd?.({ name: 'clean_up', seconds: (performance.now() - start) / 1000, removed, partitions });
  };
  const timer = setInterval(() => {
    running ??= run().finally(() => {
      running = undefined;
    });
  }, runInterval);
  app.addHook('onClose', async () => {
    clearInterval(timer);
    stop.abort();
    await running;
  });
}

/** Maximum unfinished files that a run removes. */
const maxUnfinishedFiles = 1000;
/** Uploads per transaction. It is small, because each has a file to remove. */
const uploadBatch = 100;
/** Hours after the end of an upload, so that nothing is storing or binding it while its file is removed. */
const hoursAfterEnd = 1;

/** What runs remove. Days are partitions; positions and events are those of days without one. */
export const removedKinds = [
  'shipments',
  'idempotencyKeys',
  'accesses',
  'uploads',
  'unfinishedFiles',
  'positionDays',
  'positions',
  'webhookDeliveries',
  'eventDays',
  'events',
] as const;

/** The number of items that a run removed. */
type Removed = Record<(typeof removedKinds)[number], number>;

/** Tables whose rows stay until they are deleted with their account, shipment (expire-shipments.ts), key or endpoint. */
type KeptTable =
  | ('accounts' | 'api_keys' | 'audit_log' | 'current_positions' | 'exceptions' | 'proofs' | 'removed_events')
  | ('shipments' | 'stored_bytes' | 'tracking_events' | 'enabled_webhook_endpoints' | 'webhook_endpoints');
/** Tables whose rows expire in a way of their own: below, or with the instances. */
type OtherTable = 'events' | 'positions' | 'proof_uploads' | 'instances' | 'webhook_leases';
type ExpiringTable = Exclude<keyof Tables, KeptTable | OtherTable>;

/** When the rows of all other tables expire. */
const expiring: Record<ExpiringTable, Omit<ExpiredRows, 'table'>> = {
  idempotency_keys: { column: 'created_at', age: `${retentionHours} hours` },
  // A day later, so that until then a request learns that its token has expired.
  accesses: { column: 'expires_at', age: '1 day', isLocal: true },
  // An event is removed with the rest of its UTC day, up to a day late. Pending ones stay: later ones of their shipment wait for
  // them, and an endpoint has a limited number.
  webhook_deliveries: { column: 'event_created_at', age: `${eventDays + 1} days`, condition: "status <> 'pending'" },
};

const positionTable: DayTable = { name: 'positions', column: 'updated_at' };

/**
 * Removes expired data until none is left or the signal aborts. Several instances may run it at once: each skips the rows
 * that another is removing.
 * @param positionDays days for which positions are retained. They are removed when their whole UTC day has expired.
 */
export async function cleanUp(
  db: Database,
  storage: Storage,
  positionDays: number,
  signal?: AbortSignal,
  { deliveryDays, shipments, partitions = {} }: Options = {},
): Promise<Removed> {
  const remove = (table: ExpiringTable, days?: number): Promise<number> =>
    deleteExpired(db, { table, ...expiring[table], ...(days !== undefined && { age: `${days} days` }) }, signal);
  const removed: Record<ExpiringTable, number> = {
    idempotency_keys: await remove('idempotency_keys'),
    accesses: await remove('accesses'),
    webhook_deliveries: await remove('webhook_deliveries', deliveryDays),
  };
  const expiredShipments = shipments ? await expireShipments(db, storage, shipments, signal) : 0;
  const uploads = await removeUploads(db, storage, signal);
  const anHourAgo = new Date(Date.now() - 3_600_000); // no upload takes an hour
  const unfinishedFiles = await storage.removeUnfinished(anHourAgo, maxUnfinishedFiles);
  // The partitions of days are dropped as a whole.
  const oldPositions = { table: 'positions_default', column: 'updated_at', age: `${positionDays} days` };
  const positions = await deleteExpired(db, oldPositions, signal);
  // Last, because they fail when the database role does not own the tables.
  const ofPositions = await updatePartitions(db, positionTable, positionDays, signal);
  partitions.positions = ofPositions;
  const eventsUnpartitioned = await removeUnpartitioned(db);
  const ofEvents = await updatePartitions(db, eventTable, eventDays, signal);
  partitions.events = ofEvents;
  return {
    shipments: expiredShipments,
    idempotencyKeys: removed.idempotency_keys,
    accesses: removed.accesses,
    uploads,
    unfinishedFiles,
    positionDays: ofPositions.dropped,
    positions,
    webhookDeliveries: removed.webhook_deliveries,
    eventDays: ofEvents.dropped,
    events: eventsUnpartitioned,
  };
}

const abandonedUploads = (db: Kysely<Tables>) =>
  db
    .selectFrom('proof_uploads')
    .where('bound_at', 'is', null)
    .where('created_at', '<=', ago(`${hoursAfterEnd} hours`)) // has an index
    .where(endOfUpload, '<=', ago(`${hoursAfterEnd} hours`))
    .limit(uploadBatch);

async function removeUploads(db: Database, storage: Storage, signal?: AbortSignal): Promise<number> {
  let total = 0;
  let isDone = false;
  while (!isDone && !signal?.aborted) {
    const rows = await abandonedUploads(db).select('account_id').execute();
    let removed = 0;
    for (const accountId of new Set(rows.map(({ account_id }) => account_id))) {
      removed += await removeUploadsOf(db, storage, accountId);
    }
    total += removed;
    isDone = removed < uploadBatch;
  }
  return total;
}

/**
 * Removes uploads of one account, so that a transaction is on one node of Citus. Removes files before their rows: the
 * next run finds a row without a file, but not a file without a row.
 */
function removeUploadsOf(db: Database, storage: Storage, accountId: string): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const rows = await abandonedUploads(trx)
      .select(['id', 'size'])
      .where('account_id', '=', accountId)
      .forUpdate()
      .skipLocked()
      .execute();
    await storage.delete(rows.map(({ id }) => storageKey(accountId, id)));
    for (const { id, size } of rows) {
      await trx.deleteFrom('proof_uploads').where('account_id', '=', accountId).where('id', '=', id).execute();
      await releaseBytes(trx, accountId, size);
    }
    return rows.length;
  });
}

/** The last event of each account. */
interface LastEvent {
  account_id: string;
  last_number: number;
}

/** Notes the last event of each account, so that a reader who has not read it learns of the gap. */
async function noteRemoval(trx: Transaction<Tables>, last: Expression<LastEvent>): Promise<void> {
  await trx
    .insertInto('removed_events')
    .columns(['account_id', 'last_number'])
    .expression(last)
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet((eb) => ({
        last_number: eb.fn('greatest', ['removed_events.last_number', 'excluded.last_number']),
      })),
    )
    .execute();
}

const eventTable: DayTable = {
  name: 'events',
  column: 'created_at',
  beforeDrop: (trx, from, to) =>
    noteRemoval(
      trx,
      trx
        .selectFrom('events')
        .select((eb) => ['account_id', eb.fn.max('number').as('last_number')])
        .where('created_at', '>=', new Date(from))
        .where('created_at', '<', new Date(to))
        .groupBy('account_id'),
    ),
};

/** There are such events only after clean-up has failed for many days. */
function removeUnpartitioned(db: Database): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const events = trx.withTables<{ events_default: Tables['events'] }>();
    const expired = events.selectFrom('events_default').where('created_at', '<=', ago(`${eventDays} days`));
    if (!(await expired.select('number').limit(1).executeTakeFirst())) return 0;
    await noteRemoval(
      trx,
      expired.select((eb) => ['account_id', eb.fn.max('number').as('last_number')]).groupBy('account_id'),
    );
    const { numDeletedRows } = await events
      .deleteFrom('events_default')
      .where('created_at', '<=', ago(`${eventDays} days`))
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  });
}
