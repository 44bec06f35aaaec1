import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import fc from 'fast-check';
import { at, contractOperations } from '../fixtures/contract/contract.ts';
import { withoutNulls } from './without-nulls.ts';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Members = { [name: string]: Json };
interface Schema {
  $ref?: string;
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  discriminator?: { mapping: Record<string, string> };
  maxLength?: number;
  pattern?: string;
  format?: string;
  'x-extensible-enum'?: string[];
}
interface Contract {
  paths: Record<string, Record<string, { parameters?: object[] }>>;
  components: { schemas: Record<string, Schema> };
}

/** A part of a response, with its schema and the name of its component. */
interface Place {
  name: string | undefined;
  schema: Schema;
  parent: Members;
  key: string;
}

/** What a later service returns for each operation, by the name of the operation in `responses`. */
export interface Growth {
  document: Contract;
  responses: Members;
}

const original = contract as unknown as Contract;

/** The operations that return JSON, with the schema of their response and its examples. */
export const readable = contractOperations.flatMap(({ id, path, method }) => {
  const operation = original.paths[path]?.[method.toLowerCase()] as unknown as {
    responses: Record<
      string,
      { content?: Record<string, { schema: Schema; examples?: Record<string, { $ref: string }> }> }
    >;
  };
  const [, { content = {} } = {}] =
    Object.entries(operation.responses).find(([status]) => status.startsWith('2')) ?? [];
  const { schema, examples = {} } = content['application/json'] ?? {};
  const values = Object.values(examples).map(({ $ref }) => (at($ref) as { value: Json }).value);
  return schema ? [{ id, schema, examples: values }] : [];
});

const componentOf = (ref: string | undefined): string | undefined => ref?.split('/').at(-1);

/** All parts of a value that its schema describes. */
function* places(document: Contract, schema: Schema, parent: Members, key: string): Generator<Place> {
  const value = parent[key] as Json;
  const name = componentOf(schema.$ref);
  const resolved = schema.$ref ? (at(schema.$ref, document) as Schema) : schema;
  const chosen = variantOf(resolved, value);
  if (chosen) return yield* places(document, chosen, parent, key);
  yield { name, schema: resolved, parent, key };
  if (Array.isArray(value)) {
    for (const index of value.keys()) yield* places(document, resolved.items ?? {}, value as never, String(index));
  } else if (typeof value === 'object' && value !== null) {
    for (const [member, its] of Object.entries(resolved.properties ?? {}))
      if (member in value) yield* places(document, its, value, member);
  }
}

function variantOf({ anyOf, discriminator }: Schema, value: Json): Schema | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  if (anyOf) return anyOf.find(({ $ref }) => $ref);
  const $ref = discriminator?.mapping[(value as { type: string }).type];
  return $ref ? { $ref } : undefined;
}

/** Chooses one of these. */
type Choose = <T>(from: readonly T[]) => T;
type Change = (growth: Growth, name: string, choose: Choose) => void;

const anything: Json[] = ['text', 7, 1.5, true, null, [], ['a'], { a: { b: [1, null] } }];
const typed = (value: Json) => ({
  ...(value === null ? { type: ['string', 'null'] } : {}),
  description: 'Of a later version.',
});

function placesOf(growth: Growth): Place[] {
  return readable.flatMap(({ id, schema }) => [...places(growth.document, schema, growth.responses, id)]);
}

const knownEvents = readable
  .filter(({ id }) => id === 'listEvents')
  .flatMap(({ examples }) => examples.flatMap((page) => (page as { data: Members[] }).data));

/** Compatible changes of a contract, with what the service then returns. */
const changes: Record<string, Change> = {
  'a value of an enumeration': (growth, name, choose) => {
    const of = (place: Place) => place.schema['x-extensible-enum'];
    const all = placesOf(growth).filter(of);
    const chosen = choose(all);
    of(chosen)?.push(name);
    for (const { schema, parent, key } of all)
      if (schema === chosen.schema) parent[key] = choose([name, parent[key] as Json]);
  },
  'a field': (growth, name, choose) => {
    const all = placesOf(growth).filter(({ schema }) => schema.properties);
    const { schema } = choose(all);
    const value = choose(anything);
    Object.assign(schema.properties as object, { [name]: typed(value) });
    for (const { parent, key } of all.filter((place) => place.schema === schema))
      (parent[key] as Members)[name] = value;
  },
  'a type of an event': ({ document, responses }, name, choose) => {
    const { schemas } = document.components;
    const events = (responses.listEvents as { data: Members[] }).data;
    const type = `later.${name}`;
    // Most new types are about what the others are about.
    const data = { ...(choose(knownEvents).data as Members), [name]: choose(anything) };
    schemas[name] = {
      type: 'object',
      ...{ required: ['id', 'type', 'created_at', 'data'], description: 'Of a later version.' },
      properties: {
        id: { $ref: '#/components/schemas/EventId' },
        type: { const: type, type: 'string' },
        data: { type: 'object' },
      } as never,
    };
    schemas.EventType?.['x-extensible-enum']?.push(type);
    schemas.Event?.oneOf?.push({ $ref: `#/components/schemas/${name}` });
    Object.assign(schemas.Event?.discriminator?.mapping as object, { [type]: `#/components/schemas/${name}` });
    const event = { id: `evt_${name}`, type, created_at: '2027-01-01T00:00:00.000Z', data };
    events.splice(choose([...events.keys(), events.length]), 0, event);
  },
  'a longer text': (growth, _, choose) => {
    const { schema, parent, key } = choose(
      placesOf(growth).filter(({ schema: { maxLength, pattern, format } }) => maxLength && !pattern && !format),
    );
    schema.maxLength = Number(schema.maxLength) + 100;
    if (typeof parent[key] === 'string') parent[key] = 'é'.repeat(schema.maxLength);
  },
  'a query parameter': ({ document }, name, choose) => {
    const { parameters } = choose(Object.values(document.paths).flatMap(({ get }) => (get?.parameters ? [get] : [])));
    parameters?.push({ name, in: 'query', description: 'Of a later version.', schema: { type: 'string' } });
  },
  'an operation': ({ document }, name) => {
    const responses = { 200: { description: 'Of a later version.' } };
    document.paths[`/${name}`] = { get: { operationId: name, summary: 'Later', responses } as object };
  },
};

/** The contract after so many random compatible changes. */
export const growths = (count: number): fc.Arbitrary<Growth> =>
  fc.gen().map((generate) => {
    const choose: Choose = (from) => generate(fc.constantFrom, ...from);
    const responses = Object.fromEntries(readable.map(({ id, examples }) => [id, choose(examples)]));
    const growth: Growth = structuredClone({ document: original, responses });
    for (let n = 1; n <= count; n += 1) choose(Object.values(changes))(growth, `later${n}`, choose);
    return growth;
  });

/** What a client of the original contract must know of a response: everything but new fields. An unknown event is whole. */
export function knownPart(schema: Schema, value: Json): unknown {
  const resolved = schema.$ref ? (at(schema.$ref) as Schema) : schema;
  const variant = variantOf(resolved, value);
  if (variant) return knownPart(variant, value);
  if (Array.isArray(value)) return value.map((item) => knownPart(resolved.items ?? {}, item));
  if (typeof value !== 'object' || value === null || !resolved.properties) return withoutNulls(value);
  const members = Object.entries(resolved.properties).filter(([name]) => (value[name] ?? null) !== null);
  return Object.fromEntries(members.map(([name, its]) => [name, knownPart(its, value[name] as Json)]));
}

/** The name of the type that a client has for each event, `raw` for one that it does not know. */
export const eventTypes = (responses: Members): string[] =>
  (responses.listEvents as { data: { type: string }[] }).data.map(
    ({ type }) => componentOf(original.components.schemas.Event?.discriminator?.mapping[type]) ?? 'raw',
  );
