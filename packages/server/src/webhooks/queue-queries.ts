import { newUuid } from '@waybill/http/identifiers';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { type RowStatement, rowStatement, rowsOf } from '../database/row-statement.ts';
import type { Tables } from '../database/tables.ts';

/** What the sending of an endpoint's events needs. */
export type QueueRow = Pick<
  Selectable<Tables['webhook_endpoints']>,
  | ('account_id' | 'id' | 'url' | 'types' | 'secret' | 'previous_secret' | 'previous_secret_expires_at' | 'position')
  | ('replay_from' | 'replay_to' | 'replay_position' | 'failing_since')
>;

/** An enabled endpoint; undefined when there is none. */
export const findQueue = (db: Kysely<Tables>, accountId: string, id: string): Promise<QueueRow | undefined> =>
  db
    .selectFrom('webhook_endpoints')
    .select(['account_id', 'id', 'url', 'types', 'secret', 'previous_secret', 'previous_secret_expires_at'])
    .select(['position', 'replay_from', 'replay_to', 'replay_position', 'failing_since'])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('status', '=', 'enabled')
    .executeTakeFirst();

/** An event to queue. */
export interface QueuedEvent {
  position: bigint;
  created_at: Date;
}

interface NewDelivery {
  account_id: string;
  endpoint_id: string;
  id: string;
  position: string;
  created_at: Date;
}

/**
 * Inserts the deliveries of events. One is due if no delivery of its shipment is pending, and the others wait. Call it while
 * no attempt of the endpoint is recorded.
 */
const insertDeliveries: RowStatement<{ deliveries: NewDelivery }, unknown> = rowStatement(
  {
    deliveries: rowsOf<NewDelivery>({
      ...{ account_id: 'uuid', endpoint_id: 'uuid', id: 'uuid', position: 'bigint', created_at: 'timestamptz' },
    }),
  },
  (db, { deliveries }) => ({
    compile: () =>
      sql<unknown>`
    insert into webhook_deliveries (account_id, endpoint_id, id, event_position, event_created_at, type, order_key,
      status, attempts, next_attempt_at)
    select n.account_id, n.endpoint_id, n.id, e.position, e.created_at, e.type, coalesce(e.shipment_id, n.id), 'pending', 0,
      case when row_number() over (partition by coalesce(e.shipment_id, n.id) order by e.position) = 1
        -- With \`not exists\` PostgreSQL may read all pending deliveries.
        and (
          select p.id from webhook_deliveries p
          where p.account_id = n.account_id and p.endpoint_id = n.endpoint_id and p.order_key = e.shipment_id
            and p.status = 'pending'
          limit 1) is null
        then now() end
    from ${deliveries.as('n')}
    cross join lateral (
      select e.account_id, e.position, e.created_at, e.type, e.shipment_id from events e
      -- JavaScript has cut the time of the event to milliseconds.
      where e.account_id = n.account_id and e.position = n.position
        and e.created_at >= n.created_at and e.created_at < n.created_at + interval '1 millisecond'
      limit 1
    ) e`.compile(db),
  }),
);

const newDeliveries = ({ account_id, id: endpoint_id }: QueueRow, events: QueuedEvent[]): NewDelivery[] =>
  events.map(({ position, created_at }) => ({
    ...{ account_id, endpoint_id, id: newUuid(), position: String(position), created_at },
  }));

/**
 * Queues events and moves the position of the endpoint after them.
 * @returns false when another instance has moved it, or the endpoint is deleted
 */
export function queueEvents(db: Database, queue: QueueRow, events: QueuedEvent[], last: bigint): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql`
      update webhook_endpoints set position = ${String(last)}
      where account_id = ${queue.account_id} and id = ${queue.id} and position = ${queue.position}
      returning 1`.execute(trx);
    if (rows.length === 0) return false;
    if (events.length > 0) await insertDeliveries(trx, { deliveries: newDeliveries(queue, events) });
    return true;
  });
}

/** Events that a step of a replay examines. */
const replayBatch = 500;

/**
 * Queues the next events of a replay, and ends it when none is left. A replay that was extended meanwhile begins again.
 * @returns the number of queued events, and the position after which the replay goes on; undefined at its end
 */
export async function queueReplay(
  db: Database,
  queue: QueueRow,
): Promise<{ queued: number; next: string | undefined }> {
  const { account_id, id, types, replay_from, replay_to, replay_position } = queue;
  const { rows: events } = await sql<{ position: string; created_at: Date; type: string }>`
    select position, created_at, type from events
    where account_id = ${account_id} and position > ${replay_position} and created_at >= ${replay_from}
      and created_at < ${replay_to}
    order by position limit ${replayBatch}`.execute(db);
  const last = events.at(-1);
  const next = events.length === replayBatch ? last?.position : undefined;
  const matching = events
    .filter(({ type }) => types.length === 0 || (types as string[]).includes(type))
    .map(({ position, created_at }) => ({ position: BigInt(position), created_at }));
  return db.transaction().execute(async (trx) => {
    const end = sql`replay_from = null, replay_to = null, replay_position = null`;
    const { rows } = await sql`
      update webhook_endpoints set ${next === undefined ? end : sql`replay_position = ${next}`}
      where account_id = ${account_id} and id = ${id} and replay_from = ${replay_from} and replay_to = ${replay_to}
        and replay_position = ${replay_position}
      returning 1`.execute(trx);
    if (rows.length === 0) return { queued: 0, next: replay_position ?? undefined };
    if (matching.length > 0) await insertDeliveries(trx, { deliveries: newDeliveries(queue, matching) });
    return { queued: matching.length, next };
  });
}

/** The result of an attempt, as it is stored. */
export interface RecordedAttempt {
  account_id: string;
  endpoint_id: string;
  id: string;
  order_key: string;
  status: string;
  next_attempt_at: Date | null;
  attempted_at: Date;
  attempt_url: string;
  attempt_ms: number;
  response_status: number | null;
  response_body: string | null;
  error: string | null;
}

const updateDeliveries: RowStatement<{ attempts: RecordedAttempt }, unknown> = rowStatement(
  {
    attempts: rowsOf<RecordedAttempt>({
      ...{ account_id: 'uuid', endpoint_id: 'uuid', id: 'uuid', order_key: 'uuid', status: 'text' },
      ...{ next_attempt_at: 'timestamptz', attempted_at: 'timestamptz', attempt_url: 'text', attempt_ms: 'integer' },
      ...{ response_status: 'integer', response_body: 'text', error: 'text' },
    }),
  },
  (db, { attempts }) => ({
    compile: () =>
      sql<unknown>`
    update webhook_deliveries d
    set status = a.status, attempts = d.attempts + 1, next_attempt_at = a.next_attempt_at,
      attempted_at = a.attempted_at, attempt_url = a.attempt_url, attempt_ms = a.attempt_ms,
      response_status = a.response_status, response_body = a.response_body, error = a.error
    from ${attempts.as('a')}
    where d.account_id = a.account_id and d.endpoint_id = a.endpoint_id and d.id = a.id
      -- With \`= 'pending'\` PostgreSQL reads all pending deliveries by their index.
      and d.status not in ('delivered', 'failed')`.compile(db),
  }),
);

type Key = Pick<RecordedAttempt, 'account_id' | 'endpoint_id' | 'order_key'>;

/** Makes the first pending delivery of each shipment due, unless it has an attempt ahead. */
const dueNext: RowStatement<{ keys: Key }, unknown> = rowStatement(
  { keys: rowsOf<Key>({ account_id: 'uuid', endpoint_id: 'uuid', order_key: 'uuid' }) },
  (db, { keys }) => ({
    compile: () =>
      sql<unknown>`
    update webhook_deliveries d set next_attempt_at = now()
    from (
      select k.account_id, k.endpoint_id, (
        select n.id from webhook_deliveries n
        where n.account_id = k.account_id and n.endpoint_id = k.endpoint_id and n.order_key = k.order_key
          and n.status = 'pending'
        order by n.event_position, n.id limit 1) as id
      from ${keys.as('k')}
    ) first
    where d.account_id = first.account_id and d.endpoint_id = first.endpoint_id and d.id = first.id
      and d.next_attempt_at is null`.compile(db),
  }),
);

/** Stores the results of attempts, and makes the next deliveries of their shipments due. */
export function recordAttempts(db: Database, attempts: RecordedAttempt[]): Promise<void> {
  return db.transaction().execute(async (trx) => {
    await updateDeliveries(trx, { attempts });
    const finished = attempts.filter(({ next_attempt_at }) => next_attempt_at === null);
    if (finished.length > 0) await dueNext(trx, { keys: finished });
  });
}

/** Makes deliveries due that wait for none, for example after the instance that sent the previous one was killed. */
export async function releaseWaiting(db: Kysely<Tables>, { account_id, id }: QueueRow): Promise<void> {
  await sql`
    update webhook_deliveries d set next_attempt_at = now()
    where d.account_id = ${account_id} and d.endpoint_id = ${id} and d.status = 'pending' and d.next_attempt_at is null
      and not exists (
        select from webhook_deliveries p
        where p.account_id = ${account_id} and p.endpoint_id = ${id} and p.order_key = d.order_key
          and p.status = 'pending' and (p.event_position, p.id) < (d.event_position, d.id))`.execute(db);
}

/** The number of pending deliveries of an endpoint, and the time of the next attempt. */
export async function queueState(
  db: Kysely<Tables>,
  { account_id, id }: QueueRow,
): Promise<{ pending: number; nextAttempt: Date | null }> {
  const { rows } = await sql<{ pending: number; nextAttempt: Date | null }>`
    select count(*)::integer as pending, min(next_attempt_at) as "nextAttempt" from webhook_deliveries
    where account_id = ${account_id} and endpoint_id = ${id} and status = 'pending'`.execute(db);
  return rows[0] ?? { pending: 0, nextAttempt: null };
}

/** Stores since when all attempts of an endpoint have failed; null when one has succeeded. */
export async function setFailingSince(
  db: Kysely<Tables>,
  { account_id, id }: QueueRow,
  since: Date | null,
): Promise<void> {
  await sql`update webhook_endpoints set failing_since = ${since}
    where account_id = ${account_id} and id = ${id}`.execute(db);
}

/** Finished deliveries of an endpoint that are retained. The guide on webhooks states it. */
export const maxFinished = 10_000;

/** Deletes finished deliveries beyond the newest ones. */
export async function deleteOldDeliveries(db: Kysely<Tables>, { account_id, id }: QueueRow): Promise<void> {
  await sql`
    delete from webhook_deliveries
    where account_id = ${account_id} and endpoint_id = ${id} and status <> 'pending' and id <= (
      select n.id from webhook_deliveries n
      where n.account_id = ${account_id} and n.endpoint_id = ${id} and n.status <> 'pending'
      order by n.id desc offset ${maxFinished} limit 1)`.execute(db);
}
