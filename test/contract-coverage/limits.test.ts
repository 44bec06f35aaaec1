import { transitions } from '@waybill/contract/lifecycle';
import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { describe, expect } from 'vitest';
import { violations } from '../fixtures/ajv.ts';
import { type ContractOperation, contractOperations } from '../fixtures/contract.ts';
import { type Ready, ready } from '../fixtures/requests.ts';
import type { Service } from '../fixtures/service.ts';
import { shipmentIn, upload } from '../fixtures/shipments.ts';
import { newAccount, type TestAccount, test } from '../fixtures/test.ts';
import { partsOf, type Received, type Sent, sendTo } from './exchange.ts';
import { limitsOf } from './field-limits.ts';
import { completed, type Field, fieldsOf, type Schema, valueAt, withValue } from './fields.ts';
import { longLists } from './scenarios.ts';

/** A valid request with every optional field. */
async function complete(operation: ContractOperation, account: TestAccount): Promise<Sent> {
  const request: Ready = await ready(operation.id, account);
  if (!operation.bodySchema) return request;
  const body = completed(operation.bodySchema, request.body) as NonNullable<Ready['body']>;
  // The largest number of photos.
  const most = (operation.bodySchema as Schema).properties?.photos?.maxItems as number | undefined;
  const photos = Array.from({ length: most ?? 0 }, () =>
    upload(account, String(request.path.tracking_number), 'photo'),
  );
  return { ...request, body: { ...body, ...(most && { photos: await Promise.all(photos) }) } };
}

/** The request with another value in a field. */
function changed(sent: Sent, { in: part, pointer }: Field, value: unknown): Sent {
  const name = pointer.slice(1);
  if (part === 'path') return { ...sent, path: { ...sent.path, [name]: String(value) } };
  if (part === 'headers') return { ...sent, headers: { [name]: String(value) } };
  if (part === 'body') return { ...sent, body: withValue(sent.body, pointer, value) as NonNullable<Ready['body']> };
  const query = new URLSearchParams(sent.query);
  query.set(name, String(value));
  return { ...sent, query: query.toString() };
}

const validValue = (sent: Sent, { in: part, pointer, example }: Field): unknown => {
  if (part === 'body') return valueAt(sent.body, pointer);
  return part === 'path' ? sent.path?.[pointer.slice(1)] : example;
};

/** The parameter that a rule refers to, or the sibling fields. */
function besideOf(operation: ContractOperation, sent: Sent, field: Field): Record<string, string> {
  const { in: part, pointer, schema } = field;
  if (part === 'body') return (valueAt(sent.body, pointer.slice(0, pointer.lastIndexOf('/'))) ?? {}) as never;
  const other = operation.parameters.find(({ name }) => name === schema['x-not-before']);
  return other ? { [other.name]: String(other.example) } : {};
}

async function lastEvent({ client }: TestAccount, { path: { tracking_number } = {} }: Sent): Promise<string> {
  if (tracking_number === undefined) return '';
  const { data } = await client.getTracking({ path: { tracking_number } });
  return String(data.timeline.at(-1)?.timestamp);
}

const isCursor = ({ pointer }: Field): boolean => pointer === '/cursor';

/** A request to a list with several pages, and the cursor of the next page. */
async function listed(operation: ContractOperation, account: TestAccount, { baseUrl }: Service) {
  const sent: Sent = { key: account.key, path: await longLists(account) };
  const { body } = await partsOf(await sendTo(baseUrl, operation, { ...sent, query: 'limit=1' }));
  return { sent, valid: (body as { next_cursor: unknown }).next_cursor };
}

/** A valid request, and the limits of one of its fields. */
async function fresh(operation: ContractOperation, field: Field, service: Service) {
  const account = await newAccount(service);
  const sent: Sent = { key: account.key, ...(await complete(operation, account)) };
  const beside = besideOf(operation, sent, field);
  if (field.in === 'query') sent.query = new URLSearchParams(beside).toString();
  const made = isCursor(field) ? await listed(operation, account, service) : { sent, valid: validValue(sent, field) };
  // One more item of an array: a copy of the first, or the contract's example of an identifier.
  const first = Array.isArray(made.valid) ? made.valid[0] : undefined;
  const another = typeof first === 'string' ? valueAt(operation.body, `${field.pointer}/0`) : first;
  const isOpaque = field.in === 'path' || isCursor(field);
  const previous = await lastEvent(account, made.sent);
  return { account, ...made, limits: limitsOf({ field, valid: made.valid, beside, previous, another, isOpaque }) };
}

/** The request for a shipment that allows the transition to the value, if the value is a status. */
async function withStatus(account: TestAccount, { id }: ContractOperation, sent: Sent, value: unknown): Promise<Sent> {
  const step = transitions.find(({ operation, to }) => operation === id && to === value);
  if (!step?.from) return sent;
  const { tracking_number } = await shipmentIn(account, step.from);
  return { ...sent, path: { tracking_number } };
}

describe.each(contractOperations)('$id', (operation) => {
  const fields = fieldsOf(operation).map((field) => [`${field.in} ${field.pointer}`, field] as const);

  test.for(fields)(
    `${operation.id} accepts %s at its limits and refuses it beyond them`,
    async ([, field], { service }) => {
      const send = async (sent: Sent, value: unknown): Promise<Received> => {
        const received = await partsOf(await sendTo(service.baseUrl, operation, changed(sent, field, value)));
        expect(violations(operation, received)).toEqual([]);
        return received;
      };
      const { sent, limits } = await fresh(operation, field, service);
      for (const { rule, beyond } of limits) {
        for (const { value, pointer } of beyond) {
          const received = await send(sent, value);
          expect([rule, value, received.body]).toMatchObject([rule, value, refusal(field, field.pointer + pointer)]);
        }
      }
      // The refused requests have changed nothing: the valid request succeeds.
      expect((await partsOf(await sendTo(service.baseUrl, operation, sent))).status).toBeLessThan(300);
      for (const [index, { rule, at }] of limits.entries()) {
        for (const n of at.keys()) {
          const repeated = await fresh(operation, field, service);
          const value = repeated.limits[index]?.at[n];
          const received = await send(await withStatus(repeated.account, operation, repeated.sent, value), value);
          expect(received.status, JSON.stringify([rule, value, received.body])).toBeLessThan(400);
        }
      }
    },
  );
});

test.for(
  contractOperations.filter(({ bodySchema }) => bodySchema).map((operation) => [operation.id, operation] as const),
)(
  '%s accepts a body of the largest size and returns 413 for one more byte',
  async ([, operation], { service, account }) => {
    const { path, body } = await ready(operation.id, account);
    const send = async (length: number): Promise<Received> => {
      const bytes = new TextEncoder().encode(JSON.stringify(body).padEnd(length));
      const file = { type: 'application/json', bytes };
      return partsOf(await sendTo(service.baseUrl, operation, { key: account.key, path, file }));
    };
    expect(await send(contract['x-max-body'] + 1)).toMatchObject({ code: 'payload_too_large' });
    expect((await send(contract['x-max-body'])).status).toBeLessThan(300);
  },
);

/** An invalid identifier returns 404; any other invalid value is named. */
const refusal = (field: Field, pointer: string): object =>
  field.in === 'path'
    ? { code: 'not_found' }
    : {
        code: 'invalid_request',
        errors: expect.arrayContaining([expect.objectContaining({ in: field.in, pointer })]),
      };
