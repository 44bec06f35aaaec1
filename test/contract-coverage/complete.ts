import type { Schema } from '../fixtures/contract.ts';

/** Any valid value, with all optional fields. */
function sampleOf({ type, properties = {}, items, format }: Schema): unknown {
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
