import { deleteExpired } from '../database/delete-expired.ts';
import { eventDays } from '../event-feed/feed.ts';
import type { CleanUp, Feature } from '../feature.ts';
import { webhookHandlers } from './handlers.ts';

/** Webhook endpoints, and the instances that send their events. */
export const webhooks = {
  tables: {
    // Deleted after the endpoints, which instances would list again.
    enabled_webhook_endpoints: { citus: 'local', expired: 'stays', ofAccount: ['endpoint_id'] },
    webhook_endpoints: {
      citus: 'distributed',
      expired: 'stays',
      ofAccount: ['id'],
      counted: 'webhook endpoints',
    },
    webhook_deliveries: {
      citus: 'distributed',
      expired: { webhookDeliveries: removeOldDeliveries },
      ofAccount: ['endpoint_id', 'id'],
    },
    // The instances remove each other.
    instances: { citus: 'local', expired: 'stays' },
    webhook_leases: { citus: 'local', expired: 'stays' },
  },
  handlers: webhookHandlers,
  shown: {
    events: { 'webhook_endpoint.disabled': () => undefined, 'webhook_endpoint.test': () => undefined },
  },
} satisfies Feature;

/**
 * An event is removed with the rest of its UTC day, up to a day late. Pending deliveries stay: later ones of their shipment wait
 * for them, and an endpoint has a limited number.
 */
function removeOldDeliveries({ db, retention, signal }: CleanUp): Promise<number> {
  const days = retention.deliveryDays ?? eventDays + 1;
  return deleteExpired(
    db,
    {
      table: 'webhook_deliveries',
      column: 'event_created_at',
      age: `${days} days`,
      condition: "status <> 'pending'",
    },
    signal,
  );
}
