import fc from 'fast-check';
import { contractOperations, type OperationId, operationOf, type Schema } from '../fixtures/contract.ts';
import type { Sent } from '../fixtures/http.ts';
import { inAnHour } from '../fixtures/requests.ts';
import type { Environment, Shipment } from './environment.ts';
import { type Given, until } from './given.ts';
import { recentTimestamp } from './timestamps.ts';
import { valid } from './valid-values.ts';

/** A part of an operation's request as one schema; parameters become an object. */
export interface Part {
  operation: OperationId;
  in: 'path' | 'query' | 'headers' | 'body';
  schema: Schema;
}

/** Fields that the service requires of a proof that is not unattended, and of an access without a kind. */
const alsoRequired: Partial<Record<OperationId, string[]>> = {
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

export const schemaOf = (id: OperationId, place: Part['in']): Schema =>
  contractParts.find((part) => part.operation === id && part.in === place)?.schema ?? {};

/** The parts of a request, before it is sent. */
export interface Parts {
  path: Record<string, string>;
  /** A list is a repeated parameter. */
  query: Record<string, unknown>;
  headers: Record<string, string>;
  body?: unknown;
}

/** Fixed values of a request, and the file that it uploads. */
export interface Fixed {
  path?: Record<string, unknown>;
  body?: Record<string, unknown>;
  file?: Sent['file'];
}

/** A request, and what it was made from. */
export interface Made {
  operation: OperationId;
  parts: Parts;
  given: Record<Part['in'], Given>;
  file: Sent['file'];
}

/** A request that the schemas allow, about a shipment if there is one. */
export function validRequest(environment: Environment, id: OperationId, shipment?: Shipment, fixed: Fixed = {}): Made {
  const { draw, nth, shipments } = environment;
  const { id: shipment_id, tracking_number, previous } = shipment ?? {};
  const references = shipments.map(({ reference }) => reference);
  const isKnown = shipments.length > 0 && nth === undefined && draw(fc.boolean());
  const given: Made['given'] = {
    path: { draw, values: constants({ ...(shipment && { shipment_id, tracking_number }), ...fixed.path }) },
    query: {
      ...{ draw, nth },
      values: {
        ...constants({ cursor: undefined, wait: 0 }), // test/events waits
        ...(isKnown && { '/reference': () => draw(fc.constantFrom(...references)) }),
      },
    },
    headers: { draw, nth, values: headerValues(environment, schemaOf(id, 'headers')) },
    body: {
      draw,
      nth,
      previous,
      values: {
        ...constants({ unattended: undefined, ...(id === 'createAccess' && newAccess(draw)), ...fixed.body }),
        ...positionTimes(environment),
      },
    },
  };
  const part = (place: Part['in']) => valid(schemaOf(id, place), given[place]) as Record<string, string>;
  const parts: Parts = {
    ...{ path: part('path'), query: part('query'), headers: part('headers') },
    ...(operationOf(id).bodySchema && { body: part('body') }),
  };
  // The service refuses the combination.
  if ('updated_since' in parts.query)
    for (const name of ['from_date', 'to_date', 'has_exception']) delete parts.query[name];
  const { photos } = (parts.body ?? {}) as { photos?: unknown[] };
  const isUnattended = id === 'submitProofOfDelivery' && photos && photos.length > 0 && draw(fc.boolean());
  if (isUnattended) parts.body = unattended(parts.body as Record<string, unknown>);
  environment.keys.add(parts.headers['Idempotency-Key'] ?? '');
  return { operation: id, parts, given, file: fixed.file };
}

/** An access that ends in the future, without a kind: test/access has the kinds, which limit the scopes. */
const newAccess = (draw: Environment['draw']) => ({
  kind: undefined,
  expires_at: draw(fc.constantFrom(undefined, inAnHour())),
});

/** A proof with photos, unattended in place of signed. */
const unattended = ({ signed_by: _, signature: __, ...proof }: Record<string, unknown>): object => ({
  ...proof,
  unattended: true,
});

const constants = (values: Record<string, unknown>): Given['values'] & object =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`/${name}`, () => value]));

/** A position, and an exception with a location, must not be older than the retention time. */
function positionTimes({ draw, nth }: Environment): Given['values'] & object {
  const { updated_at = {} } = schemaOf('recordPositions', 'body').properties?.positions?.items?.properties ?? {};
  const { occurred_at = {} } = schemaOf('raiseException', 'body').properties ?? {};
  return {
    '/positions/items/updated_at': () => recentTimestamp(updated_at, { draw, nth }),
    '/occurred_at': () => recentTimestamp(occurred_at, { draw, nth }),
  };
}

/** Header values that HTTP carries unchanged: trimmed. Idempotency keys are new. */
function headerValues({ draw, nth, keys }: Environment, { properties = {} }: Schema): Given['values'] & object {
  const carried = (schema: Schema): string =>
    until(
      () => (valid(schema, { draw, nth }) as string).replace(/\s/g, ' ').trim(),
      (text) => new RegExp(schema.pattern ?? '').test(text) && !keys.has(text),
    );
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [`/${name}`, () => carried(schema)]));
}
