import fc from 'fast-check';
import type { Schema } from '../../fixtures/contract.ts';
import { type Draw, type Given, until } from './given.ts';
import { isTime, siblingOf, validTimestamp } from './timestamps.ts';

export type Fields = Record<string, unknown>;

const annotations = [
  ...['type', 'description', 'default', 'example', 'examples', 'x-extensible-enum', 'x-enumDescriptions'],
  ...['x-transitions', 'x-exceptions', 'x-changes'], // used by expected.ts
];
const known: Record<string, string[]> = {
  object: ['properties', 'required', 'additionalProperties'],
  array: ['items', 'minItems', 'maxItems', 'uniqueItems'],
  string: ['enum', 'format', 'pattern', 'minLength', 'maxLength', 'anyOf'],
  integer: ['format', 'minimum', 'maximum'],
  number: ['minimum', 'maximum'],
  boolean: ['enum'],
};

/** The type of a value that is not null. */
export const typeOf = ({ type = '' }: Schema): string => [type].flat()[0] ?? '';
export const isNullable = ({ type = '' }: Schema): boolean => [type].flat().includes('null');

/** The schema without null. */
export const notNull = (schema: Schema): Schema => ({ ...schema, type: typeOf(schema) });

/** @throws for a keyword that the fuzzer does not know */
export function requireKnown(schema: Schema): void {
  const { format, anyOf = [] } = schema;
  const type = typeOf(schema);
  const words = [...annotations, ...(known[type] ?? []), ...(isTime(schema) ? ['x-time'] : [])];
  const unknown = Object.keys(schema).find((word) => !words.includes(word));
  if (unknown || !known[type] || !['date', 'date-time', 'int32', undefined].includes(format)) {
    const what = unknown ?? `${type} in format ${format}`;
    throw new Error(
      `Add ${what} to test/contract/fuzz: valid values to valid-values.ts, invalid ones to invalid-values.ts`,
    );
  }
  anyOf.forEach(requireKnown);
}

/** A value that the schema allows. @throws for an unknown keyword */
export function valid(schema: Schema, given: Given, at = ''): unknown {
  requireKnown(schema);
  const own = given.values?.[at];
  if (own) return own();
  const { enum: allowed } = schema;
  const type = typeOf(schema);
  const { draw, nth } = given;
  if (isNullable(schema) && nth === undefined && draw(fc.boolean())) return null;
  if (allowed) return nth === undefined ? draw(fc.constantFrom(...allowed)) : allowed[nth % allowed.length];
  if (type === 'boolean') return nth === undefined ? draw(fc.boolean()) : nth % 2 === 1;
  if (isTime(schema)) return validTimestamp(schema, given);
  if (type === 'object') return validObject(schema, given, at);
  if (type === 'array') return validArray(schema, given, at);
  return type === 'string' ? validText(schema, given) : validNumber(schema, given);
}

function validObject({ properties = {}, required = [] }: Schema, given: Given, at: string): Fields {
  const fields: Fields = {};
  // A field that is compared with a sibling is made after it.
  const ordered = Object.entries(properties).sort(([, a], [, b]) => Number(!!siblingOf(a)) - Number(!!siblingOf(b)));
  for (const [name, schema] of ordered) {
    const isPresent = given.nth === undefined ? given.draw(fc.boolean()) : given.nth > 0;
    if (!isPresent && !required.includes(name)) continue;
    const sibling = siblingOf(schema);
    const value = sibling ? validTimestamp(schema, given, fields[sibling]) : valid(schema, given, `${at}/${name}`);
    if (value !== undefined) fields[name] = value;
  }
  return fields;
}

/** Mostly a small size, sometimes the least or the greatest. */
function sizeOf(min: number, max: number, few: number, { draw, nth }: Given): number {
  if (nth !== undefined) return nth % 2 ? max : min;
  const small = { weight: 8, arbitrary: fc.integer({ min, max: Math.min(max, min + few) }) };
  return draw(fc.oneof(small, fc.constant(min), fc.constant(max)));
}

function validArray({ items = {}, minItems = 0, maxItems = 0, uniqueItems }: Schema, given: Given, at: string) {
  const length = sizeOf(minItems, maxItems, 3, given);
  const list = Array.from({ length }, () => valid(items, given, `${at}/items`));
  return uniqueItems ? [...new Set(list)] : list;
}

const isWellFormed = (text: string): boolean => text.isWellFormed();

/** One code point of well-formed text, often one that quotes, folds, reverses or joins. */
export const codePoint: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }) },
  {
    weight: 1,
    arbitrary: fc
      .integer({ min: 1, max: 0x10_ffff })
      .map((code) => String.fromCodePoint(code))
      .filter(isWellFormed),
  },
  { weight: 1, arbitrary: fc.constantFrom(...'"\\/\'%&+\t\r\n\u007f\u0085é\u0301\u200d\u202e\u2028\ufeff\uffff🚚👷') },
);

/** Text of so many code points. */
export const textOf = (draw: Draw, minLength: number, maxLength = minLength, unit = codePoint): string =>
  draw(fc.string({ unit, minLength, maxLength, size: 'max' }));

/** The letters and digits, which also a header and an identifier can contain. */
export const plain = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789');

/** Building one parses the pattern and takes milliseconds, so each is built once. */
const textsMatching = new Map<string, fc.Arbitrary<string>>();

function textMatching(pattern: string): fc.Arbitrary<string> {
  const texts = textsMatching.get(pattern) ?? fc.stringMatching(new RegExp(pattern, 'u'));
  textsMatching.set(pattern, texts);
  return texts;
}

/** Whether text is for people: it has a visible character, and none that is refused. */
export const isReadable = ({ pattern = '' }: Schema): boolean => pattern.includes('\\p{');

/** Text of code points that may stand beside a visible one. */
function readableText(pattern: string, minLength: number, maxLength: number, given: Given): string {
  const matching = new RegExp(pattern, 'u');
  const unit = codePoint.filter((one) => matching.test(`a${one}`));
  return until(
    () => textOf(given.draw, sizeOf(minLength, maxLength, 12, given), undefined, unit),
    (text) => matching.test(text),
  );
}

function validText({ pattern, minLength = 0, maxLength = 0 }: Schema, given: Given): string {
  const { draw, nth = 0 } = given;
  if (!pattern) return textOf(draw, sizeOf(minLength, maxLength, 12, given));
  if (isReadable({ pattern })) return readableText(pattern, minLength, maxLength, given);
  const matching = new RegExp(pattern, 'u');
  const longest = [textOf(draw, maxLength, maxLength, plain), `"${textOf(draw, maxLength - 2, maxLength - 2, plain)}"`];
  const text = nth % 2 ? longest.find((text) => matching.test(text)) : undefined;
  return (
    text ??
    until(
      () => draw(textMatching(pattern)),
      ({ length }) => length <= maxLength,
    )
  );
}

function validNumber({ type, minimum: min = 0, maximum: max = 0 }: Schema, { draw, nth }: Given): number {
  if (nth !== undefined) return nth % 2 ? max : min;
  const whole = fc.oneof(fc.constantFrom(min, max), fc.integer({ min: Math.ceil(min), max: Math.floor(max) }));
  return draw(type === 'integer' ? whole : fc.oneof(whole, fc.double({ min, max, noNaN: true })));
}
