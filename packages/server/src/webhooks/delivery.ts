import type { components } from '@waybill/contract/types';
import { publicId, timeOfUuid } from '@waybill/http/identifiers';
import { eventFrom } from '../events/event.ts';
import type { DeliveryRow } from './delivery-queries.ts';

type Schemas = components['schemas'];

/** Returns the event of a delivery. */
export const eventOf = ({ event_position, event_created_at, type, order_key, data }: DeliveryRow): Schemas['Event'] =>
  eventFrom({ position: BigInt(event_position), created_at: event_created_at, type, shipment_id: order_key, data });

/** Returns a delivery as callers see it. */
export function deliveryFrom(row: DeliveryRow): Schemas['WebhookDelivery'] {
  const attempt = lastAttempt(row);
  return {
    id: publicId('whd', row.id),
    status: row.status,
    attempts: row.attempts,
    ...(row.next_attempt_at && { next_attempt_at: row.next_attempt_at.toISOString() }),
    created_at: timeOfUuid(row.id).toISOString(),
    ...(attempt && { last_attempt: attempt }),
    event: eventOf(row),
  };
}

function lastAttempt(row: DeliveryRow): Schemas['WebhookAttempt'] | undefined {
  const { attempted_at, attempt_url, attempt_ms, response_status, response_body, error } = row;
  if (attempted_at === null || attempt_url === null) return undefined;
  return {
    url: attempt_url,
    timestamp: attempted_at.toISOString(),
    duration_ms: attempt_ms ?? 0,
    ...(response_status !== null && { response: { status: response_status, body: response_body ?? '' } }),
    ...(error !== null && { error }),
  };
}
