import { transitions } from '@waybill/contract/lifecycle';
import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { describe, expect } from 'vitest';
import { violations } from '../fixtures/ajv.ts';
import { type ContractOperation, contractOperations } from '../fixtures/contract.ts';
import { type Ready, ready } from '../fixtures/requests.ts';
import type { Service } from '../fixtures/service.ts';
import { shipmentIn, upload } from '../fixtures/shipments.ts';
import { newAccount, type TestAccount, test } from '../fixtures/test.ts';
import { type Answered, type Asked, partsOf, sendTo } from './ask.ts';
import { limitsOf } from './limits.ts';
import { completed, type Field, fieldsOf, type Schema, valueAt, withValue } from './requests.ts';
import { longLists } from './scenarios.ts';

/** A good request with every field that it may have. */
async function complete(operation: ContractOperation, account: TestAccount): Promise<Asked> {
  const request: Ready = await ready(operation.id, account);
  if (!operation.bodySchema) return request;
  const body = completed(operation.bodySchema, request.body) as NonNullable<Ready['body']>;
  // As many photos as there may be.
  const most = (operation.bodySchema as Schema).properties?.photos?.maxItems as number | undefined;
  const photos = Array.from({ length: most ?? 0 }, () =>
    upload(account, String(request.path.tracking_number), 'photo'),
  );
  return { ...request, body: { ...body, ...(most && { photos: await Promise.all(photos) }) } };
}

/** The request with another value in a field. */
function changed(asked: Asked, { in: part, pointer }: Field, value: unknown): Asked {
  const name = pointer.slice(1);
  if (part === 'path') return { ...asked, path: { ...asked.path, [name]: String(value) } };
  if (part === 'headers') return { ...asked, headers: { [name]: String(value) } };
  if (part === 'body') return { ...asked, body: withValue(asked.body, pointer, value) as NonNullable<Ready['body']> };
  const query = new URLSearchParams(asked.query);
  query.set(name, String(value));
  return { ...asked, query: query.toString() };
}

const goodOf = (asked: Asked, { in: part, pointer, example }: Field): unknown => {
  if (part === 'body') return valueAt(asked.body, pointer);
  return part === 'path' ? asked.path?.[pointer.slice(1)] : example;
};

/** The parameter that a rule of this one is about, or the fields beside this one. */
function besideOf(operation: ContractOperation, asked: Asked, field: Field): Record<string, string> {
  const { in: part, pointer, schema } = field;
  if (part === 'body') return (valueAt(asked.body, pointer.slice(0, pointer.lastIndexOf('/'))) ?? {}) as never;
  const other = operation.parameters.find(({ name }) => name === schema['x-not-before']);
  return other ? { [other.name]: String(other.example) } : {};
}

async function lastEvent({ client }: TestAccount, { path: { tracking_number } = {} }: Asked): Promise<string> {
  if (tracking_number === undefined) return '';
  const { data } = await client.getTracking({ path: { tracking_number } });
  return String(data.timeline.at(-1)?.timestamp);
}

const isCursor = ({ pointer }: Field): boolean => pointer === '/cursor';

/** A list that goes on, and the cursor of its next page. */
async function listed(operation: ContractOperation, account: TestAccount, { baseUrl }: Service) {
  const asked: Asked = { key: account.key, path: await longLists(account) };
  const { body } = await partsOf(await sendTo(baseUrl, operation, { ...asked, query: 'limit=1' }));
  return { asked, good: (body as { next_cursor: unknown }).next_cursor };
}

/** A good request, and every rule of one of its fields. */
async function fresh(operation: ContractOperation, field: Field, service: Service) {
  const account = await newAccount(service);
  const asked: Asked = { key: account.key, ...(await complete(operation, account)) };
  const beside = besideOf(operation, asked, field);
  if (field.in === 'query') asked.query = new URLSearchParams(beside).toString();
  const made = isCursor(field) ? await listed(operation, account, service) : { asked, good: goodOf(asked, field) };
  // Another item of an array: a copy of the first, or an identifier that the contract shows.
  const first = Array.isArray(made.good) ? made.good[0] : undefined;
  const another = typeof first === 'string' ? valueAt(operation.body, `${field.pointer}/0`) : first;
  const isOurs = field.in === 'path' || isCursor(field);
  const previous = await lastEvent(account, made.asked);
  return { account, ...made, limits: limitsOf({ field, good: made.good, beside, previous, another, isOurs }) };
}

/** The request for a shipment that can take the step which the value asks for, if it does. */
async function standing(account: TestAccount, { id }: ContractOperation, asked: Asked, value: unknown): Promise<Asked> {
  const step = transitions.find(({ operation, to }) => operation === id && to === value);
  if (!step?.from) return asked;
  const { tracking_number } = await shipmentIn(account, step.from);
  return { ...asked, path: { tracking_number } };
}

describe.each(contractOperations)('$id', (operation) => {
  const fields = fieldsOf(operation).map((field) => [`${field.in} ${field.pointer}`, field] as const);

  test.for(fields)('accepts %s at its limits and refuses it beyond them', async ([, field], { service }) => {
    const send = async (asked: Asked, value: unknown): Promise<Answered> => {
      const answered = await partsOf(await sendTo(service.baseUrl, operation, changed(asked, field, value)));
      expect(violations(operation, answered)).toEqual([]);
      return answered;
    };
    const { asked, limits } = await fresh(operation, field, service);
    for (const { rule, beyond } of limits) {
      for (const { value, pointer } of beyond) {
        const answered = await send(asked, value);
        expect([rule, value, answered.body]).toMatchObject([rule, value, refusal(field, field.pointer + pointer)]);
      }
    }
    // What was refused has changed nothing: the good request is still good.
    expect((await partsOf(await sendTo(service.baseUrl, operation, asked))).status).toBeLessThan(300);
    for (const [index, { rule, at }] of limits.entries()) {
      for (const n of at.keys()) {
        const again = await fresh(operation, field, service);
        const value = again.limits[index]?.at[n];
        const answered = await send(await standing(again.account, operation, again.asked, value), value);
        expect(answered.status, JSON.stringify([rule, value, answered.body])).toBeLessThan(400);
      }
    }
  });
});

test.for(
  contractOperations.filter(({ bodySchema }) => bodySchema).map((operation) => [operation.id, operation] as const),
)(
  '%s accepts a body of the largest size and returns 413 for one more byte',
  async ([, operation], { service, account }) => {
    const { path, body } = await ready(operation.id, account);
    const send = async (length: number): Promise<Answered> => {
      const bytes = new TextEncoder().encode(JSON.stringify(body).padEnd(length));
      const file = { type: 'application/json', bytes };
      return partsOf(await sendTo(service.baseUrl, operation, { key: account.key, path, file }));
    };
    expect(await send(contract['x-max-body'] + 1)).toMatchObject({ code: 'payload_too_large' });
    expect((await send(contract['x-max-body'])).status).toBeLessThan(300);
  },
);

/** An identifier that cannot exist is like one that does not; everything else is named as a field at fault. */
const refusal = (field: Field, pointer: string): object =>
  field.in === 'path'
    ? { code: 'not_found' }
    : {
        code: 'invalid_request',
        errors: expect.arrayContaining([expect.objectContaining({ in: field.in, pointer })]),
      };
