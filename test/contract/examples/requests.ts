import { dereferenced } from '@waybill/contract/dereferenced';
import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { defaultBaseUrl } from '@waybill/contract/operations';
import { expect, vi } from 'vitest';
import { violations } from '../../fixtures/contract/ajv.ts';
import { type ContractOperation, type OperationId, operationOf, successOf } from '../../fixtures/contract/contract.ts';
import { stepsTo } from '../../fixtures/contract/lifecycle.ts';
import { testWithoutCleanUp } from '../../fixtures/database/own-database.ts';
import { largePdf } from '../../fixtures/images.ts';
import { receive, type Sent, send } from '../../fixtures/requests/send.ts';
import { type Status, upload } from '../../fixtures/shipments.ts';
import type { TestAccount } from '../../fixtures/test.ts';

type Node = Record<string, unknown>;

const valuesIn = (content: object = {}): Record<string, Node> =>
  Object.fromEntries(
    Object.values(content).flatMap(({ examples = {} }: { examples?: Record<string, { value: Node }> }) =>
      Object.entries(examples).map(([name, { value }]) => [name, value]),
    ),
  );

/** The examples of an operation's JSON responses with this status: name → value. */
export const responseExamples = ({ responses }: ContractOperation, status: string): Record<string, Node> =>
  valuesIn(responses[status]?.content);

export const examplesOf = (id: OperationId): Record<string, Node> =>
  responseExamples(operationOf(id), successOf(operationOf(id)));

/** The examples of an operation's JSON body: name → value. */
export function requestsOf(id: OperationId): Record<string, Node> {
  const { path, method } = operationOf(id);
  const paths = contract.paths as unknown as Record<string, Record<string, Node>>;
  const body = dereferenced(paths[path]?.[method.toLowerCase()]?.requestBody ?? {}) as { content?: object };
  return valuesIn(body.content);
}

export type Customer = Pick<TestAccount, 'key' | 'client'> & { baseUrl: string };

/**
 * The examples follow one shipment in March 2026. A test sets the clock of the service, which runs in this process, to the
 * time of each request. So requests are sent unchanged, and responses must equal the examples with their timestamps.
 * A clean-up that starts between two tests, with the real clock, would drop the positions of the second one.
 */
export const test = testWithoutCleanUp.extend<{ customer: Customer }>({
  customer: async ({ service: { baseUrl }, account }, use) => {
    await use({ ...account, baseUrl });
    vi.useRealTimers();
  },
});

export function setClock(timestamp: string | number): void {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(timestamp);
}

/** Uploads a file as large as that of the example of a document. */
const uploadedDocument = ({ client }: Customer, tracking_number: string): Promise<string> => {
  const { Document } = examplesOf('addDocument');
  return client.uploadProofFile({ tracking_number, kind: 'document', file: largePdf(Number(Document?.size)) });
};

/** Sends an operation's request, which succeeds as documented, with real uploads in place of those that it names. */
export async function sendExample(
  customer: Customer,
  id: OperationId,
  { path = {}, body, ...sent }: Sent & { body?: Node },
) {
  const { signature, photos, upload_id } = body ?? {};
  const uploaded = (kind: 'signature' | 'photo') => upload(customer, path.tracking_number ?? '', kind);
  const files = {
    ...(signature !== undefined && { signature: await uploaded('signature') }),
    ...(Array.isArray(photos) && { photos: await Promise.all(photos.map(() => uploaded('photo'))) }),
    ...(upload_id !== undefined && { upload_id: await uploadedDocument(customer, path.tracking_number ?? '') }),
  };
  // Some requests of the examples have the same key.
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const request = { key: customer.key, path, headers, body: body && { ...body, ...files }, ...sent };
  const received = await receive(await send(customer.baseUrl, operationOf(id), request));
  expect(violations(operationOf(id), received)).toEqual([]);
  expect(received, id).toMatchObject({ status: Number(successOf(operationOf(id))) });
  return { body: received.body as Node, location: received.headers.get('location') };
}

export function timestampOf(status: Status): string {
  const shipment = Object.values(examplesOf('getShipment')).find((each) => each.status === status);
  if (!shipment) throw new Error(`getShipment needs an example of a shipment that is ${status}: spec/examples`);
  return shipment.updated_at as string;
}

const ofEnd: Partial<Record<Status, OperationId>> = {
  delivered: 'submitProofOfDelivery',
  cancelled: 'cancelShipment',
};

/** Brings a new shipment to a status with the request examples, each sent at its time, and returns its path values. */
export async function createShipmentIn(customer: Customer, status: Status): Promise<Record<string, string>> {
  setClock(timestampOf('scheduled'));
  const { id, tracking_number } = (await sendExample(customer, 'createShipment', {})).body as Record<string, string>;
  const path = { shipment_id: id as string, tracking_number: tracking_number as string };
  for (const to of stepsTo(status)) {
    setClock(timestampOf(to));
    const operation = ofEnd[to] ?? 'recordTrackingEvent';
    const body = Object.values(requestsOf(operation)).find((request) => (request.status ?? to) === to);
    await sendExample(customer, operation, { path, ...(body && { body }) });
  }
  return path;
}

/**
 * A response, or an example of one, without its random parts: the random part of identifiers (not their
 * timestamp), the sequence of tracking numbers, signed tokens, secrets, and cursors except their length.
 */
export function withoutRandomParts(value: unknown, { baseUrl }: Pick<Customer, 'baseUrl'>): unknown {
  const text = JSON.stringify(value)
    .replaceAll(new URL(baseUrl).origin, new URL(defaultBaseUrl).origin)
    .replace(/\b(ship|acc|tev|upl|exc|doc|whe|whd)_([0-9a-z]{10})[0-9a-z]{16}\b/g, '$1_$2…')
    .replace(/\b([A-Z]{2,8}-\d{4})-\d{6,12}\b/g, '$1-…')
    .replace(/\bwba_\w+/g, 'wba_…')
    .replace(/whsec_[\w+/]{43}=/g, 'whsec_…')
    .replace(/(uploads|files)\/[\w-]{71}(?![\w-])/g, '$1/…')
    .replace(/"next_cursor":"[^"]+"/, ({ length }) => `"next_cursor":"${length}"`);
  return JSON.parse(text);
}
