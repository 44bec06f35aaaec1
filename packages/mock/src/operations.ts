import { randomBytes } from 'node:crypto';
import { dayLength } from '@waybill/contract/duration';
import { defaultBaseUrl } from '@waybill/contract/operations';
import type { components, operations } from '@waybill/contract/types';
import { dateOf } from '@waybill/contract/validation/timestamps';
import { appendChanges, type Events } from './events.ts';
import { newId } from './identifiers.ts';
import { addPositions, changeStatus, initialTransition, isoTime, updateEta, utc } from './lifecycle.ts';
import { type Page, pageOf } from './pages.ts';
import { Refusal } from './responses.ts';
import type { OperationId } from './routes.ts';
import type { Identifiers, MockShipment, Shipments } from './shipments.ts';
import { EventStream } from './stream.ts';
import type { Webhooks } from './webhooks.ts';

type Schemas = components['schemas'];
type ListQuery = NonNullable<operations['listShipments']['parameters']['query']>;
type BodyOf<Id extends OperationId> = operations[Id] extends {
  requestBody: { content: { 'application/json': infer Body } };
}
  ? Body
  : undefined;

/** A valid request. */
export interface Call<Body = unknown> {
  id: OperationId;
  params: Identifiers & Partial<Record<'webhook_endpoint_id' | 'delivery_id', string>>;
  query: Record<string, unknown>;
  body: Body;
  shipments: Shipments;
  events: Events;
  /** The header `Last-Event-ID`. */
  lastEventId: string | undefined;
  webhooks: Webhooks;
}

/** Returns the body of the operation's success. @throws {Refusal | InvalidRequest} */
type Handler<Body = never> = (call: Call<Body>) => unknown;

/** How long an upload URL is valid, in milliseconds. */
const uploadLifetime = 15 * 60 * 1000;

/** A URL with a token as long as those of the service. */
const newUrl = (folder: string): string => `${defaultBaseUrl}/${folder}/${randomBytes(53).toString('base64url')}`;

/** Numbers of created shipments begin above those of the examples. */
let lastNumber = 1000;

function find({ params, id, body, shipments }: Call): MockShipment {
  const shipment = shipments.find(params, id, body);
  if (!shipment) throw new Refusal('not_found', 'There is no such shipment.');
  return shipment;
}

const handlers: { [Id in OperationId]: Handler<BodyOf<Id>> } = {
  createShipment({ shipments, events, body }): Schemas['Shipment'] {
    const { reference, pickup_window } = body;
    const other = reference === undefined ? undefined : shipments.findOpen(reference);
    if (other) {
      const detail = `Another shipment has the reference ${reference}.`;
      throw new Refusal('reference_taken', detail, { shipment_id: other.id });
    }
    const created_at = isoTime(Date.now());
    const tracking_number = `FRT-${created_at.slice(0, 4)}-${String(++lastNumber).padStart(6, '0')}`;
    const { to: status, description } = initialTransition;
    const shipment: Schemas['Shipment'] = {
      ...{ id: newId('ship'), status, tracking_number, ...body },
      pickup_window: { start: utc(pickup_window.start), end: utc(pickup_window.end) },
      ...{ created_at, updated_at: created_at },
    };
    const timeline = [{ status, timestamp: created_at, description }];
    const tracking = { tracking_number, status, eta: null, current_location: null, timeline };
    shipments.add({ shipment, tracking, positions: [], proof: undefined, isStored: true });
    events.append('shipment.created', { shipment, tracking });
    return shipment;
  },

  listShipments({ query, shipments }): Page<Schemas['Shipment']> {
    const { limit, cursor, ...filters } = query as ListQuery;
    const { status, reference, from_date, to_date } = filters;
    const from = from_date === undefined ? Number.NEGATIVE_INFINITY : dateOf(from_date).getTime();
    const to = to_date === undefined ? Number.POSITIVE_INFINITY : endOf(to_date);
    const entries = shipments.list(status).filter((shipment) => {
      const created = Date.parse(shipment.created_at);
      return from <= created && created < to && (reference ?? shipment.reference) === shipment.reference;
    });
    const pageSize = shipments.pageSize('listShipments');
    return pageOf(entries, ({ id }) => id, { limit, cursor, filters, pageSize });
  },

  getShipment: (call) => find(call).shipment,

  cancelShipment(call): Schemas['Shipment'] {
    const found = find(call);
    changeStatus(found, { operation: 'cancelShipment', to: 'cancelled' });
    Object.assign(found.shipment, { cancellation_reason: call.body.reason });
    call.events.append('shipment.cancelled', found);
    return found.shipment;
  },

  getTracking: (call) => find(call).tracking,

  recordTrackingEvent(call): Schemas['TrackingStatus'] {
    const { status: to, timestamp, description, location, eta } = call.body;
    const found = find(call);
    const occurred = { at: timestamp, field: 'timestamp' } as const;
    appendChanges(call.events, found, () => {
      changeStatus(found, { operation: 'recordTrackingEvent', to, occurred, description });
      if (location) addPositions(found, [{ ...location, updated_at: timestamp }], eta);
      else if (eta) updateEta(found, eta, timestamp);
    });
    return found.tracking;
  },

  listPositions(call): Page<Schemas['CurrentLocation']> {
    const { limit, cursor } = call.query as ListQuery;
    const pageSize = call.shipments.pageSize('listPositions');
    const request = { limit, cursor, filters: call.params, pageSize };
    return pageOf(find(call).positions, ({ updated_at }) => updated_at, request);
  },

  recordPositions(call): Schemas['PositionsAccepted'] {
    const found = find(call);
    appendChanges(call.events, found, () => addPositions(found, call.body.positions, call.body.eta));
    return { accepted: call.body.positions.length };
  },

  createProofUpload(call): Schemas['ProofUpload'] {
    find(call);
    return {
      upload_id: newId('upl'),
      upload_url: newUrl('uploads'),
      method: 'PUT',
      headers: { 'Content-Type': call.body.content_type },
      expires_at: isoTime(Date.now() + uploadLifetime),
    };
  },

  submitProofOfDelivery(call): Schemas['ProofOfDelivery'] {
    const { signature: _, photos = [], ...sent } = call.body;
    const found = find(call);
    const occurred = { at: sent.delivered_at, field: 'delivered_at' } as const;
    appendChanges(call.events, found, () => {
      changeStatus(found, { operation: 'submitProofOfDelivery', to: 'delivered', occurred });
    });
    call.events.append('proof_of_delivery.submitted', found);
    found.proof = {
      ...sent,
      tracking_number: found.shipment.tracking_number,
      delivered_at: utc(sent.delivered_at),
      signature_url: newUrl('files'),
      photos: photos.map(() => newUrl('files')),
    };
    return found.proof;
  },

  getProofOfDelivery(call): Schemas['ProofOfDelivery'] {
    const { proof, shipment } = find(call);
    if (proof) return proof;
    const detail = `The shipment is not delivered. Its status is ${shipment.status}.`;
    throw new Refusal('not_delivered', detail, { current_status: shipment.status });
  },

  // Returns at once also with `wait`: requests are handled synchronously.
  listEvents: ({ query, events }): Schemas['EventList'] => events.list(query),

  streamEvents: ({ query, lastEventId, events }) => {
    const { after, types } = query as NonNullable<operations['streamEvents']['parameters']['query']>;
    return new EventStream(events, types, lastEventId ?? after);
  },

  createWebhookEndpoint: ({ body, webhooks }): Schemas['WebhookEndpointWithSecret'] => webhooks.create(body),
  listWebhookEndpoints: ({ webhooks }): Schemas['WebhookEndpointList'] => ({ data: webhooks.list() }),
  getWebhookEndpoint: ({ params, webhooks }): Schemas['WebhookEndpoint'] => webhooks.find(params.webhook_endpoint_id),
  updateWebhookEndpoint: ({ params, body, webhooks }): Schemas['WebhookEndpoint'] =>
    webhooks.update(params.webhook_endpoint_id, body),
  deleteWebhookEndpoint: ({ params, webhooks }): void => webhooks.remove(params.webhook_endpoint_id),
  rotateWebhookSecret: ({ params, body, webhooks }): Schemas['WebhookEndpointWithSecret'] =>
    webhooks.rotate(params.webhook_endpoint_id, body ?? {}),

  listWebhookDeliveries({ params, query, webhooks }): Page<Schemas['WebhookDelivery']> {
    const { limit, cursor } = query as ListQuery;
    const deliveries = webhooks.deliveries(params.webhook_endpoint_id);
    return pageOf(deliveries, ({ id }) => id, { limit, cursor, filters: params, pageSize: Number.POSITIVE_INFINITY });
  },

  resendWebhookDelivery({ params, webhooks }): Schemas['WebhookDelivery'] {
    const { webhook_endpoint_id, delivery_id } = params;
    const deliveries = webhooks.deliveries(webhook_endpoint_id);
    const found = deliveries.find(({ id }) => id === delivery_id) ?? deliveries[0];
    if (!found) throw new Refusal('not_found', 'There is no such delivery.');
    return webhooks.queue(webhook_endpoint_id, found.event);
  },

  replayWebhookEvents({ params, body, webhooks, events }): Schemas['WebhookReplay'] {
    const { types } = webhooks.find(params.webhook_endpoint_id);
    const [from, to] = [utc(body.from), utc(body.to)];
    for (const event of events.between(from, to)) {
      if (types.length === 0 || types.includes(event.type)) webhooks.queue(params.webhook_endpoint_id, event);
    }
    return { from, to };
  },

  sendTestWebhook({ params, webhooks }): Schemas['WebhookDelivery'] {
    const webhook_endpoint = webhooks.find(params.webhook_endpoint_id);
    const event = { id: newId('evt'), type: 'webhook_endpoint.test', created_at: isoTime(Date.now()) } as const;
    return webhooks.queue(params.webhook_endpoint_id, { ...event, data: { webhook_endpoint } });
  },

  // Files are not stored.
  putProofFile: () => undefined,
  getProofFile: () => undefined,
};

/** The end of a range, exclusive: the midnight after a date, or the date-time itself. */
const endOf = (date: string): number => dateOf(date).getTime() + (date.length === 'YYYY-MM-DD'.length ? dayLength : 0);

/**
 * Returns the body of a success; undefined for a file and for nothing.
 * @throws {Refusal | InvalidRequest} when the state of the shipment does not allow the operation
 */
export const successBody = (call: Call): unknown => (handlers[call.id] as Handler)(call as Call<never>);
