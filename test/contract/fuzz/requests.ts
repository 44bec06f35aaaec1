import { fieldErrorCodes } from '@waybill/contract/field-error-codes';
import fc from 'fast-check';
import { expect } from 'vitest';
import { violations } from '../../fixtures/contract/ajv.ts';
import { type OperationId, operationOf, type Schema, successOf } from '../../fixtures/contract/contract.ts';
import { type Problem, type Received, receive, type Sent, send } from '../../fixtures/requests/send.ts';
import { type Draw, type Given, until } from './given.ts';
import { broken } from './invalid-values.ts';
import type { Prepared } from './prepare.ts';
import { recentTimestamp } from './timestamps.ts';
import { type Fields, valid } from './valid-values.ts';

type Place = 'path' | 'query' | 'headers' | 'body';

/** Fields that the service requires of a proof that is not unattended, and of an access without a kind. */
const alsoRequired: Partial<Record<OperationId, string[]>> = {
  submitProofOfDelivery: ['signed_by', 'signature'],
  createAccess: ['scopes'],
};

/** The parts of an operation's request as schemas; parameters become an object. */
export function schemasOf(id: OperationId): Record<Place, Schema> {
  const { parameters, bodySchema = {} } = operationOf(id);
  const objectOf = (place: string): Schema => {
    const some = parameters.filter((parameter) => parameter.in === place);
    const properties = Object.fromEntries(some.map(({ name, schema }) => [name, schema]));
    return { type: 'object', properties, required: some.flatMap(({ name, required }) => (required ? [name] : [])) };
  };
  return {
    path: objectOf('path'),
    query: { ...objectOf('query'), additionalProperties: false },
    headers: objectOf('header'),
    body: { ...bodySchema, required: [...(bodySchema.required ?? []), ...(alsoRequired[id] ?? [])] },
  };
}

/** A request before it is sent. A list in the query is a repeated parameter, of an array it is one with commas. */
export interface Made extends Record<Exclude<Place, 'body'>, Fields> {
  operation: OperationId;
  body?: unknown;
  file: Sent['file'];
}

function givenOf(id: OperationId, prepared: Prepared, given: Given): Record<Place, Given> {
  const { draw, nth } = given;
  const { headers, body } = schemasOf(id);
  const some = (list: unknown[]) => (nth === undefined ? draw(fc.subarray(list)) : nth % 2 ? list : []);
  const fixed = (fields: Fields) =>
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [`/${name}`, () => (Array.isArray(value) ? some(value) : value)]),
    );
  // HTTP carries only trimmed values of headers unchanged.
  const header = (schema: Schema) => () =>
    until(
      () => (valid(schema, given) as string).replace(/\s/g, ' ').trim(),
      (text) => new RegExp(schema.pattern ?? '').test(text),
    );
  const headerValues = Object.entries(headers.properties ?? {}).map(
    ([name, one]) => [`/${name}`, header(one)] as const,
  );
  // A position must not be older than the retention time.
  const { positions } = body.properties ?? {};
  const { updated_at = {} } = positions?.items?.properties ?? {};
  const recent = positions && { '/positions/items/updated_at': () => recentTimestamp(updated_at, given) };
  const isCarried = {
    path: (text: string) => !['', '.', '..'].includes(text) && text.isWellFormed(), // a URL resolves dots
    query: () => true,
    headers: (text: string) => /^[\t -~\x80-\xff]*$/.test(text) && text.trim() === text,
  };
  return {
    path: { draw, values: fixed(prepared.path), carries: isCarried.path },
    query: { ...given, values: fixed({ cursor: undefined, wait: 0 }), carries: isCarried.query }, // test/events waits
    headers: { ...given, values: Object.fromEntries(headerValues), carries: isCarried.headers },
    body: { ...given, values: { ...fixed(prepared.body), ...recent } },
  };
}

export function validRequest(id: OperationId, prepared: Prepared, given: Given): Made {
  const [schemas, all] = [schemasOf(id), givenOf(id, prepared, given)];
  const part = (place: Place) => valid(schemas[place], all[place]) as Fields;
  const query = part('query');
  if (id === 'listShipments') deleteOthers(query);
  const body = operationOf(id).bodySchema && withFreight(part('body'));
  // The shipment is in the US, which requires both.
  for (const name of id === 'updateShipment' ? ['origin', 'destination'] : []) {
    const address = body?.[name] as Fields | undefined;
    for (const field of ['state', 'zip']) if (address?.[field] === null) delete address[field];
  }
  return { operation: id, path: part('path'), query, headers: part('headers'), body, file: prepared.file };
}

/** Filters of which the service accepts one line, with one of the first four no dates, and with the first nothing else. */
const alternatives = [
  ...[['pickup_before'], ['updated_since'], ['pickup_from', 'pickup_to'], ['delivery_from', 'delivery_to']],
  ...[['has_exception'], ['carrier_scac'], ['destination_city']],
];

function deleteOthers(query: Fields): void {
  const used = alternatives.findIndex((names) => names.some((name) => name in query));
  const others = alternatives.toSpliced(used, 1).flat();
  if (used < 4) others.push('from_date', 'to_date');
  if (used === 0) others.push('status', 'reference', 'tracking_number');
  if (used >= 0) for (const name of others) delete query[name];
}

/** With what no schema says: sizes have a unit, and a temperature has a bound, or two in their order. */
function withFreight({ items, temperature, ...body }: Fields): Fields {
  const measured = (items as Fields[] | null | undefined)?.map((item) => {
    const isMeasured = ['length', 'width', 'height'].some((name) => name in item);
    return isMeasured ? { dimension_unit: 'in', ...item } : item;
  });
  const { min, max, ...unit } = (temperature ?? {}) as Fields;
  const bounds = [min, max].filter((bound) => typeof bound === 'number').sort((a, b) => a - b);
  const [low = 0, high = low] = bounds;
  return {
    ...body,
    ...(items !== undefined && { items: measured ?? null }),
    ...(temperature !== undefined && { temperature: temperature && { ...unit, min: low, max: high } }),
  };
}

function sentOf({ operation, path, query, headers, body, file }: Made, key: string): Sent {
  const isOneList = (name: string, value: unknown): boolean =>
    schemasOf(operation).query.properties?.[name]?.type === 'array' && !Array.isArray([value].flat()[0]);
  const values = Object.entries(query).flatMap(([name, value]) =>
    (isOneList(name, value) ? [value] : [value].flat()).map((one) => [name, String(one)]),
  );
  const isSigned = operationOf(operation).scope === null;
  const texts = { path, headers } as Record<'path' | 'headers', Record<string, string>>;
  return { key: isSigned ? undefined : key, ...texts, query: new URLSearchParams(values).toString(), body, file };
}

/** The response that the contract requires: the status and the members of a problem. */
export interface Expected {
  status: number;
  code?: Problem['code'];
  field?: { in: Place; pointer: string; code: string | undefined };
}

export interface Invalid {
  made: Made;
  expected: Expected;
}

/** Makes a valid request invalid in every way, each time in one place. */
export function* invalidRequests(id: OperationId, prepared: Prepared, draw: Draw): Generator<Invalid> {
  const given: Given = { draw, isComplete: true };
  const made = validRequest(id, prepared, given);
  const [schemas, all] = [schemasOf(id), givenOf(id, prepared, given)];
  const refused = (place: Place, pointer: string, keyword: string): Expected => {
    if (place === 'path') return { status: 404, code: 'not_found' };
    const field = { in: place, pointer, code: fieldErrorCodes[keyword] };
    return { status: 400, code: 'invalid_request', field };
  };
  for (const place of ['path', 'query', 'headers', 'body'] as const) {
    if (made[place] === undefined) continue;
    const complete = valid(schemas[place], all[place]);
    for (const { keyword, pointer, value } of broken(schemas[place], complete, all[place])) {
      if (place === 'path' && keyword === 'required') continue; // that is another path
      const named = place === 'headers' ? pointer.toLowerCase() : pointer;
      yield { made: { ...made, [place]: value }, expected: refused(place, named, keyword) };
    }
  }
  for (const name of Object.keys(schemas.query.properties ?? {})) {
    const repeated = { ...made.query, [name]: Array(2).fill(made.query[name] ?? ['a']) };
    yield { made: { ...made, query: repeated }, expected: refused('query', `/${name}`, 'type') };
  }
}

/** Sends a request and checks the response. @param seed that the report of a failure names */
export async function perform(
  { baseUrl, key }: { baseUrl: string; key: string },
  made: Made,
  { status, code, field }: Expected,
  seed: number,
): Promise<Received & { sent: Sent }> {
  const operation = operationOf(made.operation);
  const sent = sentOf(made, key);
  const received = await receive(await send(baseUrl, operation, sent));
  const { file: _, ...request } = sent;
  const response = JSON.stringify(received.body)?.slice(0, 3000);
  const report = `WAYBILL_SEED=${seed} ${made.operation} ${JSON.stringify(request).slice(0, 3000)}\n→ ${response}`;
  expect(violations(operation, received), report).toEqual([]);
  expect([received.status, received.code], report).toEqual([status, code]);
  if (!field) return { ...received, sent };
  const { errors = [] } = received.body as Problem;
  for (const error of errors) {
    expect(error, report).toMatchObject({ in: field.in, pointer: field.pointer });
  }
  expect(errors, report).toContainEqual(expect.objectContaining({ code: field.code }));
  return { ...received, sent };
}

/** The response to a valid request, whose events, versions and ETags are random. */
export function expectedOf({ operation, query, headers }: Made): Expected {
  if ((headers['Last-Event-ID'] ?? query.after) !== undefined) return { status: 410, code: 'events_expired' };
  if ((headers['If-Match'] ?? '*') !== '*') return { status: 412, code: 'precondition_failed' };
  if (headers['If-None-Match'] === '*') return { status: 304 };
  return { status: Number(successOf(operationOf(operation))) };
}
