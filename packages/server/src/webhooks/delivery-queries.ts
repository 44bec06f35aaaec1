import type { components } from '@waybill/contract/types';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { Tables } from '../database/tables.ts';

type Schemas = components['schemas'];

/** A delivery with the data of its event. */
export type DeliveryRow = Omit<Selectable<Tables['webhook_deliveries']>, 'account_id' | 'endpoint_id' | 'test_data'> & {
  data: Schemas['EventData'];
};

const stored = sql`d.id, d.event_position, d.event_created_at, d.type, d.order_key, d.status, d.attempts,
  d.next_attempt_at, d.attempted_at, d.attempt_url, d.attempt_ms, d.response_status, d.response_body, d.error`;
const columns = sql`${stored}, coalesce(d.test_data, e.data) as data`;
const source = sql`webhook_deliveries d left join events e
  on e.account_id = d.account_id and e.position = d.event_position and e.created_at = d.event_created_at`;
/** The event is a test, or is still retained. */
const hasEvent = sql`(d.test_data is not null or e.data is not null)`;

/** Up to `limit` deliveries of an endpoint with ids below `before`, newest first. */
export async function selectDeliveries(
  db: Kysely<Tables>,
  accountId: string,
  endpointId: string,
  before: string | undefined,
  limit: number,
): Promise<DeliveryRow[]> {
  const highest = before ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  const { rows } = await sql<DeliveryRow>`
    select ${columns} from ${source}
    where d.account_id = ${accountId} and d.endpoint_id = ${endpointId} and d.id < ${highest} and ${hasEvent}
    order by d.id desc limit ${limit}`.execute(db);
  return rows;
}

/** Up to `limit` deliveries that are due and not excluded, one of each shipment, the most overdue first. */
export async function selectDueDeliveries(
  db: Kysely<Tables>,
  accountId: string,
  endpointId: string,
  excludedKeys: string[],
  limit: number,
): Promise<DeliveryRow[]> {
  const { rows } = await sql<DeliveryRow>`
    select ${columns} from ${source}
    where d.account_id = ${accountId} and d.endpoint_id = ${endpointId} and d.next_attempt_at <= now()
      and d.order_key <> all(${excludedKeys}::uuid[]) and ${hasEvent}
    order by d.next_attempt_at, d.event_position, d.id limit ${limit}`.execute(db);
  return rows;
}

/** Queues a test event. @returns the delivery */
export async function insertTestDelivery(
  db: Kysely<Tables>,
  accountId: string,
  endpointId: string,
  { id, data, now }: { id: string; data: Schemas['EventData']; now: Date },
): Promise<DeliveryRow> {
  const { rows } = await sql<Omit<DeliveryRow, 'data'>>`
    insert into webhook_deliveries as d (account_id, endpoint_id, id, event_position, event_created_at, type, test_data,
      order_key, status, attempts, next_attempt_at)
    values (${accountId}, ${endpointId}, ${id}, nextval('event_positions'), ${now}, 'webhook_endpoint.test',
      ${JSON.stringify(data)}, ${id}, 'pending', 0, ${now})
    returning ${stored}`.execute(db);
  return { ...(rows[0] as Omit<DeliveryRow, 'data'>), data };
}

/**
 * Queues the event of a delivery again.
 * @returns the new delivery; undefined when there is no such delivery or its event is no longer retained
 */
export async function copyDelivery(
  db: Kysely<Tables>,
  accountId: string,
  endpointId: string,
  id: string,
  { newId, now }: { newId: string; now: Date },
): Promise<DeliveryRow | undefined> {
  const found = await sql<DeliveryRow>`
    select ${columns} from ${source}
    where d.account_id = ${accountId} and d.endpoint_id = ${endpointId} and d.id = ${id} and ${hasEvent}`.execute(db);
  const [original] = found.rows;
  if (!original) return undefined;
  // A test event has no order.
  const { rows } = await sql<Omit<DeliveryRow, 'data'>>`
    insert into webhook_deliveries as d (account_id, endpoint_id, id, event_position, event_created_at, type, test_data,
      order_key, status, attempts, next_attempt_at)
    select account_id, endpoint_id, ${newId}, event_position, event_created_at, type, test_data,
      case when order_key = id then ${newId} else order_key end, 'pending', 0, ${now}::timestamptz
    from webhook_deliveries
    where account_id = ${accountId} and endpoint_id = ${endpointId} and id = ${id}
    returning ${stored}`.execute(db);
  const [copy] = rows;
  return copy && { ...copy, data: original.data };
}
