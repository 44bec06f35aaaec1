import { newUuid } from '@waybill/http/identifiers';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { sentWithCommit } from '../database/driver.ts';
import { recordset } from '../database/recordset.ts';
import type { Tables } from '../database/tables.ts';
import type { EventPosition } from '../event-feed/queries.ts';
import { firstPending, keysTable, pending } from './due-deliveries.ts';
import { lockedEndpoint } from './endpoints.ts';

/** Events that a transaction examines. */
const batchSize = 200;
/** Pending deliveries of an endpoint. Further events stay in the feed. */
const maxPending = 10_000;

/** What a transaction has queued. */
export interface Queued {
  count: number;
  /** The last event that was examined. */
  last: EventPosition;
  /** Whether it has examined all events, and all of a replay. */
  isComplete: boolean;
}

/**
 * Queues the next events of an endpoint: those of a replay, else those after its position.
 *
 * The endpoint is locked until the commit, and its types are read then: an event that happened after a change of the endpoint
 * is queued as the change says. The lock also excludes the recording of attempts, which decides which delivery of a shipment
 * is due, too.
 * @param limit the most events to examine
 * @returns undefined when there is no such enabled endpoint
 */
export function queueEvents(
  db: Database,
  accountId: string,
  endpointId: string,
  limit: number,
): Promise<Queued | undefined> {
  return db.transaction().execute(async (trx) => {
    const endpoint = await lockedEndpoint(trx, accountId, endpointId)
      .select(['types', 'position', 'replay_from', 'replay_to', 'replay_position'])
      .where('status', '=', 'enabled')
      .executeTakeFirst();
    if (!endpoint) return undefined;
    const { types, position } = endpoint;
    const isReplay = endpoint.replay_from !== null;
    const size = Math.min(limit, batchSize);
    const events = await selectEvents(trx, accountId, endpoint, size);
    const wanted = events.filter(({ type }) => types.length === 0 || types.includes(type));
    await insertDeliveries(trx, accountId, endpointId, wanted);
    const last = events.at(-1);
    const isAtEnd = events.length < size;
    if (isReplay || last !== undefined) {
      const update = trx
        .updateTable('webhook_endpoints')
        .set(
          isReplay
            ? isAtEnd
              ? noReplay
              : { replay_position: last?.position ?? null }
            : { position: last?.position ?? position },
        )
        .where('account_id', '=', accountId)
        .where('id', '=', endpointId);
      await trx.executeQuery(sentWithCommit(update.compile()));
    }
    return {
      count: wanted.length,
      last: isReplay || !last ? { position: BigInt(position) } : positionOf(last),
      isComplete: isAtEnd && !isReplay,
    };
  });
}

const positionOf = ({ position, created_at }: Pick<QueuedEvent, 'position' | 'created_at'>): EventPosition => ({
  position: BigInt(position),
  createdAt: new Date(created_at),
});

const noReplay = { replay_from: null, replay_to: null, replay_position: null };

/** An event to queue. */
interface QueuedEvent extends Pick<Selectable<Tables['events']>, 'position' | 'type' | 'shipment_id'> {
  /** As it is stored: JavaScript would cut it to milliseconds. */
  created_at: string;
}

type Position = Pick<
  Selectable<Tables['webhook_endpoints']>,
  'position' | 'replay_from' | 'replay_to' | 'replay_position'
>;

function selectEvents(
  db: Kysely<Tables>,
  accountId: string,
  { position, replay_from, replay_to, replay_position }: Position,
  limit: number,
): Promise<QueuedEvent[]> {
  const after = (replay_from === null ? position : replay_position) ?? '0';
  return db
    .selectFrom('events')
    .select(['position', 'type', 'shipment_id', sql<string>`created_at::text`.as('created_at')])
    .where('account_id', '=', accountId)
    .where('position', '>', after)
    .$if(replay_from !== null, (query) =>
      query.where('created_at', '>=', replay_from as Date).where('created_at', '<', replay_to as Date),
    )
    .orderBy('position')
    .limit(limit)
    .execute();
}

/** The columns that differ between the deliveries of events. */
const ofEvent = ['id', 'event_position', 'event_created_at', 'type', 'order_key', 'next_attempt_at'] as const;

/** Inserts the deliveries of events. One is due if no delivery of its shipment is pending, and the others wait. */
async function insertDeliveries(
  db: Kysely<Tables>,
  accountId: string,
  endpointId: string,
  events: QueuedEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const shipments = events.flatMap(({ shipment_id }) => shipment_id ?? []);
  const busy = new Set(await selectPendingKeys(db, accountId, endpointId, [...new Set(shipments)]));
  const now = new Date();
  const rows = events.map(({ position, created_at, type, shipment_id }) => {
    const id = newUuid();
    const order_key = shipment_id ?? id; // the event of an endpoint has no order
    const next_attempt_at = busy.has(order_key) ? null : now;
    busy.add(order_key);
    return { id, event_position: position, event_created_at: created_at, type, order_key, next_attempt_at };
  });
  const types = { id: 'uuid', event_position: 'bigint', event_created_at: 'timestamptz', type: 'text' };
  const insert = db
    .insertInto('webhook_deliveries')
    .columns([...ofEvent, 'account_id', 'endpoint_id', 'status', 'attempts'])
    .expression((from) =>
      from
        .selectFrom(recordset('r', { ...types, order_key: 'uuid', next_attempt_at: 'timestamptz' }, rows))
        .select(ofEvent)
        .select(({ val }) => [
          val(accountId).as('account_id'),
          val(endpointId).as('endpoint_id'),
          val('pending').as('status'),
          val(0).as('attempts'),
        ]),
    );
  await db.executeQuery(sentWithCommit(insert.compile()));
}

/** Those of the keys that have a pending delivery. */
async function selectPendingKeys(
  db: Kysely<Tables>,
  accountId: string,
  endpointId: string,
  keys: string[],
): Promise<string[]> {
  if (keys.length === 0) return [];
  const rows = await db
    .selectFrom(keysTable(keys))
    .select('k.order_key')
    // A scalar subquery: PostgreSQL may read all pending deliveries for `exists`.
    .where(firstPending(db, accountId, endpointId), 'is not', null)
    .execute();
  return rows.map(({ order_key }) => order_key);
}

/** The events that may be queued before an endpoint has the most pending deliveries. It reads these: call it rarely. */
export async function selectRoom(db: Kysely<Tables>, accountId: string, endpointId: string): Promise<number> {
  const { count } = await db
    .selectFrom((from) =>
      from
        .selectFrom('webhook_deliveries')
        .select('id')
        .where('account_id', '=', accountId)
        .where('endpoint_id', '=', endpointId)
        .where('status', '=', pending)
        .limit(sql.lit(maxPending))
        .as('pending'),
    )
    .select((from) => from.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  return maxPending - Number(count);
}
