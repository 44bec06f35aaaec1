import fc from 'fast-check';
import type { Schema } from '../../fixtures/contract/contract.ts';
import { type Given, until } from './given.ts';
import {
  isTime,
  notTimestamps,
  siblingOf,
  timestampsBeyond,
  timestampsOutOfRange,
  tooLongTimestamp,
} from './timestamps.ts';
import { codePoint, type Fields, isReadable, notNull, plain, textOf, typeOf, valid } from './valid-values.ts';

/** A value that is invalid in one place, the JSON pointer to the place and the keyword that it breaks. */
export interface Broken {
  keyword: string;
  pointer: string;
  value: unknown;
}

const child = (name: string | number): string => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** Every way to break a value of a schema in exactly one place, at every depth. @param value has all optional fields */
export function* broken(schema: Schema, value: unknown, given: Given, at = ''): Generator<Broken> {
  for (const keyword of [...Object.keys(schema), ...Object.keys(schema['x-time'] ?? {})]) {
    for (const wrong of wrongValues(schema, keyword, given, at)) yield { keyword, pointer: '', value: wrong };
  }
  const { items, maxItems = 0, properties = {}, required = [], additionalProperties } = schema;
  if (items) {
    const list = (value ?? []) as unknown[];
    const index = given.draw(fc.nat(Math.min(list.length, maxItems - 1)));
    const item = list[index] ?? valid(items, given, `${at}/items`);
    for (const one of broken(items, item, given, `${at}/items`)) {
      yield { ...one, pointer: child(index) + one.pointer, value: list.toSpliced(index, 1, one.value) };
    }
  }
  const fields = value as Fields;
  const withField = (keyword: string, name: string, changed: unknown, pointer = ''): Broken => {
    const entries = Object.entries(fields).filter(([other]) => other !== name);
    const value = Object.fromEntries([...entries, ...(changed === undefined ? [] : [[name, changed]])]);
    return { keyword, pointer: child(name) + pointer, value };
  };
  for (const name of required) yield withField('required', name, undefined);
  for (const [name, [country]] of Object.entries(schema['x-required-in'] ?? {})) {
    const { value, ...one } = withField('x-required-in', name, undefined);
    yield { ...one, value: { ...(value as Fields), country } };
  }
  if (additionalProperties === false)
    yield withField('additionalProperties', unknownName(properties, given), 'unknown');
  for (const [name, field] of Object.entries(properties)) {
    const old = fields[name] ?? valid(field, { ...given, values: {} });
    for (const { keyword, pointer, value } of broken(field, old, given, `${at}/${name}`)) {
      yield withField(keyword, name, value, pointer);
    }
    const sibling = siblingOf(field);
    const order = field['x-time']?.after ? 'after' : 'not_before';
    const late = sibling ? timestampsBeyond(field, order, given, fields[sibling]) : [];
    for (const timestamp of late) yield withField(order, name, timestamp);
  }
}

const annotations =
  /^(description|default|examples?|x-(extensible-enum|enumDescriptions|time|required-in|lifecycle|exceptions|changes)|properties|required|additionalProperties|items|after|not_before|max_ahead_of_item)$/;

/** Values that break one keyword, each in another way; none for a keyword that a request cannot break. */
function wrongValues(schema: Schema, keyword: string, given: Given, at: string): unknown[] {
  const { draw, carries } = given;
  const { items = {}, minItems = 0, maxItems = 0, minLength = 0, maxLength = 0, format } = schema;
  const { minimum = 0, maximum = 0, enum: allowed = [] } = schema;
  const type = typeOf(schema);
  const oneOf = (values: unknown[]) => draw(fc.constantFrom(...values));
  const list = (length: number) => Array.from({ length }, () => valid(items, given, `${at}/items`));
  const beyond = (bound: number, way: 1 | -1): number[] =>
    type === 'integer' ? [bound + way, bound + way * 2 ** 53] : [bound + way * 1e-6, way * 1e300];
  switch (keyword) {
    case 'type':
      if (!carries) return [oneOf(valuesOfOtherTypes([schema.type ?? ''].flat()))];
      if (type === 'boolean') return notBooleans;
      return ['string', 'object', 'array'].includes(type) ? [] : notNumbers; // any text is a list
    case 'max_ahead':
      return timestampsBeyond(schema, keyword, given);
    case 'enum': {
      if (type === 'boolean') return [!allowed[0]];
      const similar = fc.constantFrom(...allowed.map((value) => String(value).toUpperCase()));
      const make = () => draw(fc.oneof(similar, fc.string()));
      // A comma would end the item of a list.
      return [
        until(make, (value) => !allowed.includes(value) && (!carries || (carries(value) && !value.includes(',')))),
      ];
    }
    case 'minLength':
      return minLength > 0 ? [textOf(draw, minLength - 1)] : [];
    case 'maxLength':
      return [
        isTime(schema) ? tooLongTimestamp : textOf(draw, maxLength + 1, maxLength + 1, carries ? plain : codePoint),
      ];
    case 'pattern':
      if (isReadable(schema))
        return [malformedText(maxLength, given), draw(fc.string({ unit: blank, minLength: 1, maxLength }))];
      return [nearMiss(schema, given), ...(isTime(schema) ? [oneOf(timestampsOutOfRange)] : [])];
    case 'format':
    case 'anyOf':
      if (format === 'int32') return []; // minimum and maximum are narrower
      if (!isTime(schema)) throw new Error(`Add ${keyword} of ${type} to valid-values.ts and invalid-values.ts`);
      return [keyword === 'format' ? notTimestamps[0] : oneOf(timestampsOutOfRange), oneOf(notTimestamps)];
    case 'minimum':
      return beyond(minimum, -1);
    case 'maximum':
      return beyond(maximum, 1);
    case 'minItems':
      return minItems > 0 && !carries ? [list(minItems - 1)] : []; // no text is a list without items
    case 'maxItems':
      return [list(maxItems + 1)];
    case 'uniqueItems':
      return [Array(2).fill(list(1)[0])];
    default:
      if (!annotations.test(keyword)) throw new Error(`Add ${keyword} to valid-values.ts and invalid-values.ts`);
      return [];
  }
}

const notBooleans = ['abc', '1', '', 'True', 'null', ' true'];
const notNumbers = [
  ...['abc', '1.5', '1.0', '1e1', '', 'true', 'null', 'NaN', '1,5', '٣', '0x10', '0b11', '+10', ' 10', '010'],
];

function valuesOfOtherTypes(types: string[]): unknown[] {
  const values = [
    ...Object.entries({ string: ['text', ''], number: [0.5, -1.25], integer: [1], boolean: [true, false] }),
    ...Object.entries({ null: [null], array: [[], ['text']], object: [{}, { type: 'string' }] }),
  ];
  const isOther = (other: string): boolean =>
    !types.includes(other) && !(types.includes('number') && other === 'integer');
  return values.flatMap<unknown>(([other, some]) => (isOther(other) ? some : []));
}

const unknownNames = ['id', 'a/b', 'c~d', '~1', '__proto__', 'constructor', 'toString', 'ß', 'Type', ' '];
const unknownName = (known: object, { draw, carries }: Given): string =>
  until(
    () => (draw(fc.boolean()) ? draw(fc.constantFrom(...unknownNames)) : textOf(draw, 0, 12)),
    (name) => !Object.hasOwn(known, name) && !(carries && name === ''),
  );

const inserted = fc.oneof(codePoint, fc.constantFrom('', ...' \n-_=.é0zAZ'));
/** Text with one character added, removed or replaced: what an unanchored pattern accepts. */
function nearMiss(schema: Schema, { draw, carries }: Given): string {
  const pattern = new RegExp(schema.pattern ?? '', 'u');
  const make = () => {
    const text = valid(notNull(schema), { draw }) as string;
    const index = draw(fc.nat(text.length));
    return text.slice(0, index) + draw(inserted) + text.slice(index + draw(fc.nat(1)));
  };
  return until(make, (text) => !pattern.test(text) && (carries?.(text) ?? true));
}

const blank = fc.constantFrom(...' \u00a0\u00ad\u0301\u200b\u2800\u3164\ufe0f\u{e0061}');

/** Text with NUL or, in JSON, a lone surrogate. */
function malformedText(maxLength: number, { draw, carries }: Given): string {
  const some = () => textOf(draw, 0, Math.min(10, Math.floor((maxLength - 1) / 2)));
  return some() + draw(fc.constantFrom('\0', ...(carries ? [] : ['\ud800', '\udfff']))) + some();
}
