import type { KnownExceptionCode } from '@waybill/client';
import type { components } from '@waybill/contract/types';
import fc from 'fast-check';
import { expect } from 'vitest';
import { violations } from '../fixtures/ajv.ts';
import { type OperationId, operationOf, pathOf } from '../fixtures/contract.ts';
import { type Received, receive, send } from '../fixtures/http.ts';
import { images } from '../fixtures/images.ts';
import { closedUrl, ready, readyFile } from '../fixtures/requests.ts';
import { type Shipment as CreatedShipment, type Status, shipmentIn, upload } from '../fixtures/shipments.ts';
import type { Environment, Shipment } from './environment.ts';
import {
  checkResponse,
  differences,
  type Expected,
  exceptionsIn,
  expectedFor,
  nextBy,
  statusesAllowing,
} from './expected.ts';
import { type Fixed, type Made, schemaOf, validRequest } from './requests.ts';

type Schemas = components['schemas'];

/** Sends a request, checks the response and stores what a success changes. */
export async function perform(
  environment: Environment,
  { operation: id, parts, file }: Pick<Made, 'operation' | 'parts' | 'file'>,
  expected: Expected,
  shipment?: Shipment,
): Promise<Received> {
  const { service, account, reached, trace } = environment;
  const operation = operationOf(id);
  const { path, headers, body } = parts;
  const values = Object.entries(parts.query).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  );
  const query = new URLSearchParams(values).toString();
  trace.push(`${operation.method} ${pathOf(operation, path)}?${query} ${JSON.stringify({ headers, body })}`);
  const key = operation.scope === null ? undefined : account.key;
  const received = await receive(await send(service.baseUrl, operation, { key, path, query, headers, body, file }));
  trace.push(`    → ${received.status} ${received.status >= 400 ? JSON.stringify(received.body) : ''}`);
  reached.add(`${id} ${received.status}`);
  expect(violations(operation, received)).toEqual([]);
  checkResponse(received, expected);
  if (operation.method === 'GET' || received.status >= 400) return received;
  if (id === 'createShipment') await addShipment(environment, received.body as CreatedShipment);
  else if (shipment) await updateShipment(environment, shipment);
  if (id === 'createProofUpload' && shipment) shipment.declared++;
  return received;
}

/** Sends a valid request about a shipment; only the shipment's status decides whether it succeeds. */
export async function performValid(environment: Environment, id: OperationId, shipment?: Shipment): Promise<void> {
  const made = validRequest(environment, id, shipment, await prepared(environment, id, shipment));
  const { status, body } = await perform(environment, made, expectedFor(environment, made, shipment), shipment);
  if (status === 200 && id === 'updateShipment') {
    const request = made.parts.body as Schemas['ShipmentChanges'];
    expect(differences(shipment?.seen.shipment ?? {}, request), 'what was sent is stored').toEqual([]);
  }
  if (status !== 201 || id !== 'createShipment') return;
  const {
    pickup_window: _,
    delivery_window: __,
    handover_code,
    ...text
  } = made.parts.body as Schemas['ShipmentRequest'];
  const handover = handover_code !== undefined && { handover_code_required: true };
  expect(body, 'text is stored as sent').toMatchObject({ ...text, ...handover });
}

/** A shipment in a status: an existing one or a new one. */
export async function shipmentOf(environment: Environment, status: Status): Promise<Shipment> {
  // A shipment has at most 20 uploads that are not part of a proof.
  const there = environment.shipments.findLast((shipment) => shipment.status === status && shipment.declared < 10);
  return there ?? addShipment(environment, await shipmentIn(environment.account, status));
}

/** Creates what a request needs besides its shipment. */
async function prepared(environment: Environment, id: OperationId, shipment: Shipment | undefined): Promise<Fixed> {
  const { account, draw, nth } = environment;
  if (!shipment) return {};
  // Half of the events have any status.
  if (id === 'recordTrackingEvent' && nth === undefined && draw(fc.boolean())) return {};
  if (id !== 'submitProofOfDelivery' || !statusesAllowing(id).includes(shipment.status))
    return fitting(environment, id, shipment);
  const { maxItems: most = 0 } = schemaOf(id, 'body').properties?.photos ?? {};
  const count = nth === undefined ? draw(fc.nat(2)) : nth % 2 ? most : 0;
  const files = (['signature', ...Array<'photo'>(count).fill('photo')] as const).map((kind) =>
    upload(account, shipment.tracking_number, kind),
  );
  const [signature, ...photos] = await Promise.all(files);
  const { handover_code } = shipment.seen.shipment;
  return { body: { handover_code, signature, photos: count === 0 && draw(fc.boolean()) ? undefined : photos } };
}

/** Fits a request to the state as far as that is cheap: a proof names nonexistent files. */
export async function fitting(environment: Environment, id: OperationId, shipment: Shipment): Promise<Fixed> {
  const { account, draw } = environment;
  const { status } = shipment;
  if (id === 'raiseException') return { body: { photos: undefined } };
  if (id === 'getException' || id === 'resolveException') return exceptionRequest(environment, shipment);
  const next = id === 'recordTrackingEvent' ? nextBy(id, status) : [];
  if (next.length > 0) return { body: { status: draw(fc.constantFrom(...next)) } };
  if (operationOf(id).path.includes('/access')) return accessRequest(environment, id, shipment);
  if (id === 'getProofFile') return ready(id, account);
  if (operationOf(id).path.startsWith('/webhook_endpoints')) return webhookRequest(account, id);
  if (id !== 'putProofFile') return {};
  const type = draw(fc.constantFrom(...(Object.keys(images) as (keyof typeof images)[])));
  const unique = draw(fc.uint8Array({ minLength: 16, maxLength: 300 }));
  return readyFile(account, Uint8Array.from([...images[type](), ...unique]), type);
}

/** A new exception, which happened before any valid time of its end. A shipment in another status has none. */
async function exceptionRequest(environment: Environment, shipment: Shipment): Promise<Fixed> {
  const { tracking_number, status } = shipment;
  const [code] = exceptionsIn(status) as KnownExceptionCode[];
  if (!code) return {};
  const { client } = environment.account;
  const { id } = await client.raiseException({ tracking_number, code, occurred_at: '1000-01-02T00:00:00Z' });
  await updateShipment(environment, shipment);
  return { path: { exception_id: id } };
}

/** The only access. There is room for another one. */
async function accessRequest(
  { account: { client } }: Environment,
  id: OperationId,
  shipment: Shipment,
): Promise<Fixed> {
  const path = { shipment_id: shipment.id };
  const { data } = await client.listAccesses(path);
  for (const access of data) await client.deleteAccess({ ...path, access_id: access.id });
  if (id === 'createAccess') return {};
  const access = await client.createAccess({ ...path, scopes: ['tracking:read'] });
  return { path: { access_id: access.id } };
}

/** Every value but the URL, which must be allowed. There is room for another endpoint. */
async function webhookRequest(account: Environment['account'], id: OperationId): Promise<Fixed> {
  const { data } = await account.client.listWebhookEndpoints();
  for (const endpoint of data) {
    await account.client.deleteWebhookEndpoint({ webhook_endpoint_id: endpoint.id });
  }
  const { path } = await ready(id, account);
  return id === 'createWebhookEndpoint' || id === 'updateWebhookEndpoint'
    ? { path, body: { url: closedUrl, types: ['shipment.created'] } }
    : { path };
}

/** What can change of a shipment, as it is now. */
async function readCurrent(
  { account: { client } }: Environment,
  { id, tracking_number }: Pick<Shipment, 'id' | 'tracking_number'>,
): Promise<Pick<Shipment, 'seen' | 'status' | 'previous'>> {
  const tracking = await client.getTracking({ tracking_number });
  const seen = { tracking, shipment: await client.getShipment({ shipment_id: id }) } as Shipment['seen'];
  const { status, timeline } = seen.tracking;
  return { seen, status, previous: Date.parse(timeline.at(-1)?.timestamp ?? '') };
}

async function addShipment(environment: Environment, created: CreatedShipment): Promise<Shipment> {
  const { id, tracking_number, reference } = created;
  const added = { id, tracking_number, reference, declared: 0, ...(await readCurrent(environment, created)) };
  environment.shipments.push(added);
  return added;
}

async function updateShipment(environment: Environment, shipment: Shipment): Promise<void> {
  Object.assign(shipment, await readCurrent(environment, shipment));
}

/** Fails when a refused request or a read has changed a shipment. */
export async function checkUnchanged(environment: Environment): Promise<void> {
  for (const shipment of environment.shipments) {
    const { seen } = await readCurrent(environment, shipment);
    expect(seen, 'a refused request changes nothing').toEqual(shipment.seen);
  }
}
