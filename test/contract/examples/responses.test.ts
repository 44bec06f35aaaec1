import { timeOfUuid, uuidFromPublicId } from '@waybill/server/database/identifiers';
import { afterEach, expect, vi } from 'vitest';
import { violations } from '../../fixtures/ajv.ts';
import { contractOperations, type OperationId, operationOf } from '../../fixtures/contract.ts';
import { receive } from '../../fixtures/http.ts';
import { lifecycle } from '../../fixtures/lifecycle.ts';
import type { Status } from '../../fixtures/shipments.ts';
import { requestExamples, responseExamples, sendExample, successOf, withoutRandomParts } from './requests.ts';
import { createShipmentIn, sendable, setClock, test, timestampOf } from './shipment-history.ts';

/** An operation, the status of the shipment before, the request example and the example of the response to it. */
const cases: [id: OperationId, before: Status | null, request: string | null, response: string][] = [
  ['createShipment', null, 'ShipmentRequest', 'ShipmentScheduled'],
  ['createShipment', null, 'ShipmentRequestWithItems', 'ShipmentWithItems'],
  ['getShipment', 'scheduled', null, 'ShipmentScheduled'],
  ['getShipment', 'dispatched', null, 'ShipmentDispatched'],
  ['getShipment', 'picked_up', null, 'ShipmentPickedUp'],
  ['getShipment', 'in_transit', null, 'ShipmentInTransit'],
  ['getShipment', 'delivered', null, 'ShipmentDelivered'],
  ['getShipment', 'cancelled', null, 'ShipmentCancelled'],
  ['updateShipment', 'scheduled', 'ShipmentChanges', 'ShipmentUpdated'],
  ['cancelShipment', 'scheduled', 'CancelRequest', 'ShipmentCancelled'],
  ['getTracking', 'scheduled', null, 'TrackingScheduled'],
  ['getTracking', 'dispatched', null, 'TrackingDispatched'],
  ['getTracking', 'picked_up', null, 'TrackingPickedUp'],
  ['getTracking', 'in_transit', null, 'TrackingInTransit'],
  ['getTracking', 'delivered', null, 'TrackingDelivered'],
  ['getTracking', 'cancelled', null, 'TrackingCancelled'],
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

test.for<[id: OperationId, file: string]>([
  ['getShipment', 'shipments.yaml'],
  ['getTracking', 'tracking.yaml'],
])('%s has an example of every status', ([id, file]) => {
  const examples = Object.values(responseExamples(operationOf(id), '200'));
  const found = new Set(examples.map(({ status }) => status));
  const hint = `Add it to spec/examples/${file}, and use it in the path of ${id} in spec/paths.`;
  expect([...found].sort(), hint).toEqual(Object.keys(lifecycle).sort());
});

type Body = Record<string, unknown>;

afterEach(() => void vi.useRealTimers());

test.for(cases)('%s of a shipment that is %s returns for %s the example %s', async (row, { service, account }) => {
  const [id, before, request, response] = row;
  const operation = operationOf(id);
  const caller = { ...account, baseUrl: service.baseUrl };
  const body = request === null ? undefined : requestExamples(operation)[request];
  const example = responseExamples(operation, successOf(operation))[response] ?? expect.unreachable();
  const shipment = before === null ? undefined : await createShipmentIn(caller, before);
  setClock(timeOf(example, body));
  const sent = shipment ? await sendable(caller, shipment, body) : body;
  const received = await receive(await sendExample(caller, operation, { path: { ...shipment }, body: sent }));
  expect(violations(operation, received)).toEqual([]);
  const { status, headers } = received;
  const expected = { status: Number(successOf(operation)), body: example };
  expect(withoutRandomParts({ status, body: received.body }, caller)).toEqual(withoutRandomParts(expected, caller));
  const { Location: header } = operation.responses[successOf(operation)]?.headers ?? {};
  const { example: location = null } = (header ?? {}) as { example?: string };
  expect(withoutRandomParts(headers.get('location'), caller)).toBe(withoutRandomParts(location, caller));
});

/** When a response was made: the time of its upload id, or of the last change or position. */
function timeOf({ upload_id, updated_at, status = 'delivered' }: Body, { positions }: Body = {}): number | string {
  if (typeof upload_id === 'string') return timeOfUuid(uuidFromPublicId('upl', upload_id)).getTime();
  if (typeof updated_at === 'string') return updated_at;
  if (Array.isArray(positions)) return Math.max(...positions.map((position) => Date.parse(position.updated_at)));
  return timestampOf(status as Status);
}

test('every example of a shipment, its tracking status, its positions and its proof is tested', () => {
  // Others have the lists, which need several shipments, and what needs an endpoint, an exception or an access.
  const operations = contractOperations.filter(({ id }) => !/^list|Webhook|Exception|Access/.test(id));
  const names = operations.flatMap((each) => [
    ...Object.keys(requestExamples(each)),
    ...Object.keys(responseExamples(each, successOf(each))).map((name) => `${each.id} ${name}`),
  ]);
  const tested = cases.flatMap(([id, , request, response]) => [request ?? [], `${id} ${response}`].flat());
  // lists.test.ts creates a shipment by it.
  const hint = 'Add the examples to `cases` in test/contract/examples/responses.test.ts.';
  expect(new Set([...tested, 'ShipmentRequestMinimal']), hint).toEqual(new Set(names));
});
