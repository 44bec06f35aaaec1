import { type ExpressionBuilder, type Kysely, type Selectable, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Database } from '../../database/database.ts';
import { executeWithNextStatement } from '../../database/driver.ts';
import { newUuid } from '../../database/identifiers.ts';
import { now } from '../../database/statements/expressions.ts';
import { recordset } from '../../database/statements/row-statement.ts';
import type { Replay, Tables } from '../../database/tables.ts';
import { initialAttempts } from '../attempts/socket-limits.ts';
import type { EndpointRef } from '../endpoints/endpoint-list.ts';
import { endpointUpdateQuery, lockedEndpoint, replayColumns, replaysOf, withReplays } from '../endpoints/endpoints.ts';
import { firstPending, orderKeyOf, pending } from './delivery-queue.ts';
import type { EndpointStatements } from './statement-slots.ts';

/** Events that a transaction examines. */
const batchSize = 200;
/** Pending deliveries of an endpoint. Further events stay in the feed. */
const maxPending = 10_000;
/** Milliseconds until pending deliveries are counted again, when there were too many to queue further events. */
const queueFullPause = 5000;

/** Deliveries of replays whose first attempt has not ended. One attempt is left for new events, which never wait for a long range. */
const maxReplayed = initialAttempts - 1;

/** Queues the events of an endpoint, and knows from what it has queued when there may be more. */
export class EventQueue {
  readonly #endpoint: EndpointRef;
  readonly #statements: EndpointStatements;
  #mayHaveEvents = true;
  /** The number of the last event that is queued, or need not be. */
  #last = 0;
  /** Events that may be queued before the pending deliveries are counted again. */
  #room = 0;
  /** When they may be counted again, by `performance.now()`. */
  #countAt = 0;
  /** Deliveries that wait, but for those that requests have queued since they were counted. */
  #pending = 0;
  /** The ids of deliveries of replays whose first attempt has not been recorded. */
  readonly #replayed = new Set<string>();
  #hasReplay = false;

  constructor(endpoint: EndpointRef, statements: EndpointStatements) {
    this.#endpoint = endpoint;
    this.#statements = statements;
  }

  get pending(): number {
    return this.#pending;
  }

  /** There may be events to queue, or a replay. */
  expectEvents(): void {
    this.#mayHaveEvents = true;
  }

  /** There is an event with a number, which may be queued already. */
  expectEvent(number: number): void {
    if (number > this.#last) this.#mayHaveEvents = true;
  }

  /** @param attempted the ids of all whose attempts were recorded @param finished how many of them have finished */
  deliveriesRecorded(attempted: string[], finished: number): void {
    this.#pending = Math.max(0, this.#pending - finished);
    for (const id of attempted) this.#replayed.delete(id);
    if (this.#mayReplay()) this.#mayHaveEvents = true;
  }

  #mayReplay(): boolean {
    return this.#hasReplay && this.#replayed.size < maxReplayed;
  }

  /** Milliseconds until there may be events to queue and room for them. */
  untilEvents(): number {
    if (!this.#mayHaveEvents) return Number.POSITIVE_INFINITY;
    return this.#room > 0 ? 0 : Math.max(0, this.#countAt - performance.now());
  }

  /** Queues the next events, if there is room for them. @returns whether the endpoint is enabled */
  async queueNext(): Promise<boolean> {
    this.#mayHaveEvents = false; // before the statements: events may be expected during them
    if (this.#room <= 0) {
      const count = await this.#statements.execute((db) => countPending(db, this.#endpoint));
      if (count === undefined) return false;
      this.#pending = count;
      this.#room = maxPending - count;
      this.#countAt = performance.now() + queueFullPause;
      if (this.#room <= 0) {
        this.#mayHaveEvents = true;
        return true;
      }
    }
    const replayLimit = maxReplayed - this.#replayed.size;
    const queued = await this.#statements.execute((db) => queueEvents(db, this.#endpoint, this.#room, replayLimit));
    if (!queued) return false;
    for (const id of queued.replayed) this.#replayed.add(id);
    this.#hasReplay = queued.hasReplay;
    this.#room -= queued.count;
    this.#pending += queued.count;
    this.#last = queued.last;
    if (!queued.isComplete || this.#mayReplay()) this.#mayHaveEvents = true;
    return true;
  }
}

/** What a transaction has queued. */
interface QueueResult {
  count: number;
  /** The number of the last event that is queued, or need not be. */
  last: number;
  /** Whether it has examined all new events. */
  isComplete: boolean;
  /** The ids of the deliveries of a replay. */
  replayed: string[];
  /** Whether a replay is not complete. */
  hasReplay: boolean;
}

/**
 * Queues the next new events of an endpoint, and after them some of its first replay.
 *
 * The endpoint is locked until the commit, and its types are read then: an event that happened after a change of the endpoint
 * is queued as the change says. The lock also excludes the recording of attempts, which decides which delivery of a shipment
 * is due, too.
 * @param limit the most events to examine @param replayLimit the most of a replay
 * @returns undefined when there is no such enabled endpoint
 */
export function queueEvents(
  db: Database,
  endpoint: EndpointRef,
  limit: number,
  replayLimit: number,
): Promise<QueueResult | undefined> {
  return db.transaction().execute(async (trx) => {
    await executeWithNextStatement(trx, lockedEndpoint(trx, endpoint).select('id')); // sent with the next one, which waits for it
    const size = Math.min(limit, batchSize);
    const row = await selectWithEvents(trx, endpoint, size);
    if (!row) return undefined;
    const { types, events } = row;
    const [replay, ...later] = replaysOf(row);
    const room = Math.min(replayLimit, limit - events.length);
    const again = replay && room > 0 ? await selectReplayed(trx, endpoint, replay, room) : [];
    const isWanted = ({ type }: EventToQueue) => types.length === 0 || types.includes(type);
    const replayed = again.filter(isWanted);
    const wanted = [...replayed, ...events.filter(isWanted)]; // those of a shipment in their order
    // New ones are due first.
    const dueAt = (at: number) => new Date(row.now.getTime() + (at < replayed.length ? 1 : 0));
    const ids = await insertDeliveries(trx, endpoint, wanted, dueAt);
    const last = events.at(-1)?.number ?? row.event_number;
    const continued = replay && { ...replay, after: again.at(-1)?.number ?? replay.after };
    const isEnded = room > 0 && again.length < room;
    const replays = continued && !isEnded ? [continued, ...later] : later;
    const changes = { event_number: last, ...(replay && withReplays(replays)) };
    if (replay || last !== row.event_number)
      await executeWithNextStatement(trx, endpointUpdateQuery(trx, endpoint).set(changes));
    return {
      count: wanted.length,
      last,
      isComplete: events.length < size,
      replayed: ids.slice(0, replayed.length),
      hasReplay: replays.length > 0,
    };
  });
}

/** An event to queue. */
interface EventToQueue extends Pick<Selectable<Tables['events']>, 'number' | 'type' | 'shipment_id'> {
  /** As it is stored: JavaScript would cut it to milliseconds. */
  created_at: string;
}

type EventExpressions = ExpressionBuilder<Tables & { e: Tables['events'] }, 'e'>;
const eventSelection = (event: EventExpressions) =>
  [
    ...(['e.number', 'e.type', 'e.shipment_id'] as const),
    event.cast<string>('e.created_at', 'text').as('created_at'),
  ] as const;

/** The next new events `e` of an endpoint `w`. The caller adds the condition on the account. */
const nextEvents = (endpoint: ExpressionBuilder<Tables & { w: Tables['webhook_endpoints'] }, 'w'>) =>
  endpoint.selectFrom('events as e').whereRef('e.number', '>', 'w.event_number').orderBy('e.number');

/** Selects an enabled endpoint, and with it its next events. */
const selectWithEvents = (db: Kysely<Tables>, { accountId, endpointId }: EndpointRef, limit: number) =>
  db
    .selectFrom('webhook_endpoints as w')
    .select(['w.types', now.as('now'), ...replayColumns.map((column) => `w.${column}` as const)])
    .select((endpoint) => {
      const events = nextEvents(endpoint).select(eventSelection).where('e.account_id', '=', accountId).limit(limit);
      return jsonArrayFrom(events).as('events');
    })
    .where('w.account_id', '=', accountId)
    .where('w.id', '=', endpointId)
    .where('w.status', '=', 'enabled')
    .executeTakeFirst();

/** Selects the next events of a replay. */
const selectReplayed = (
  db: Kysely<Tables>,
  { accountId }: EndpointRef,
  { from, to, after, last }: Replay,
  limit: number,
): Promise<EventToQueue[]> =>
  db
    .selectFrom('events as e')
    .select(eventSelection)
    .where('e.account_id', '=', accountId)
    .where('e.number', '>', after)
    .where('e.number', '<=', last)
    .where('e.created_at', '>=', new Date(from))
    .where('e.created_at', '<', new Date(to))
    .orderBy('e.number')
    .limit(limit)
    .execute();

/**
 * Returns those of some endpoints that have something to do: events to queue, a replay to end, or pending deliveries. Each may
 * have its own account. Without it a worker would have to look for each endpoint when an instance starts.
 */
export async function selectWithWork<Endpoint extends EndpointRef>(
  db: Kysely<Tables>,
  endpoints: Endpoint[],
): Promise<Endpoint[]> {
  const accountIds = new Set(endpoints.map(({ accountId }) => accountId));
  const ids = endpoints.map(({ endpointId }) => endpointId);
  const rows = await db
    .selectFrom('webhook_endpoints as w')
    .select('w.id')
    .where('w.account_id', '=', sql<string>`any(${[...accountIds]}::uuid[])`)
    .where('w.id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('w.status', '=', 'enabled')
    .where((eb) => {
      // Not `exists`, for which PostgreSQL may read the events of all accounts.
      const event = nextEvents(eb).select('e.number').whereRef('e.account_id', '=', 'w.account_id').limit(eb.lit(1));
      const delivery = eb
        .selectFrom('webhook_deliveries as d')
        .select('d.id')
        .whereRef('d.account_id', '=', 'w.account_id')
        .whereRef('d.endpoint_id', '=', 'w.id')
        .where('d.status', '=', pending)
        .limit(eb.lit(1));
      const hasReplay = eb.or([eb('w.replays', 'is not', null), eb('w.replay_from', 'is not', null)]);
      return eb.or([hasReplay, eb(event, 'is not', null), eb(delivery, 'is not', null)]);
    })
    .execute();
  const withWork = new Set(rows.map(({ id }) => id));
  return endpoints.filter(({ endpointId }) => withWork.has(endpointId));
}

/** The columns that differ between the deliveries of events, beside the time of the next attempt. */
const eventTypes = {
  id: 'uuid',
  event_number: 'bigint',
  event_created_at: 'timestamptz',
  type: 'text',
  order_key: 'uuid',
};
const eventColumns = Object.keys(eventTypes) as (keyof typeof eventTypes)[];

/**
 * Inserts the deliveries of events. One is due if no delivery of its shipment is pending, and the others wait.
 * @param dueAt when the event at an index is due @returns their ids
 */
async function insertDeliveries(
  db: Kysely<Tables>,
  endpoint: EndpointRef,
  events: EventToQueue[],
  dueAt: (index: number) => Date,
): Promise<string[]> {
  if (events.length === 0) return [];
  const earlier = new Set<string>();
  const rows = events.map(({ number, created_at, type, shipment_id }, index) => {
    const id = newUuid();
    const order_key = orderKeyOf(id, shipment_id);
    const due_if_first = earlier.has(order_key) ? null : dueAt(index);
    earlier.add(order_key);
    return { id, event_number: number, event_created_at: created_at, type, order_key, due_if_first };
  });
  const insert = db
    .insertInto('webhook_deliveries')
    .columns([...eventColumns, 'next_attempt_at', 'account_id', 'endpoint_id', 'status', 'attempts'])
    .expression((from) =>
      from
        .selectFrom(recordset('r', { ...eventTypes, due_if_first: 'timestamptz' }, rows))
        .select(eventColumns)
        .select((eb) => {
          const mayBeDue = eb('r.due_if_first', 'is not', null);
          const isFree = eb(firstPending(db, endpoint, eb.ref('r.order_key')), 'is', null);
          return eb
            .case()
            .when(eb.and([mayBeDue, isFree]))
            .then(eb.ref('r.due_if_first'))
            .end()
            .as('next_attempt_at');
        })
        .select(({ val }) => [
          val(endpoint.accountId).as('account_id'),
          val(endpoint.endpointId).as('endpoint_id'),
          pending.as('status'),
          val(0).as('attempts'),
        ]),
    );
  await executeWithNextStatement(db, insert);
  return rows.map(({ id }) => id);
}

/**
 * Counts the pending deliveries of an endpoint, up to `maxPending`. It reads these: call it rarely.
 * @returns undefined when there is no such enabled endpoint
 */
async function countPending(db: Kysely<Tables>, { accountId, endpointId }: EndpointRef): Promise<number | undefined> {
  const pendingOnes = db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('account_id', '=', accountId)
    .where('endpoint_id', '=', endpointId)
    .where('status', '=', pending)
    .limit(sql.lit(maxPending));
  const row = await db
    .selectFrom('webhook_endpoints')
    .select(db.selectFrom(pendingOnes.as('p')).select(db.fn.countAll<number>().as('count')).as('count'))
    .where('account_id', '=', accountId)
    .where('id', '=', endpointId)
    .where('status', '=', 'enabled')
    .executeTakeFirst();
  return row && (row.count ?? 0);
}
