import fc from 'fast-check';
import type { Schema } from '../../fixtures/contract/contract.ts';
import { type Draw, type Given, until } from './given.ts';
import { isTime, siblingOf, validTimestamp } from './timestamps.ts';

export type Fields = Record<string, unknown>;

/** The type of a value that is not null. */
export const typeOf = ({ type = '' }: Schema): string => [type].flat()[0] ?? '';
export const isNullable = ({ type = '' }: Schema): boolean => [type].flat().includes('null');

export const notNull = (schema: Schema): Schema => ({ ...schema, type: typeOf(schema) });

export function valid(schema: Schema, given: Given, at = ''): unknown {
  const own = given.values?.[at];
  if (own) return own();
  const type = typeOf(schema);
  const { enum: allowed = type === 'boolean' ? [false, true] : undefined } = schema;
  const { draw, nth, isComplete } = given;
  if (isNullable(schema) && nth === undefined && !isComplete && draw(fc.boolean())) return null;
  if (allowed) return nth === undefined ? draw(fc.constantFrom(...allowed)) : allowed[nth % allowed.length];
  if (isTime(schema)) return validTimestamp(schema, given);
  if (type === 'object') return validObject(schema, given, at);
  if (type === 'array') return validArray(schema, given, at);
  return type === 'string' ? validText(schema, given) : validNumber(schema, given);
}

function validObject(schema: Schema, given: Given, at: string): Fields {
  const { properties = {}, required = [] } = schema;
  const fields: Fields = {};
  // A field that is compared with a sibling is made after it.
  const ordered = Object.entries(properties).sort(([, a], [, b]) => Number(!!siblingOf(a)) - Number(!!siblingOf(b)));
  for (const [name, property] of ordered) {
    const isPresent = given.nth === undefined ? given.isComplete || given.draw(fc.boolean()) : given.nth > 0;
    if (!isPresent && !required.includes(name)) continue;
    const sibling = siblingOf(property);
    const value = sibling ? validTimestamp(property, given, fields[sibling]) : valid(property, given, `${at}/${name}`);
    if (value !== undefined) fields[name] = value;
  }
  for (const name of missingFields(schema, fields)) fields[name] = valid(notNull(properties[name] ?? {}), given);
  return fields;
}

/** The fields that the country of an address requires. */
const missingFields = ({ 'x-required-in': requiredIn = {} }: Schema, fields: Fields): string[] =>
  Object.keys(requiredIn).filter(
    (name) => requiredIn[name]?.includes(String(fields.country ?? 'US')) && (fields[name] ?? null) === null,
  );

/** Mostly a small size, sometimes the least or the greatest. */
function sizeOf(min: number, max: number, few: number, { draw, nth }: Given): number {
  if (nth !== undefined) return nth % 2 ? max : min;
  const small = { weight: 8, arbitrary: fc.integer({ min, max: Math.min(max, min + few) }) };
  return draw(fc.oneof(small, fc.constant(min), fc.constant(max)));
}

function validArray({ items = {}, minItems = 0, maxItems = 0, uniqueItems }: Schema, given: Given, at: string) {
  const length = sizeOf(minItems, maxItems, 3, given);
  const list = Array.from({ length }, () => valid(items, given, `${at}/items`));
  return uniqueItems ? [...new Map(list.map((item) => [JSON.stringify(item), item])).values()] : list;
}

const anyCodePoint = fc.integer({ min: 1, max: 0x10_ffff }).map((code) => String.fromCodePoint(code));
/** One code point of well-formed text, often one that quotes, folds, reverses or joins. */
export const codePoint: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }) },
  { weight: 1, arbitrary: anyCodePoint.filter((one) => one.isWellFormed()) },
  { weight: 1, arbitrary: fc.constantFrom(...'"\\/\'%&+\t\r\n\u007f\u0085é\u0301\u200d\u202e\u2028\ufeff\uffff🚚👷') },
);

export const textOf = (draw: Draw, minLength: number, maxLength = minLength, unit = codePoint): string =>
  draw(fc.string({ unit, minLength, maxLength, size: 'max' }));

/** The letters and digits, which also a header and an identifier can contain. */
export const plain = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789');

/** Building one parses the pattern and takes milliseconds, so each is built once. */
const textsMatching = new Map<string, fc.Arbitrary<string>>();

/** Whether text is for people: it has a visible character, and none that is refused. */
export const isReadable = ({ pattern = '' }: Schema): boolean => pattern.includes('\\p{');

function validText({ pattern, minLength = 0, maxLength = 0 }: Schema, given: Given): string {
  const { draw, nth = 0 } = given;
  const sized = (unit = codePoint) => textOf(draw, sizeOf(minLength, maxLength, 12, given), undefined, unit);
  if (!pattern) return sized();
  const matching = new RegExp(pattern, 'u');
  if (isReadable({ pattern })) {
    const beside = codePoint.filter((one) => matching.test(`a${one}`)); // a visible one
    return until(
      () => sized(beside),
      (text) => matching.test(text),
    );
  }
  const longest = [textOf(draw, maxLength, maxLength, plain), `"${textOf(draw, maxLength - 2, maxLength - 2, plain)}"`];
  const text = nth % 2 ? longest.find((text) => matching.test(text)) : undefined;
  const any = textsMatching.get(pattern) ?? fc.stringMatching(matching);
  textsMatching.set(pattern, any);
  return (
    text ??
    until(
      () => draw(any),
      ({ length }) => length <= maxLength,
    )
  );
}

function validNumber({ type, minimum: min = 0, maximum: max = 0 }: Schema, { draw, nth }: Given): number {
  if (nth !== undefined) return nth % 2 ? max : min;
  const whole = fc.oneof(fc.constantFrom(min, max), fc.integer({ min: Math.ceil(min), max: Math.floor(max) }));
  return draw(type === 'integer' ? whole : fc.oneof(whole, fc.double({ min, max, noNaN: true })));
}
