import fc from 'fast-check';
import { expect } from 'vitest';
import { violations } from '../../fixtures/ajv.ts';
import { contractOperations, type OperationId, operationOf, type Schema } from '../../fixtures/contract.ts';
import { type Problem, type Received, receive, type Sent, send } from '../../fixtures/http.ts';
import { prismRequestViolations, prismViolations } from '../../fixtures/prism.ts';
import { type Given, until } from './given.ts';
import type { Prepared } from './prepare.ts';
import { recentTimestamp } from './timestamps.ts';
import { valid } from './valid-values.ts';

/** A part of an operation's request as one schema; parameters become an object. */
export interface Part {
  operation: OperationId;
  in: 'path' | 'query' | 'headers' | 'body';
  schema: Schema;
}

/** Fields that the service requires of a proof that is not unattended, and of an access without a kind. */
export const alsoRequired: Partial<Record<OperationId, string[]>> = {
  submitProofOfDelivery: ['signed_by', 'signature'],
  createAccess: ['scopes'],
};
const withRequired = (id: OperationId, schema: Schema): Schema => ({
  ...schema,
  required: [...(schema.required ?? []), ...(alsoRequired[id] ?? [])],
});

/** All parts of all operations. Every operation has a query, which may accept no parameter. */
export const contractParts: Part[] = contractOperations.flatMap(({ id, parameters, bodySchema }): Part[] => {
  const objectOf = (place: string): Schema => {
    const some = parameters.filter((parameter) => parameter.in === place);
    return {
      type: 'object',
      properties: Object.fromEntries(some.map(({ name, schema }) => [name, schema])),
      required: some.flatMap(({ name, required }) => (required ? [name] : [])),
    };
  };
  return [
    { operation: id, in: 'path', schema: objectOf('path') },
    { operation: id, in: 'query', schema: { ...objectOf('query'), additionalProperties: false } },
    { operation: id, in: 'headers', schema: objectOf('header') },
    ...(bodySchema ? [{ operation: id, in: 'body', schema: withRequired(id, bodySchema) } as const] : []),
  ];
});

const schemaOf = (id: OperationId, place: Part['in']): Schema =>
  contractParts.find((part) => part.operation === id && part.in === place)?.schema ?? {};

/** A request, and what it was made from. */
export interface Made {
  operation: OperationId;
  path: Record<string, string>;
  /** A list is a repeated parameter. */
  query: Record<string, unknown>;
  headers: Record<string, string>;
  body?: unknown;
  file: Sent['file'];
  given: Record<Part['in'], Given>;
}

/** A request that the schemas allow. */
export function validRequest(id: OperationId, prepared: Prepared, { draw, nth }: Pick<Given, 'draw' | 'nth'>): Made {
  const some = (list: unknown[]) => (nth === undefined ? draw(fc.subarray(list)) : nth % 2 ? list : []);
  const fixed = (values: Record<string, unknown>): Given['values'] & object =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [`/${name}`, () => (Array.isArray(value) ? some(value) : value)]),
    );
  const given: Made['given'] = {
    path: { draw, values: fixed(prepared.path) },
    query: { draw, nth, values: fixed({ cursor: undefined, wait: 0 }) }, // test/events waits
    headers: { draw, nth, values: headerValues({ draw, nth }, schemaOf(id, 'headers')) },
    body: {
      draw,
      nth,
      previous: prepared.previous,
      values: { ...fixed(prepared.body), ...positionTimes({ draw, nth }) },
    },
  };
  const part = (place: Part['in']) => valid(schemaOf(id, place), given[place]) as Record<string, string>;
  const query: Made['query'] = part('query');
  // The service refuses these combinations.
  const others = ['from_date', 'to_date', 'has_exception'];
  if ('updated_since' in query) for (const name of [...others, 'pickup_before']) delete query[name];
  if ('pickup_before' in query)
    for (const name of [...others, 'status', 'reference', 'tracking_number']) delete query[name];
  return {
    operation: id,
    path: part('path'),
    query,
    headers: part('headers'),
    file: prepared.file,
    given,
    ...(operationOf(id).bodySchema && { body: part('body') }),
  };
}

/** A position, and an exception with a location, must not be older than the retention time. */
function positionTimes(given: Given): Given['values'] & object {
  const { updated_at = {} } = schemaOf('recordPositions', 'body').properties?.positions?.items?.properties ?? {};
  const { occurred_at = {} } = schemaOf('raiseException', 'body').properties ?? {};
  return {
    '/positions/items/updated_at': () => recentTimestamp(updated_at, given),
    '/occurred_at': () => recentTimestamp(occurred_at, given),
  };
}

/** Header values that HTTP carries unchanged: trimmed. */
function headerValues(given: Given, { properties = {} }: Schema): Given['values'] & object {
  const carried = (schema: Schema): string =>
    until(
      () => (valid(schema, given) as string).replace(/\s/g, ' ').trim(),
      (text) => new RegExp(schema.pattern ?? '').test(text),
    );
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [`/${name}`, () => carried(schema)]));
}

/** A request as it is sent. */
function sentOf({ operation, path, query, headers, body, file }: Made, key: string): Sent {
  const values = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  );
  const isSigned = operationOf(operation).scope === null;
  return { key: isSigned ? undefined : key, path, query: new URLSearchParams(values).toString(), headers, body, file };
}

/** The response that the contract requires: the status and the members of a problem. */
export interface Expected {
  status: number;
  code?: Problem['code'];
  /** Where and how the request is invalid. */
  field?: { in: Part['in']; pointer: string; code: string };
}

/**
 * Sends a request and checks the response against the contract and the expected one.
 * @param seed that the report of a failure names
 */
export async function perform(
  { baseUrl, key }: { baseUrl: string; key: string },
  made: Made,
  { status, code, field }: Expected,
  seed: number,
): Promise<Received> {
  const operation = operationOf(made.operation);
  const sent = sentOf(made, key);
  const received = await receive(await send(baseUrl, operation, sent));
  const { path, query, headers, body } = sent;
  const request = `${made.operation} ${JSON.stringify({ path, query, headers, body }).slice(0, 3000)}`;
  const response = JSON.stringify(received.body)?.slice(0, 3000);
  const report = `WAYBILL_SEED=${seed} ${request}\n→ ${received.status} ${response}`;
  expect(violations(operation, received), report).toEqual([]);
  expect([received.status, received.code], report).toEqual([status, code]);
  if (!field) return received;
  const { errors = [] } = received.body as Problem;
  // Details are for people: no regular expressions, durations in ISO 8601 or words of JSON Schema.
  for (const { detail } of errors) {
    expect(detail, report).not.toMatch(/\bpattern\b|\^|PT\d|NOT|[<>]=|undefined|constant/);
  }
  const places = errors.map((error) => `${error.in} ${error.pointer}`);
  expect([...new Set(places)], report).toEqual([`${field.in} ${field.pointer}`]);
  expect(
    errors.map(({ code }) => code),
    report,
  ).toContain(field.code);
  return received;
}

/** The response to a valid request, whose events, versions and ETags are random. */
function expectedOf({ operation, query, headers }: Made): Expected {
  if ((headers['Last-Event-ID'] ?? query.after) !== undefined) return { status: 410, code: 'events_expired' };
  if ((headers['If-Match'] ?? '*') !== '*') return { status: 412, code: 'precondition_failed' };
  if (headers['If-None-Match'] === '*') return { status: 304 };
  return { status: Number(Object.keys(operationOf(operation).responses).find((status) => status.startsWith('2'))) };
}

/** Sends a valid request, which Prism must accept, too. */
export async function performValid(to: Parameters<typeof perform>[0], made: Made, seed: number): Promise<Received> {
  const operation = operationOf(made.operation);
  const received = await perform(to, made, expectedOf(made), seed);
  expect(prismRequestViolations(operation, sentOf(made, to.key))).toEqual([]);
  expect(prismViolations(operation, received)).toEqual([]);
  return received;
}
