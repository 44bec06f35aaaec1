import { newUuid } from '@waybill/http/identifiers';
import { type Kysely, type Selectable, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Database } from '../database/database.ts';
import { executeWithNext } from '../database/driver.ts';
import { recordset } from '../database/row-statement.ts';
import type { Tables } from '../database/tables.ts';
import type { EventPosition } from '../event-feed/queries.ts';
import { firstPending, lockedEndpoint, pending } from './due-deliveries.ts';

/** Events that a transaction examines. */
const batchSize = 200;
/** Pending deliveries of an endpoint. Further events stay in the feed. */
const maxPending = 10_000;

/** What a transaction has queued. */
interface Queued {
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
    await executeWithNext(trx, lockedEndpoint(trx, accountId, endpointId).select('id'));
    const size = Math.min(limit, batchSize);
    const endpoint = await selectWithEvents(trx, accountId, endpointId, size);
    if (!endpoint) return undefined;
    const { types, position, events } = endpoint;
    const isReplay = endpoint.replay_from !== null;
    const wanted = events.filter(({ type }) => types.length === 0 || types.includes(type));
    await insertDeliveries(trx, accountId, endpointId, wanted);
    const last = events.at(-1);
    const isAtEnd = events.length < size;
    const atLast = last && (isReplay ? { replay_position: last.position } : { position: last.position });
    const changes = isReplay && isAtEnd ? noReplay : atLast;
    if (changes) {
      const update = trx
        .updateTable('webhook_endpoints')
        .set(changes)
        .where('account_id', '=', accountId)
        .where('id', '=', endpointId);
      await executeWithNext(trx, update);
    }
    return {
      count: wanted.length,
      last: isReplay || !last ? { position: BigInt(position) } : positionOf(last),
      isComplete: isAtEnd && !isReplay,
    };
  });
}

const positionOf = ({ position, created_at }: QueuedEvent): EventPosition => ({
  position: BigInt(position),
  createdAt: new Date(created_at),
});

const noReplay = { replay_from: null, replay_to: null, replay_position: null };

/** An event to queue. */
interface QueuedEvent extends Pick<Selectable<Tables['events']>, 'position' | 'type' | 'shipment_id'> {
  /** As it is stored: JavaScript would cut it to milliseconds. */
  created_at: string;
}

/** Selects an enabled endpoint, and with it the next events of its replay, else those after its position. */
const selectWithEvents = (db: Kysely<Tables>, accountId: string, endpointId: string, limit: number) =>
  db
    .selectFrom('webhook_endpoints as w')
    .select(['w.types', 'w.position', 'w.replay_from'])
    .select((endpoint) => {
      const { fn } = endpoint;
      const after = sql<string>`case when w.replay_from is null then w.position else coalesce(w.replay_position, 0) end`;
      const events = endpoint
        .selectFrom('events as e')
        .select((event) => [
          event.cast<string>('e.position', 'text').as('position'), // JSON has no bigint
          'e.type',
          'e.shipment_id',
          event.cast<string>('e.created_at', 'text').as('created_at'),
        ])
        .where('e.account_id', '=', accountId)
        .where('e.position', '>', after)
        .where('e.created_at', '>=', fn.coalesce('w.replay_from', sql<Date>`'-infinity'`))
        .where('e.created_at', '<', fn.coalesce('w.replay_to', sql<Date>`'infinity'`))
        .orderBy('e.position')
        .limit(limit);
      return jsonArrayFrom(events).as('events');
    })
    .where('w.account_id', '=', accountId)
    .where('w.id', '=', endpointId)
    .where('w.status', '=', 'enabled')
    .executeTakeFirst();

/** The columns that differ between the deliveries of events, beside the time of the next attempt. */
const ofEvent = ['id', 'event_position', 'event_created_at', 'type', 'order_key'] as const;

/** Inserts the deliveries of events. One is due if no delivery of its shipment is pending, and the others wait. */
async function insertDeliveries(
  db: Kysely<Tables>,
  accountId: string,
  endpointId: string,
  events: QueuedEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const earlier = new Set<string>();
  const now = new Date();
  const rows = events.map(({ position, created_at, type, shipment_id }) => {
    const id = newUuid();
    const order_key = shipment_id ?? id; // the event of an endpoint has no order
    const next_attempt_at = earlier.has(order_key) ? null : now;
    earlier.add(order_key);
    return { id, event_position: position, event_created_at: created_at, type, order_key, next_attempt_at };
  });
  const types = { id: 'uuid', event_position: 'bigint', event_created_at: 'timestamptz', type: 'text' };
  const insert = db
    .insertInto('webhook_deliveries')
    .columns([...ofEvent, 'next_attempt_at', 'account_id', 'endpoint_id', 'status', 'attempts'])
    .expression((from) =>
      from
        .selectFrom(recordset('r', { ...types, order_key: 'uuid', next_attempt_at: 'timestamptz' }, rows))
        .select(ofEvent)
        .select((is) => {
          const mayBeDue = is('r.next_attempt_at', 'is not', null);
          const isFree = is(firstPending(db, accountId, endpointId, is.ref('r.order_key')), 'is', null);
          return is
            .case()
            .when(is.and([mayBeDue, isFree]))
            .then(is.ref('r.next_attempt_at'))
            .end()
            .as('next_attempt_at');
        })
        .select(({ val }) => [
          val(accountId).as('account_id'),
          val(endpointId).as('endpoint_id'),
          val('pending').as('status'),
          val(0).as('attempts'),
        ]),
    );
  await executeWithNext(db, insert);
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
