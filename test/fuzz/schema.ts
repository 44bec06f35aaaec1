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
  'x-max-age'?: string;
  'x-max-before-previous'?: string;
}

/** What a request must know of the world beside its schema. */
export interface Known {
  /** Pointer into the schema's values (`/photos/items`) → what to say there; undefined leaves an optional field out. */
  values?: Record<string, fc.Arbitrary<unknown>>;
  /** When the shipment's last event was, in milliseconds since 1970. */
  previous?: number;
}

export type Fields = Record<string, unknown>;

const annotations = [
  ...['type', 'description', 'default', 'example', 'examples', 'x-open-enum', 'x-enumDescriptions'],
  ...['x-transitions', 'x-positions'], // read where requests are fitted to the state of a shipment
];
const known: Record<string, string[]> = {
  object: ['properties', 'required', 'additionalProperties'],
  array: ['items', 'minItems', 'maxItems', 'uniqueItems'],
  string: ['enum', 'format', 'pattern', 'minLength', 'maxLength', 'anyOf'],
  integer: ['minimum', 'maximum'],
  number: ['minimum', 'maximum'],
};
const timeWords = ['x-after', 'x-not-before', 'x-max-ahead', 'x-max-age', 'x-max-before-previous'];

/** @throws when the schema says what neither valid nor broken values are made from */
export function requireKnown(schema: Schema): void {
  const { type = '', format, anyOf = [] } = schema;
  const words = [...annotations, ...(known[type] ?? []), ...(isTime(schema) ? timeWords : [])];
  const strange = Object.keys(schema).find((word) => !words.includes(word));
  if (strange || !known[type] || !['text', 'date', 'date-time', undefined].includes(format)) {
    const what = strange ?? `${type} in format ${format}`;
    throw new Error(`Teach the fuzzer ${what}: how to keep it in test/fuzz/schema.ts, how to break it in breaks.ts`);
  }
  anyOf.forEach(requireKnown);
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
  return schema.type === 'string' ? strings(schema) : numbers(schema);
}

/** Fields that are compared with one beside them are made after it. */
function objects({ properties = {}, required = [] }: Schema, given: Known, at: string): fc.Arbitrary<Fields> {
  const [related = [], free = []] = [true, false].map((is) =>
    Object.entries(properties).filter(([, schema]) => (siblingOf(schema) !== undefined) === is),
  );
  const fields = Object.fromEntries(free.map(([name, schema]) => [name, valid(schema, given, `${at}/${name}`)]));
  const requiredKeys = required.filter((name) => name in fields);
  const whole = fc.record(fields, { requiredKeys, noNullPrototype: true }) as fc.Arbitrary<Fields>;
  return related
    .reduce(
      (object, [name, schema]) =>
        object.chain((said) => {
          const value = time(schema, given, said[siblingOf(schema) ?? '']);
          const some = required.includes(name) ? value : fc.option(value, { nil: undefined });
          return some.map((one) => ({ ...said, [name]: one }));
        }),
      whole,
    )
    .map(present);
}

/** Without fields that are only named. */
export const present = (object: Fields): Fields =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));

/** Mostly some few of what has a length, now and then as few or as many as may be. */
function ofSizes<T>(min: number, max: number, few: number, make: (min: number, max: number) => fc.Arbitrary<T>) {
  return fc.oneof(
    { weight: 1, arbitrary: make(min, min) },
    { weight: 8, arbitrary: make(min, Math.min(max, min + few)) },
    { weight: 1, arbitrary: make(max, max) },
  );
}

function arrays({ items = {}, minItems = 0, maxItems = 0, uniqueItems }: Schema, given: Known, at: string) {
  const item = valid(items, given, `${at}/items`);
  const make = uniqueItems ? fc.uniqueArray : fc.array;
  return ofSizes(minItems, maxItems, 3, (minLength, maxLength) => make(item, { minLength, maxLength, size: 'max' }));
}

/** One code point of well-formed text, the odd ones often: what quotes, folds, reverses, joins or is not there. */
export const codePoint: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }).filter((one) => one !== '\0') },
  { weight: 1, arbitrary: fc.constantFrom(...'"\\/\'%&+\t\r\n\u007f\u0085é\u0301\u200d\u202e\u2028\ufeff\uffff🚚👷') },
);

/** fast-check takes milliseconds to make one, and each request has several. */
const made = new Map<string, fc.Arbitrary<string>>();

function once(key: string, make: () => fc.Arbitrary<string>): fc.Arbitrary<string> {
  const known = made.get(key) ?? make();
  made.set(key, known);
  return known;
}

/** Text of that many code points. */
export function textOf(minLength: number, maxLength: number, unit = codePoint): fc.Arbitrary<string> {
  const make = () => fc.string({ unit, minLength, maxLength, size: 'max' });
  return unit === codePoint ? once(`text ${minLength} ${maxLength}`, make) : make();
}

const strings = ({ pattern, minLength = 0, maxLength = 0 }: Schema): fc.Arbitrary<string> =>
  once(`strings ${minLength} ${maxLength} ${pattern}`, () => newStrings(pattern, minLength, maxLength));

function newStrings(pattern: string | undefined, minLength: number, maxLength: number): fc.Arbitrary<string> {
  if (!pattern) return ofSizes(minLength, maxLength, 12, (min, max) => textOf(min, max));
  return fc.stringMatching(new RegExp(pattern, 'u')).filter((text) => text.length <= maxLength);
}

function numbers({ type, minimum: min = 0, maximum: max = 0 }: Schema): fc.Arbitrary<number> {
  const whole = fc.oneof(fc.constantFrom(min, max), fc.integer({ min: Math.ceil(min), max: Math.floor(max) }));
  return type === 'integer' ? whole : fc.oneof(whole, fc.double({ min, max, noNaN: true }));
}
