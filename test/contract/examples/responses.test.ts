import { timeOfUuid, uuidFromPublicId } from '@waybill/server/database/identifiers';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { type OperationId, operationIds, operationOf, successOf } from '../../fixtures/contract/contract.ts';
import { lifecycle, stepsTo } from '../../fixtures/contract/lifecycle.ts';
import { record, type Status } from '../../fixtures/shipments.ts';
import { newAccount } from '../../fixtures/test.ts';
import {
  type Customer,
  createShipmentIn,
  examplesOf,
  requestsOf,
  sendExample,
  setClock,
  test,
  timestampOf,
  withoutRandomParts,
} from './requests.ts';

/** An operation, the status of the shipment before, the request example and the example of the response to it. */
type Case = [id: OperationId, before: Status | null, request: string | null, response: string];

function ofStatuses(id: OperationId, prefix: string): Case[] {
  const camelCase = (status: string) => status.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());
  return (Object.keys(lifecycle) as Status[]).map((status) => [id, status, null, prefix + camelCase(status)]);
}

const cases: Case[] = [
  ['createShipment', null, 'ShipmentRequest', 'ShipmentScheduled'],
  ['createShipment', null, 'ShipmentRequestWithItems', 'ShipmentWithItems'],
  ['createShipment', null, 'ShipmentRequestAbroad', 'ShipmentAbroad'],
  ...ofStatuses('getShipment', 'Shipment'),
  ['updateShipment', 'scheduled', 'ShipmentChanges', 'ShipmentUpdated'],
  ['cancelShipment', 'scheduled', 'CancelRequest', 'ShipmentCancelled'],
  ...ofStatuses('getTracking', 'Tracking'),
  ['updateTracking', 'dispatched', 'TrackingChanges', 'TrackingDetails'],
  ['recordTrackingEvent', 'scheduled', 'EventDispatched', 'TrackingDispatched'],
  ['recordTrackingEvent', 'dispatched', 'EventPickedUp', 'TrackingPickedUp'],
  ['recordTrackingEvent', 'picked_up', 'EventInTransit', 'TrackingInTransit'],
  ['recordTrackingEvent', 'in_transit', 'EventReturned', 'TrackingReturned'],
  ['recordTrackingEvent', 'in_transit', 'EventLost', 'TrackingLost'],
  ['recordPositions', 'in_transit', 'PositionsRequest', 'PositionsAccepted'],
  ['recordPositions', 'in_transit', 'PositionsRequestSingle', 'PositionAccepted'],
  ['recordPositions', 'in_transit', 'PositionsRequestWithoutFix', 'PositionsPartlyAccepted'],
  ['createProofUpload', 'scheduled', 'ProofUploadRequest', 'ProofUpload'],
  ['submitProofOfDelivery', 'in_transit', 'ProofOfDeliveryRequest', 'ProofOfDelivery'],
  ['submitProofOfDelivery', 'in_transit', 'UnattendedDeliveryRequest', 'UnattendedDelivery'],
  ['getProofOfDelivery', 'delivered', null, 'ProofOfDelivery'],
];

const compared = new Set<string>();
const nameOf = (id: OperationId, example: string): string => `${id} ${example}`;

function expectExample(customer: Customer, id: OperationId, example: string, body: unknown): void {
  expect(withoutRandomParts(body, customer), example).toEqual(withoutRandomParts(examplesOf(id)[example], customer));
  compared.add(nameOf(id, example));
}

/** Sends a request of the examples, and expects one of its responses. */
async function expectResponse(
  customer: Customer,
  id: OperationId,
  example: string,
  sent: Parameters<typeof sendExample>[2],
) {
  const { body } = await sendExample(customer, id, sent);
  expectExample(customer, id, example, body);
  return body;
}

const timeOfId = (prefix: 'acc' | 'exc' | 'upl', id: unknown): number =>
  timeOfUuid(uuidFromPublicId(prefix, String(id))).getTime();

/** When a response was made: the time of its upload id, or of the last change or position. */
function timeOf(response: Record<string, unknown> = {}, request: Record<string, unknown> = {}): number | string {
  const { upload_id, updated_at, status = 'delivered' } = response;
  if (upload_id) return timeOfId('upl', upload_id);
  if (typeof updated_at === 'string') return updated_at;
  const { positions } = request as { positions?: { updated_at: string }[] };
  return positions ? Math.max(...positions.map((one) => Date.parse(one.updated_at))) : timestampOf(status as Status);
}

test.for(cases)('%s of a shipment that is %s returns for %s the example %s', async (row, { customer }) => {
  const [id, before, request, response] = row;
  const path = before === null ? {} : await createShipmentIn(customer, before);
  const body = request === null ? undefined : requestsOf(id)[request];
  setClock(timeOf(examplesOf(id)[response], body));
  const received = await sendExample(customer, id, { path, ...(body && { body }) });
  expectExample(customer, id, response, received.body);
  const { Location: header } = operationOf(id).responses[successOf(operationOf(id))]?.headers ?? {};
  const { example: location = null } = (header ?? {}) as { example?: string };
  expect(withoutRandomParts(received.location, customer)).toBe(withoutRandomParts(location, customer));
});

test('the requests of the examples return the examples of accesses', async ({ customer }) => {
  const path = await createShipmentIn(customer, 'scheduled');
  const listed = (examplesOf('listAccesses').AccessList as { data: { id: string }[] }).data;
  const created = [];
  for (const [index, body] of Object.values(requestsOf('createAccess')).entries()) {
    setClock(timeOfId('acc', listed[index]?.id));
    created.push((await sendExample(customer, 'createAccess', { path, body })).body);
  }
  expectExample(customer, 'createAccess', 'AccessCreated', created[0]);
  expectExample(customer, 'createAccess', 'AccessLinkCreated', created[2]);
  await expectResponse(customer, 'listAccesses', 'AccessList', { path });
});

test('voidTrackingEvent returns the example of a delivery that was voided', async ({ customer }) => {
  const path = await createShipmentIn(customer, 'in_transit');
  const example = examplesOf('voidTrackingEvent').TrackingVoided as { timeline: Record<string, string>[] };
  const { timestamp, recorded_at, voided_at } = example.timeline.at(-1) ?? {};
  setClock(recorded_at ?? '');
  const delivery = { path, body: { status: 'delivered', timestamp } };
  const { body } = await sendExample(customer, 'recordTrackingEvent', delivery);
  path.event_id = (body.timeline as { id: string }[]).at(-1)?.id ?? '';
  setClock(voided_at ?? '');
  const { VoidRequest = {} } = requestsOf('voidTrackingEvent');
  await expectResponse(customer, 'voidTrackingEvent', 'TrackingVoided', { path, body: VoidRequest });
});

test.for([
  ['resolveException', 'ExceptionResolution', 'ExceptionResolved', 'resolved_at'],
  ['voidException', 'ExceptionVoid', 'ExceptionVoided', 'voided_at'],
] as const)('the requests of the examples return the examples of exceptions: %s', async (row, { customer }) => {
  const [end, request, response, time] = row;
  const path = await createShipmentIn(customer, 'in_transit');
  setClock(timeOfId('exc', examplesOf('raiseException').ExceptionOpen?.id));
  const { ExceptionRefused: refused = {}, ExceptionWeather: weather = {} } = requestsOf('raiseException');
  const { id } = await expectResponse(customer, 'raiseException', 'ExceptionOpen', { path, body: refused });
  path.exception_id = String(id);
  await expectResponse(customer, 'getException', 'ExceptionWithPhotos', { path });
  setClock(examplesOf(end)[response]?.[time] as string);
  await expectResponse(customer, end, response, { path, body: requestsOf(end)[request] ?? {} });
  const { body } = await sendExample(customer, 'raiseException', { path, body: weather });
  expect(body).toMatchObject({ code: 'weather_delay' });
});

test('the request of the examples returns the examples of documents', async ({ customer }) => {
  const path = await createShipmentIn(customer, 'delivered');
  const { Document: document } = examplesOf('addDocument');
  setClock(String(document?.added_at));
  const { DocumentRequest: body = {} } = requestsOf('addDocument');
  await expectResponse(customer, 'addDocument', 'Document', { path, body });
  await expectResponse(customer, 'listDocuments', 'DocumentList', { path });
});

test('the requests of the examples return the examples of webhooks', async ({ service: { db }, customer }) => {
  /** Without identifiers and timestamps, which differ, and without the event that a delivery is about. */
  const comparable = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(withoutRandomParts(value, customer), (name, member) => (name === 'event' ? '…' : member))
        .replace(/\b(whe|whd)_[0-9a-z]{10}/g, '$1_')
        .replace(/"(\w+_at)":"[^"]+Z"/g, '"$1":"…"'),
    );
  const { WebhookEndpointRequest } = requestsOf('createWebhookEndpoint');
  const perform = async (
    id: OperationId,
    example: string,
    prepare?: (path: Record<string, string>) => Promise<unknown>,
  ) => {
    const created = await sendExample(customer, 'createWebhookEndpoint', { body: WebhookEndpointRequest ?? {} });
    const path = { webhook_endpoint_id: String(created.body.id) };
    await prepare?.(path);
    const { body } = id === 'createWebhookEndpoint' ? created : await sendExample(customer, id, { path });
    expect(comparable(body), example).toEqual(comparable(examplesOf(id)[example]));
    compared.add(nameOf(id, example));
  };
  await perform('createWebhookEndpoint', 'WebhookEndpointCreated');
  await perform('getWebhookEndpoint', 'WebhookEndpointEnabled');
  await perform('getWebhookEndpoint', 'WebhookEndpointDisabled', () =>
    sql`update webhook_endpoints set status = 'disabled', disabled_reason = 'failing'`.execute(db),
  );
  await perform('updateWebhookEndpoint', 'WebhookEndpointUpdated');
  await perform('rotateWebhookSecret', 'WebhookSecretRotated');
  await perform('replayWebhookEvents', 'WebhookReplay');
  await perform('sendTestWebhook', 'WebhookTestQueued');
  await perform('resendWebhookDelivery', 'WebhookDeliveryQueued', async (path) => {
    path.delivery_id = (await customer.client.sendTestWebhook(path as { webhook_endpoint_id: string })).id;
  });
});

test('listShipments returns the shipments of the examples', async ({ customer }) => {
  const { client } = customer;
  const dataOf = (example: string) => (examplesOf('listShipments')[example] as { data: Record<string, string>[] }).data;
  const [earlier] = dataOf('ShipmentListEnd');
  setClock(earlier?.created_at ?? '');
  const other = await client.createShipment(requestsOf('createShipment').ShipmentRequestMinimal as never);
  setClock(earlier?.updated_at ?? '');
  for (const step of stepsTo('delivered')) await record(customer, other, step);
  const { tracking_number = '' } = await createShipmentIn(customer, 'in_transit');
  const list = (example: string, query: string) => expectResponse(customer, 'listShipments', example, { query });
  await list('ShipmentListWithTracking', 'status=in_transit&include=tracking');
  await client.raiseException({ tracking_number, code: 'traffic_delay', occurred_at: new Date() });
  const limit = dataOf('ShipmentListPage').length;
  const { next_cursor } = await list('ShipmentListPage', `limit=${limit}`);
  await list('ShipmentListEnd', `limit=${limit}&cursor=${next_cursor}`);
  await list('ShipmentListEmpty', 'status=cancelled');
});

test('listPositions returns the positions of the examples', async ({ service, customer }) => {
  const list = async (to: Customer, path: Record<string, string>, query = '') =>
    (await sendExample(to, 'listPositions', { path, query })).body as { data: unknown[] };
  const other = { ...(await newAccount(service)), baseUrl: service.baseUrl };
  const empty = await list(other, await createShipmentIn(other, 'scheduled'));
  expectExample(other, 'listPositions', 'PositionListEmpty', empty);
  const path = await createShipmentIn(customer, 'in_transit');
  setClock(timestampOf('delivered'));
  for (const body of Object.values(requestsOf('recordPositions')))
    await sendExample(customer, 'recordPositions', { path, body });
  const { length } = (examplesOf('listPositions').PositionListPage as { data: unknown[] }).data;
  const page = await list(customer, path, `limit=${length}`);
  expectExample(customer, 'listPositions', 'PositionListPage', page);
  expect((await list(customer, path)).data.slice(0, length)).toEqual(page.data);
});

test('every example of a success response is tested', () => {
  // Uploads, events and deliveries of lists have times that no request sets.
  const others = /^list(ProofUploads|Events|WebhookEndpoints|WebhookDeliveries)$/;
  const ids = operationIds.filter((id) => !others.test(id));
  const names = ids.flatMap((id) => Object.keys(examplesOf(id)).map((name) => nameOf(id, name)));
  const hint = 'Add the examples to `cases` in test/contract/examples/responses.test.ts.';
  expect([...compared].sort(), hint).toEqual(names.sort());
  const requested = cases.flatMap(([id, , request]) => (request === null ? [] : nameOf(id, request)));
  const requests = [...new Set(cases.map(([id]) => id))].flatMap((id) =>
    Object.keys(requestsOf(id)).map((name) => nameOf(id, name)),
  );
  // listShipments creates a shipment by the last one.
  expect([...requested, 'createShipment ShipmentRequestMinimal'].sort(), hint).toEqual(requests.sort());
});
