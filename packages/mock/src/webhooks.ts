import { randomBytes } from 'node:crypto';
import type { components } from '@waybill/contract/types';
import { TypeID } from 'typeid-js';
import { examplesOf, successOf } from './examples.ts';
import { isoTime } from './lifecycle.ts';
import { Refusal } from './responses.ts';

type Schemas = components['schemas'];
type Endpoint = Schemas['WebhookEndpoint'];
type Delivery = Schemas['WebhookDelivery'];

/** The webhook endpoints. Nothing is sent to them. */
export interface Webhooks {
  create(request: Schemas['WebhookEndpointRequest']): Schemas['WebhookEndpointWithSecret'];
  list(): Endpoint[];
  /** @throws {Refusal} not_found */
  find(id: string | undefined): Endpoint;
  update(id: string | undefined, changes: Schemas['WebhookEndpointChanges']): Endpoint;
  remove(id: string | undefined): void;
  /** The deliveries of an endpoint, newest first. */
  deliveries(id: string | undefined): Delivery[];
  /** Adds a pending delivery of an event. */
  queue(id: string | undefined, event: Schemas['Event']): Delivery;
}

/** Endpoints of an account. */
const maximum = 16;

const newId = (prefix: string): string => new TypeID(prefix).toString();
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

function changed(endpoint: Endpoint, changes: Schemas['WebhookEndpointChanges']): Endpoint {
  const { disabled_reason, ...others } = endpoint;
  const status = changes.status ?? endpoint.status;
  const reason = changes.status === 'disabled' ? 'requested' : disabled_reason;
  const updated_at = isoTime(Date.now());
  return { ...others, ...changes, ...(status === 'disabled' && reason && { disabled_reason: reason }), updated_at };
}

function newDelivery(event: Schemas['Event']): Delivery {
  const now = isoTime(Date.now());
  return { id: newId('whd'), status: 'pending', attempts: 0, next_attempt_at: now, created_at: now, event };
}

function newEndpoint({ url, description = '', types = [] }: Schemas['WebhookEndpointRequest']): Endpoint {
  const now = isoTime(Date.now());
  return { id: newId('whe'), url, description, types, status: 'enabled', created_at: now, updated_at: now };
}

const exampleDeliveries = (): Delivery[] =>
  (successOf('listWebhookDeliveries').value as Schemas['WebhookDeliveryList']).data;
const exampleEndpoints = (): Endpoint[] =>
  (successOf('listWebhookEndpoints').value as Schemas['WebhookEndpointList']).data;
const exampleEndpoint = (): Endpoint => {
  const [first] = examplesOf('getWebhookEndpoint');
  return first?.value as Endpoint;
};

/** The contract's examples, for every identifier. Changes are lost. */
export const exampleWebhooks: Webhooks = {
  create: (request) => ({ ...newEndpoint(request), secret: newSecret() }),
  list: exampleEndpoints,
  find: (id) => ({ ...exampleEndpoint(), ...(id !== undefined && { id }) }),
  update: (id, changes) => changed(exampleWebhooks.find(id), changes),
  remove: () => {},
  deliveries: exampleDeliveries,
  queue: (_id, event) => newDelivery(event),
};

/** Stored endpoints, at first those of the contract. */
export function storedWebhooks(): Webhooks {
  const byId = new Map(exampleEndpoints().map((endpoint) => [endpoint.id, endpoint]));
  const deliveriesOf = new Map<string, Delivery[]>([...byId.keys()].map((id) => [id, exampleDeliveries()]));
  const find = (id = ''): Endpoint => {
    const endpoint = byId.get(id);
    if (!endpoint) throw new Refusal('not_found', 'There is no such webhook endpoint.');
    return endpoint;
  };
  return {
    create(request) {
      if (byId.size >= maximum) {
        throw new Refusal('webhook_limit_reached', `The account has ${maximum} webhook endpoints.`);
      }
      const endpoint = newEndpoint(request);
      byId.set(endpoint.id, endpoint);
      return { ...endpoint, secret: newSecret() };
    },
    list: () => [...byId.values()],
    find,
    update(id, changes) {
      const endpoint = changed(find(id), changes);
      byId.set(endpoint.id, endpoint);
      return endpoint;
    },
    remove: (id) => void byId.delete(find(id).id),
    deliveries: (id) => deliveriesOf.get(find(id).id) ?? [],
    queue(id, event) {
      const { id: endpointId } = find(id);
      const delivery = newDelivery(event);
      deliveriesOf.set(endpointId, [delivery, ...(deliveriesOf.get(endpointId) ?? [])].slice(0, 1000));
      return delivery;
    },
  };
}
