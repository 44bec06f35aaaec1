import fc from 'fast-check';
import { isTime, siblingOf, time } from './moments.ts';

/** As much of JSON Schema as the requests of the contract are written in. */
export interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  enum?: unknown[];
  anyOf?: Schema[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  'x-after'?: string;
  'x-not-before'?: string;
  'x-max-ahead'?: string;
  'x-max-before-previous'?: string;
}

/** What a request must know of the world beside its schema. */
export interface Known {
  /** Pointer into the schema's values (`/photos/items`) → what to say there; undefined leaves an optional field out. */
  values?: Record<string, fc.Arbitrary<unknown>>;
  /** When the shipment's last event was, in milliseconds since 1970. */
  previous?: number;
}

const annotations = [
  ...['description', 'default', 'example', 'examples', 'x-open-enum', 'x-enumDescriptions'],
  ...['x-transitions', 'x-positions'], // read where requests are fitted to the state of a shipment
];
const known: Record<string, string[]> = {
  object: ['properties', 'required', 'additionalProperties'],
  array: ['items', 'minItems', 'maxItems', 'uniqueItems'],
  string: ['enum', 'format', 'pattern', 'minLength', 'maxLength', 'anyOf'],
  integer: ['minimum', 'maximum'],
  number: ['minimum', 'maximum'],
};
const timeWords = ['x-after', 'x-not-before', 'x-max-ahead', 'x-max-before-previous'];

/** @throws when the schema says what neither valid nor broken values are made from */
export function requireKnown(schema: Schema): void {
  const words = ['type', ...annotations, ...(known[schema.type ?? ''] ?? []), ...(isTime(schema) ? timeWords : [])];
  schema.anyOf?.forEach(requireKnown);
  const strange = Object.keys(schema).find((word) => !words.includes(word));
  const formats = ['text', 'date', 'date-time', undefined];
  if (strange || !schema.type || !known[schema.type] || !formats.includes(schema.format)) {
    const what = strange ?? `${schema.type} in format ${schema.format}`;
    throw new Error(`Teach the fuzzer ${what}: how to keep it in test/fuzz/schema.ts, how to break it in breaks.ts`);
  }
}

/** Values that the schema allows, often at its bounds. @throws for a keyword that is not known here */
export function valid(schema: Schema, given: Known = {}, at = ''): fc.Arbitrary<unknown> {
  requireKnown(schema);
  const own = given.values?.[at];
  if (own) return own;
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (isTime(schema)) return time(schema, given);
  if (schema.type === 'object') return objects(schema, given, at);
  if (schema.type === 'array') return arrays(schema, given, at);
  if (schema.type === 'string') return strings(schema);
  return numbers(schema);
}

type Fields = Record<string, unknown>;

function objects({ properties = {}, required = [] }: Schema, given: Known, at: string): fc.Arbitrary<Fields> {
  const names = Object.keys(properties);
  const [free, related] = [
    names.filter((name) => !siblingOf(properties[name])),
    names.filter((name) => siblingOf(properties[name])),
  ];
  const fields = Object.fromEntries(
    free.map((name) => [name, valid(properties[name] as Schema, given, `${at}/${name}`)]),
  );
  const requiredKeys = free.filter((name) => required.includes(name));
  const whole = fc.record(fields, { requiredKeys, noNullPrototype: true }) as fc.Arbitrary<Fields>;
  return related
    .reduce((object, name) => object.chain((said) => beside(said, name)), whole)
    .map((object) => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)));

  function beside(said: Fields, name: string): fc.Arbitrary<Fields> {
    const schema = properties[name] as Schema;
    requireKnown(schema);
    const value = time(schema, given, said[siblingOf(schema) ?? '']);
    return (required.includes(name) ? value : fc.option(value, { nil: undefined })).map((end) => ({
      ...said,
      [name]: end,
    }));
  }
}

function arrays(
  { items = {}, minItems = 0, maxItems = 0, uniqueItems }: Schema,
  given: Known,
  at: string,
): fc.Arbitrary<unknown[]> {
  const item = valid(items, given, `${at}/items`);
  const make = uniqueItems ? fc.uniqueArray : fc.array;
  const ofLength = (minLength: number, maxLength: number) => make(item, { minLength, maxLength, size: 'max' });
  return fc.oneof(
    { weight: 1, arbitrary: ofLength(minItems, minItems) },
    { weight: 8, arbitrary: ofLength(minItems, Math.min(maxItems, minItems + 3)) },
    { weight: 1, arbitrary: ofLength(maxItems, maxItems) },
  );
}

/** One code point of well-formed text, the odd ones often: what quotes, folds, reverses, joins or is not there. */
export const codePoint: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }).filter((one) => one !== '\0') },
  { weight: 1, arbitrary: fc.constantFrom(...'"\\/\'%&+\t\r\n\u007f\u0085é\u0301\u200d\u202e\u2028\ufeff\uffff🚚👷') },
);

function strings({ pattern, minLength = 0, maxLength = 0 }: Schema): fc.Arbitrary<string> {
  if (pattern) {
    return matching(pattern).filter((text) => text.length <= maxLength);
  }
  const ofLength = (min: number, max: number) =>
    fc.string({ unit: codePoint, minLength: min, maxLength: max, size: 'max' });
  return fc.oneof(
    { weight: 1, arbitrary: ofLength(minLength, minLength) },
    { weight: 8, arbitrary: ofLength(minLength, Math.min(maxLength, minLength + 12)) },
    { weight: 1, arbitrary: ofLength(maxLength, maxLength) },
  );
}

const patterns = new Map<string, fc.Arbitrary<string>>();

function matching(pattern: string): fc.Arbitrary<string> {
  const arbitrary = patterns.get(pattern) ?? fc.stringMatching(new RegExp(pattern, 'u'));
  patterns.set(pattern, arbitrary);
  return arbitrary;
}

function numbers({ type, minimum: min = 0, maximum: max = 0 }: Schema): fc.Arbitrary<number> {
  const bounds = fc.constantFrom(min, max);
  const whole = fc.integer({ min: Math.ceil(min), max: Math.floor(max) });
  return type === 'integer' ? fc.oneof(bounds, whole) : fc.oneof(bounds, whole, fc.double({ min, max, noNaN: true }));
}
