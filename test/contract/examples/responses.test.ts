import { timeOfUuid, uuidFromPublicId } from '@waybill/server/database/identifiers';
import { expect } from 'vitest';
import { type OperationId, operationIds, operationOf, successOf } from '../../fixtures/contract.ts';
import { lifecycle } from '../../fixtures/lifecycle.ts';
import { applyTransition, type Status, transitionsTo } from '../../fixtures/shipments.ts';
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
  ...ofStatuses('getShipment', 'Shipment'),
  ['updateShipment', 'scheduled', 'ShipmentChanges', 'ShipmentUpdated'],
  ['cancelShipment', 'scheduled', 'CancelRequest', 'ShipmentCancelled'],
  ...ofStatuses('getTracking', 'Tracking'),
  ['recordTrackingEvent', 'scheduled', 'EventDispatched', 'TrackingDispatched'],
  ['recordTrackingEvent', 'dispatched', 'EventPickedUp', 'TrackingPickedUp'],
  ['recordTrackingEvent', 'picked_up', 'EventInTransit', 'TrackingInTransit'],
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

/** When a response was made: the time of its upload id, or of the last change or position. */
function timeOf(response: Record<string, unknown> = {}, request: Record<string, unknown> = {}): number | string {
  const { upload_id, updated_at, status = 'delivered' } = response;
  if (upload_id) return timeOfUuid(uuidFromPublicId('upl', String(upload_id))).getTime();
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

test('listShipments returns the shipments of the examples', async ({ customer }) => {
  const { client } = customer;
  const dataOf = (example: string) => (examplesOf('listShipments')[example] as { data: Record<string, string>[] }).data;
  const [earlier] = dataOf('ShipmentListEnd');
  setClock(earlier?.created_at ?? '');
  const other = await client.createShipment(requestsOf('createShipment').ShipmentRequestMinimal as never);
  setClock(earlier?.updated_at ?? '');
  for (const step of transitionsTo('delivered')) await applyTransition(customer, other, step);
  const { tracking_number = '' } = await createShipmentIn(customer, 'in_transit');
  const list = async (example: string, query: string) => {
    const { body } = await sendExample(customer, 'listShipments', { query });
    expectExample(customer, 'listShipments', example, body);
    return body;
  };
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
  // Uploads and events of lists have times that no request sets; redocly checks the others against their schemas.
  const others = /^(listProofUploads|listEvents)$|Webhook|Access|Exception/;
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
