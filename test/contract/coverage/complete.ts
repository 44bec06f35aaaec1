import fc from 'fast-check';
import type { Schema } from '../../fixtures/contract/contract.ts';

/** Any valid value, with all optional fields. */
function sampleOf({ type: types, properties = {}, items, format, pattern, enum: values }: Schema): unknown {
  if (values) return values[0];
  const [type] = [types].flat();
  if (type === 'object') {
    return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, sampleOf(schema)]));
  }
  if (type === 'array') return items ? [sampleOf(items)] : [];
  if (type === 'boolean') return true;
  if (type === 'number' || type === 'integer') return 1;
  if (format === 'date-time') return new Date().toISOString();
  return pattern && !new RegExp(pattern, 'u').test('Text')
    ? fc.sample(fc.stringMatching(new RegExp(pattern, 'u')), 1)[0]
    : 'Text';
}

/** Adds all optional fields to a value, at every depth. A present text, number or boolean is returned unchanged. */
export function completed(schema: Schema, value: unknown): unknown {
  if (value === undefined) return sampleOf(schema);
  const { type, items, properties = {} } = schema;
  if (type === 'array' && items) return (value as unknown[]).map((item) => completed(items, item));
  if (type === 'object') {
    const fields = value as Record<string, unknown>;
    return Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, completed(property, fields[name])]),
    );
  }
  return value;
}
