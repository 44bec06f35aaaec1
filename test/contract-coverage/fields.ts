import type { ContractOperation } from '../fixtures/contract.ts';

/** A JSON schema of the contract, without references. */
export interface Schema extends Record<string, unknown> {
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
}

/** A field of a request. */
export interface Field {
  in: 'path' | 'query' | 'headers' | 'body';
  /** JSON pointer into that part; it names the first item of an array. */
  pointer: string;
  schema: Schema;
  example?: unknown;
}

/** Every parameter, and every field of the body at every depth. */
export function fieldsOf({ parameters, bodySchema }: ContractOperation): Field[] {
  return [
    ...parameters.map(({ name, in: part, schema, example }): Field => {
      // The service reports header names in lower case.
      if (part === 'header') return { in: 'headers', pointer: `/${name.toLowerCase()}`, schema, example };
      return { in: part as 'path' | 'query', pointer: `/${name}`, schema, example };
    }),
    ...(bodySchema ? within('', bodySchema) : []),
  ];
}

function within(pointer: string, schema: Schema): Field[] {
  const { properties = {}, items } = schema;
  return [
    { in: 'body', pointer, schema },
    ...Object.entries(properties).flatMap(([name, property]) => within(`${pointer}/${name}`, property)),
    ...(items ? within(`${pointer}/0`, items) : []),
  ];
}

const steps = (pointer: string): string[] => pointer.split('/').slice(1);

/** The value at a pointer. */
export const valueAt = (root: unknown, pointer: string): unknown =>
  steps(pointer).reduce((node, step) => (node as Record<string, unknown> | undefined)?.[step], root);

/** A copy with another value at a pointer; `undefined` removes the field. */
export function withValue(root: unknown, pointer: string, value: unknown): unknown {
  if (pointer === '') return value;
  const copy = structuredClone(root);
  const parent = valueAt(copy, pointer.slice(0, pointer.lastIndexOf('/'))) as Record<string, unknown>;
  parent[steps(pointer).at(-1) ?? ''] = value;
  return copy;
}

/** Any valid value, with all optional fields. */
export function sampleOf({ type, properties = {}, items, format }: Schema): unknown {
  if (type === 'object') {
    return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, sampleOf(schema)]));
  }
  if (type === 'array') return items ? [sampleOf(items)] : [];
  if (type === 'number' || type === 'integer') return 1;
  return format === 'date-time' ? new Date().toISOString() : 'Text';
}

/** The value with all optional fields added, at every depth. */
export function completed(schema: Schema, value: unknown): unknown {
  if (value === undefined) return sampleOf(schema);
  if (schema.type === 'array' && schema.items && Array.isArray(value)) {
    const { items } = schema;
    return value.map((item) => completed(items, item));
  }
  if (schema.type !== 'object') return value;
  const own = value as Record<string, unknown>;
  const entries = Object.entries(schema.properties ?? {});
  return Object.fromEntries(entries.map(([name, property]) => [name, completed(property, own[name])]));
}
