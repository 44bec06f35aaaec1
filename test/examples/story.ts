import { type Transition, transitions } from '@waybill/contract/lifecycle';
import { expect, vi } from 'vitest';
import { operationOf } from '../fixtures/contract.ts';
import { type Status, transitionsTo, upload } from '../fixtures/shipments.ts';
import { type Asker, answerExamples, ask, requestExamples, successOf } from './requests.ts';

/**
 * The examples tell one story: a shipment's life in March 2026. The test puts the clock of the service, which runs in
 * this process, to the moment of each request: so requests are sent word for word, dates too, and what is answered must
 * be what the contract's examples say, times included.
 */
export function setClock(moment: string | number): void {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(moment);
}

/** A shipment's path values. */
export type Told = { shipment_id: string; tracking_number: string };

/** When the story's shipment reached a status: its example in that status was written then. */
export function momentOf(status: Status): string {
  const told = Object.values(answerExamples(operationOf('getShipment'), '200')).find((each) => each.status === status);
  if (!told) throw new Error(`getShipment needs an example of a shipment that is ${status}: spec/examples`);
  return told.updated_at as string;
}

/** The step of the lifecycle that a request takes; undefined when it takes none. */
export const stepOf = (id: string, body: object | undefined): Transition | undefined =>
  transitions.find((step) => step.operation === id && (!body || !('status' in body) || body.status === step.to));

/** Brings a new shipment to a status by the contract's request examples, each sent at its time. */
export async function tell(asker: Asker, status: Status): Promise<Told> {
  setClock(momentOf('scheduled'));
  const create = operationOf('createShipment');
  // The key of the examples is left for the request that the test is about.
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const created = await ask(asker, create, { headers }, create.body);
  const { id: shipment_id, tracking_number } = (await created.json()) as { id: string; tracking_number: string };
  const told = { shipment_id, tracking_number };
  for (const step of transitionsTo(status)) await applyTransition(asker, told, step);
  return told;
}

async function applyTransition(asker: Asker, told: Told, { operation: id, to }: Transition): Promise<void> {
  setClock(momentOf(to));
  const asked = operationOf(id);
  const body = Object.values(requestExamples(asked)).find((example) => stepOf(id, example)?.to === to);
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const response = await ask(asker, asked, { path: told, headers }, await sendable(asker, told, body));
  expect(`${response.status}`, `${id}: ${JSON.stringify(body)} ${await response.text()}`).toBe(successOf(asked));
}

/** A request example with real uploads in the place of those that it names; all else stays as it is. */
export async function sendable(
  { client }: Asker,
  { tracking_number }: Told,
  body: Record<string, unknown> | undefined,
): Promise<Record<string, unknown> | undefined> {
  if (!body || !('signature' in body)) return body;
  const photos = ((body.photos ?? []) as string[]).map(() => upload({ client }, tracking_number, 'photo'));
  const signature = await upload({ client }, tracking_number, 'signature');
  return { ...body, signature, photos: await Promise.all(photos) };
}
