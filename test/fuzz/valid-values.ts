import fc from 'fast-check';
import type { Fields, Known, Schema } from './schema.ts';
import { isTime, siblingOf, validTimestamps } from './timestamps.ts';

const annotations = [
  ...['type', 'description', 'default', 'example', 'examples', 'x-open-enum', 'x-enumDescriptions'],
  ...['x-transitions', 'x-positions'], // used by expected.ts
];
const known: Record<string, string[]> = {
  object: ['properties', 'required', 'additionalProperties'],
  array: ['items', 'minItems', 'maxItems', 'uniqueItems'],
  string: ['enum', 'format', 'pattern', 'minLength', 'maxLength', 'anyOf'],
  integer: ['minimum', 'maximum'],
  number: ['minimum', 'maximum'],
};
const timeWords = ['x-after', 'x-not-before', 'x-max-ahead', 'x-max-age', 'x-max-before-previous'];

/** @throws for a keyword that the fuzzer does not know */
export function requireKnown(schema: Schema): void {
  const { type = '', format, anyOf = [] } = schema;
  const words = [...annotations, ...(known[type] ?? []), ...(isTime(schema) ? timeWords : [])];
  const strange = Object.keys(schema).find((word) => !words.includes(word));
  if (strange || !known[type] || !['text', 'date', 'date-time', undefined].includes(format)) {
    const what = strange ?? `${type} in format ${format}`;
    throw new Error(`Add ${what} to test/fuzz: valid values to valid-values.ts, invalid ones to breaks.ts`);
  }
  anyOf.forEach(requireKnown);
}

/** Values that the schema allows, often at its bounds. @throws for an unknown keyword */
export function valid(schema: Schema, given: Known = {}, at = ''): fc.Arbitrary<unknown> {
  requireKnown(schema);
  const own = given.values?.[at];
  if (own) return own;
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (isTime(schema)) return validTimestamps(schema, given);
  if (schema.type === 'object') return objects(schema, given, at);
  if (schema.type === 'array') return arrays(schema, given, at);
  return schema.type === 'string' ? strings(schema) : numbers(schema);
}

/** A field that is compared with a sibling is made after it. */
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
        object.chain((fields) => {
          const value = validTimestamps(schema, given, fields[siblingOf(schema) ?? '']);
          const some = required.includes(name) ? value : fc.option(value, { nil: undefined });
          return some.map((one) => ({ ...fields, [name]: one }));
        }),
      whole,
    )
    .map(present);
}

/** Without undefined fields. */
export const present = (object: Fields): Fields =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));

/** Mostly short values, sometimes the shortest or longest. */
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

/** One code point of well-formed text, often one that quotes, folds, reverses or joins. */
export const codePoint: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }).filter((one) => one !== '\0') },
  { weight: 1, arbitrary: fc.constantFrom(...'"\\/\'%&+\t\r\n\u007f\u0085é\u0301\u200d\u202e\u2028\ufeff\uffff🚚👷') },
);

/** A cache, because fast-check takes milliseconds to make an arbitrary and each request has several. */
const made = new Map<string, fc.Arbitrary<string>>();

function once(key: string, make: () => fc.Arbitrary<string>): fc.Arbitrary<string> {
  const known = made.get(key) ?? make();
  made.set(key, known);
  return known;
}

/** Text of so many code points. */
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
