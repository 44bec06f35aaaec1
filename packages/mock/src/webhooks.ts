import { randomBytes } from 'node:crypto';
import type { components } from '@waybill/contract/types';
import { examplesOf, successOf } from './examples.ts';
import { newId } from './identifiers.ts';
import { isoTime } from './lifecycle.ts';

type Schemas = components['schemas'];
type Endpoint = Schemas['WebhookEndpoint'];
type Delivery = Schemas['WebhookDelivery'];

/** The webhook endpoints. */
export interface Webhooks {
  create(request: Schemas['WebhookEndpointRequest']): Schemas['WebhookEndpointWithSecret'];
  list(): Endpoint[];
  /** @throws {Refusal} not_found */
  find(id: string | undefined): Endpoint;
  update(id: string | undefined, changes: Schemas['WebhookEndpointChanges']): Endpoint;
  remove(id: string | undefined): void;
  /** The deliveries of an endpoint, newest first. */
  deliveries(id: string | undefined): Delivery[];
  /** Makes a new secret. @throws {Refusal} not_found */
  rotate(id: string | undefined, request: Schemas['WebhookSecretRotation']): Schemas['WebhookEndpointWithSecret'];
  /** Adds a pending delivery of an event. */
  queue(id: string | undefined, event: Schemas['Event']): Delivery;
}

export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

export function changed(endpoint: Endpoint, changes: Schemas['WebhookEndpointChanges']): Endpoint {
  const { disabled_reason, ...others } = endpoint;
  const status = changes.status ?? endpoint.status;
  const reason = changes.status === 'disabled' ? 'requested' : disabled_reason;
  const updated_at = isoTime(Date.now());
  return { ...others, ...changes, ...(status === 'disabled' && reason && { disabled_reason: reason }), updated_at };
}

export function newDelivery(event: Schemas['Event']): Delivery {
  const now = isoTime(Date.now());
  return { id: newId('whd'), status: 'pending', attempts: 0, next_attempt_at: now, created_at: now, event };
}

export function newEndpoint({ description = '', types = [], ...sent }: Schemas['WebhookEndpointRequest']): Endpoint {
  const now = isoTime(Date.now());
  return { ...sent, id: newId('whe'), description, types, status: 'enabled', created_at: now, updated_at: now };
}

export const exampleDeliveries = (): Delivery[] =>
  (successOf('listWebhookDeliveries').value as Schemas['WebhookDeliveryList']).data;
export const exampleEndpoints = (): Endpoint[] =>
  (successOf('listWebhookEndpoints').value as Schemas['WebhookEndpointList']).data;
const exampleEndpoint = (): Endpoint => {
  const [first] = examplesOf('getWebhookEndpoint');
  return first?.value as Endpoint;
};

/** The contract's examples, for every identifier. Changes are lost, and nothing is sent. */
export const exampleWebhooks: Webhooks = {
  create: (request) => ({ ...newEndpoint(request), secret: newSecret() }),
  list: exampleEndpoints,
  find: (id) => ({ ...exampleEndpoint(), ...(id !== undefined && { id }) }),
  update: (id, changes) => changed(exampleWebhooks.find(id), changes),
  rotate: (id) => ({ ...changed(exampleWebhooks.find(id), {}), secret: newSecret() }),
  remove: () => {},
  deliveries: exampleDeliveries,
  queue: (_id, event) => newDelivery(event),
};
