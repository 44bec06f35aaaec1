import type { Transition } from '@waybill/contract/lifecycle';
import { expect, vi } from 'vitest';
import { operationOf } from '../../fixtures/contract.ts';
import { testWithOwnService } from '../../fixtures/own-database.ts';
import { type Status, transitionsTo, upload } from '../../fixtures/shipments.ts';
import { type Caller, requestExamples, responseExamples, sendExample, successOf } from './requests.ts';

/**
 * The examples follow one shipment in March 2026. The test sets the clock of the service, which runs in this process,
 * to the time of each request. So requests are sent unchanged with their timestamps, and responses must equal the
 * contract's examples with theirs.
 */
export function setClock(timestamp: string | number): void {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(timestamp);
}

/**
 * The service has a database of its own: on the shared one, the clean-up of another service would remove the files and
 * positions of these examples.
 */
export const test = testWithOwnService;

/** A shipment's path values. */
export type ShipmentPath = { shipment_id: string; tracking_number: string };

/** When the shipment of the examples reached a status. */
export function timestampOf(status: Status): string {
  const shipment = Object.values(responseExamples(operationOf('getShipment'), '200')).find(
    (each) => each.status === status,
  );
  if (!shipment) throw new Error(`getShipment needs an example of a shipment that is ${status}: spec/examples`);
  return shipment.updated_at as string;
}

/** Brings a new shipment to a status with the contract's request examples, each sent at its time. */
export async function createShipmentIn(caller: Caller, status: Status): Promise<ShipmentPath> {
  setClock(timestampOf('scheduled'));
  const create = operationOf('createShipment');
  // The key of the examples is for the request under test.
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const created = await sendExample(caller, create, { headers });
  const { id: shipment_id, tracking_number } = (await created.json()) as { id: string; tracking_number: string };
  const shipment = { shipment_id, tracking_number };
  for (const step of transitionsTo(status)) await applyTransition(caller, shipment, step);
  return shipment;
}

async function applyTransition(
  caller: Caller,
  shipment: ShipmentPath,
  { operation: id, to }: Transition,
): Promise<void> {
  setClock(timestampOf(to));
  const operation = operationOf(id);
  const body = Object.values(requestExamples(operation)).find(({ status = to }) => status === to);
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const sent = { path: { ...shipment }, headers, body: await sendable(caller, shipment, body) };
  const response = await sendExample(caller, operation, sent);
  expect(`${response.status}`, `${id}: ${JSON.stringify(body)} ${await response.text()}`).toBe(successOf(operation));
}

/** A request example with real uploads in place of those that it names. */
export async function sendable(
  { client }: Caller,
  { tracking_number }: ShipmentPath,
  body: Record<string, unknown> | undefined,
): Promise<Record<string, unknown> | undefined> {
  if (!body || !('signature' in body || 'unattended' in body)) return body;
  const photos = ((body.photos ?? []) as string[]).map(() => upload({ client }, tracking_number, 'photo'));
  const files = { ...body, photos: await Promise.all(photos) };
  return 'signature' in body ? { ...files, signature: await upload({ client }, tracking_number, 'signature') } : files;
}
