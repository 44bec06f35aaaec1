import type { components } from '@waybill/contract/types';
import { Refusal } from './responses.ts';
import { isOnThisMachine, sendDelivery, type Target } from './webhook-sender.ts';
import {
  changed,
  exampleDeliveries,
  exampleEndpoints,
  newDelivery,
  newEndpoint,
  newSecret,
  type Webhooks,
} from './webhooks.ts';

type Schemas = components['schemas'];
type Delivery = Schemas['WebhookDelivery'];

interface StoredEndpoint {
  endpoint: Schemas['WebhookEndpoint'];
  secret: string;
  previous: { secret: string; expiresAt: number } | undefined;
  /** Newest first. */
  deliveries: Delivery[];
  isSending: boolean;
}

export interface StoredWebhooks extends Webhooks {
  /** Sends an event to the enabled endpoints that want its type. */
  publish(event: Schemas['Event']): void;
}

/** Endpoints of an account. */
const maxEndpoints = 16;
/** Deliveries of an endpoint that are stored; the oldest is removed for one too many. */
const maxDeliveries = 1000;

/**
 * Stored endpoints, at first those of the contract. Events are sent to those of this machine, one at a time to each.
 * @param signal ends all sending
 */
export function storedWebhooks(signal: AbortSignal): StoredWebhooks {
  const stored = new Map<string, StoredEndpoint>();
  const add = (endpoint: Schemas['WebhookEndpoint'], deliveries: Delivery[]): StoredEndpoint => {
    const added = { endpoint, secret: newSecret(), previous: undefined, deliveries, isSending: false };
    stored.set(endpoint.id, added);
    return added;
  };
  for (const endpoint of exampleEndpoints()) add(endpoint, exampleDeliveries());

  const find = (id = ''): StoredEndpoint => {
    const found = stored.get(id);
    if (!found) throw new Refusal('not_found', 'There is no such webhook endpoint.');
    return found;
  };

  /** Undefined while nothing may be sent to the endpoint. */
  const targetOf = ({ endpoint, secret, previous }: StoredEndpoint): Target | undefined => {
    const { id, url, status } = endpoint;
    if (!stored.has(id) || status === 'disabled' || !isOnThisMachine(url)) return undefined;
    const isPreviousValid = previous !== undefined && previous.expiresAt > Date.now();
    return { url, secrets: isPreviousValid ? [secret, previous.secret] : [secret] };
  };

  async function sendPending(to: StoredEndpoint): Promise<void> {
    if (to.isSending) return;
    to.isSending = true;
    try {
      while (targetOf(to)) {
        const next = to.deliveries.findLast(({ status }) => status === 'pending');
        if (!next) break;
        await sendDelivery(next, () => targetOf(to), signal);
      }
    } catch {
      // The mock is closed.
    } finally {
      to.isSending = false;
    }
  }

  function queue(to: StoredEndpoint, event: Schemas['Event']): Delivery {
    const delivery = newDelivery(event);
    to.deliveries = [delivery, ...to.deliveries].slice(0, maxDeliveries);
    void sendPending(to);
    return delivery;
  }

  return {
    create(request) {
      if (stored.size >= maxEndpoints) {
        throw new Refusal('webhook_limit_reached', `The account has ${maxEndpoints} webhook endpoints.`);
      }
      const { endpoint, secret } = add(newEndpoint(request), []);
      return { ...endpoint, secret };
    },
    list: () => [...stored.values()].map(({ endpoint }) => endpoint),
    find: (id) => find(id).endpoint,
    update(id, changes) {
      const found = find(id);
      found.endpoint = changed(found.endpoint, changes);
      void sendPending(found);
      return found.endpoint;
    },
    rotate(id, { previous_valid_hours = 24 }) {
      const found = find(id);
      found.previous = { secret: found.secret, expiresAt: Date.now() + previous_valid_hours * 3_600_000 };
      found.secret = newSecret();
      found.endpoint = changed(found.endpoint, {});
      return { ...found.endpoint, secret: found.secret };
    },
    remove: (id) => void stored.delete(find(id).endpoint.id),
    deliveries: (id) => find(id).deliveries,
    queue: (id, event) => queue(find(id), event),
    publish(event) {
      for (const each of stored.values()) {
        const { status, types } = each.endpoint;
        if (status === 'enabled' && (types.length === 0 || types.includes(event.type))) queue(each, event);
      }
    },
  };
}
