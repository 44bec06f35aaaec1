import type { components } from '@waybill/contract/types';
import { notFound, Problem } from '@waybill/http/problems';
import { type Kysely, sql } from 'kysely';
import { newUuid, publicId, timeOfUuid } from '../../database/identifiers.ts';
import { now } from '../../database/statements/expressions.ts';
import type { Tables } from '../../database/tables.ts';
import { isoText } from '../../database/times.ts';
import { nextEventNumber } from '../../event-feed/append.ts';
import { type EndpointRef, markChanged } from '../endpoints/endpoint-list.ts';
import { type EndpointRow, endpointFrom, lockedEndpoint, noEndpoint, visibleColumns } from '../endpoints/endpoints.ts';
import {
  type DeliveryRow,
  deliveriesOf,
  deliveryColumns,
  eventOf,
  orderKeyOf,
  pending,
  shipmentIdOf,
} from './delivery-queue.ts';

type Schemas = components['schemas'];

/** Returns a delivery as callers see it. This file is for the operations in handlers.ts: a worker uses delivery-queue.ts. */
export function deliveryFrom(row: DeliveryRow): Schemas['WebhookDelivery'] {
  const attempt = lastAttempt(row);
  return {
    id: publicId('whd', row.id),
    status: row.status,
    attempts: row.attempts,
    ...(row.next_attempt_at && { next_attempt_at: isoText(row.next_attempt_at) }),
    created_at: isoText(timeOfUuid(row.id)),
    ...(attempt && { last_attempt: attempt }),
    event: eventOf(row),
  };
}

function lastAttempt(row: DeliveryRow): Schemas['WebhookAttempt'] | undefined {
  const { attempted_at, attempt_url, attempt_ms, response_status: status, response_body, error } = row;
  if (attempted_at === null || attempt_url === null) return undefined;
  return {
    url: attempt_url,
    timestamp: isoText(attempted_at),
    duration_ms: attempt_ms ?? 0,
    ...(status !== null && { response: { status, body: response_body ?? '' } }),
    ...(error !== null && { error }),
  };
}

/** Up to `limit` deliveries of an endpoint with ids below `before` whose events are retained, newest first. */
export async function selectDeliveries(
  db: Kysely<Tables>,
  endpoint: EndpointRef,
  before: string | undefined,
  limit: number,
): Promise<DeliveryRow[]> {
  const rows = await deliveriesOf(db, endpoint)
    .where('d.id', '<', before ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff')
    .where((eb) => eb.or([eb('d.test_data', 'is not', null), eb('e.data', 'is not', null)]))
    .orderBy('d.id', 'desc')
    .limit(limit)
    .execute();
  return rows as DeliveryRow[];
}

/** Queues a test event. @throws {Problem} not_found, delivery_limit_reached */
export async function queueTestEvent(db: Kysely<Tables>, endpoint: EndpointRef): Promise<DeliveryRow> {
  const { now, ...row } = await reserveManualDelivery(db, endpoint);
  const id = newUuid();
  const data = { webhook_endpoint: endpointFrom(row) };
  const delivery = await db
    .insertInto('webhook_deliveries')
    .values({
      account_id: endpoint.accountId,
      endpoint_id: endpoint.endpointId,
      id,
      event_number: nextEventNumber,
      event_created_at: now,
      type: 'webhook_endpoint.test',
      test_data: JSON.stringify(data),
      order_key: id,
      is_manual: true,
      status: 'pending',
      attempts: 0,
      next_attempt_at: now,
    })
    .returning(deliveryColumns)
    .executeTakeFirstOrThrow();
  await markChanged(db, endpoint);
  return { ...delivery, data };
}

/** The columns that two deliveries of an event have in common. */
const copied = ['account_id', 'endpoint_id', 'event_number', 'event_created_at', 'type', 'test_data'] as const;

/**
 * Queues the event of a delivery again.
 * @throws {Problem} not_found when there is no such delivery or its event is no longer retained; delivery_limit_reached
 */
export async function queueAgain(db: Kysely<Tables>, endpoint: EndpointRef, deliveryId: string): Promise<DeliveryRow> {
  const original = await deliveriesOf(db, endpoint).where('d.id', '=', deliveryId).executeTakeFirst();
  if (!original?.data) throw notFound('delivery', publicId('whd', deliveryId));
  const { now } = await reserveManualDelivery(db, endpoint);
  const id = newUuid();
  const row = await db
    .insertInto('webhook_deliveries')
    .columns([...copied, 'id', 'order_key', 'is_manual', 'status', 'attempts', 'next_attempt_at'])
    .expression((from) =>
      from
        .selectFrom('webhook_deliveries')
        // The time of the event as it is stored: JavaScript has cut it to milliseconds.
        .select(copied)
        .select(({ val }) => [
          val(id).as('id'),
          val(orderKeyOf(id, shipmentIdOf(original))).as('order_key'),
          val(true).as('is_manual'),
          val('pending').as('status'),
          val(0).as('attempts'),
          val(now).as('next_attempt_at'),
        ])
        .where('account_id', '=', endpoint.accountId)
        .where('endpoint_id', '=', endpoint.endpointId)
        .where('id', '=', deliveryId),
    )
    .returning(deliveryColumns)
    .executeTakeFirst();
  if (!row) throw notFound('delivery', publicId('whd', deliveryId));
  await markChanged(db, endpoint);
  return { ...row, data: original.data };
}

/** Pending deliveries of an endpoint that requests have queued. The contract states it. */
const maxManual = 100;
/** Seconds after which a request may try again, at most. */
const maxRetrySeconds = 3600;

/**
 * Locks an endpoint until the end of the transaction, so that it cannot be deleted meanwhile, and that concurrent requests are
 * counted one after the other.
 * @returns it with the time of PostgreSQL: the instance that sends the delivery may have another clock than this one
 * @throws {Problem} not_found, delivery_limit_reached
 */
async function reserveManualDelivery(db: Kysely<Tables>, endpoint: EndpointRef): Promise<EndpointRow & { now: Date }> {
  const row = await lockedEndpoint(db, endpoint).select(visibleColumns).select(now.as('now')).executeTakeFirst();
  if (!row) throw noEndpoint(endpoint);
  const { count, next } = await db
    .selectFrom('webhook_deliveries')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('next_attempt_at').as('next')])
    .where('account_id', '=', endpoint.accountId)
    .where('endpoint_id', '=', endpoint.endpointId)
    .where('is_manual', '=', sql.lit(true)) // literals, for their index
    .where('status', '=', pending)
    .executeTakeFirstOrThrow();
  if (count >= maxManual) throw limitReached(next ?? row.now, row.now);
  return row;
}

/** @param next when the next attempt of one of the deliveries is due. It may be finished then. */
function limitReached(next: Date, now: Date): Problem {
  const seconds = Math.ceil((next.getTime() - now.getTime()) / 1000);
  const retryAfter = Math.min(maxRetrySeconds, Math.max(1, seconds));
  const detail = `The endpoint has ${maxManual} pending deliveries that requests have queued.`;
  return new Problem('delivery_limit_reached', detail, {}, { 'Retry-After': String(retryAfter) });
}
