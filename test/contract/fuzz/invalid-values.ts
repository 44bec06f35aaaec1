import fc from 'fast-check';
import type { Schema } from '../../fixtures/contract.ts';
import { type Draw, type Given, until } from './given.ts';
import {
  isTime,
  notTimestamps,
  siblingOf,
  timestampsBeyond,
  timestampsOutOfRange,
  tooLongTimestamp,
} from './timestamps.ts';
import {
  codePoint,
  type Fields,
  isNullable,
  isReadable,
  notNull,
  plain,
  requireKnown,
  textOf,
  typeOf,
  valid,
} from './valid-values.ts';

/** A value that is invalid in one place, and the JSON pointer to the place. */
interface Broken {
  value: unknown;
  pointer: string;
}

/** One way to break a schema. */
export interface Break {
  keyword: string;
  broken: (given: Given, at: string) => Broken;
}

const child = (name: string | number): string => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/**
 * Every way to break a schema in exactly one place, at every depth.
 * @param asText for a URL or header, which has no JSON types
 */
export function breaksOf(schema: Schema, asText = false): Break[] {
  requireKnown(schema);
  const { items, properties = {} } = schema;
  return [
    ...ownBreaks(schema, asText),
    ...objectBreaks(schema, asText),
    ...(items ? breaksOf(items, asText).map((inner) => inItem(schema, inner)) : []),
    ...Object.entries(properties).flatMap(([name, field]) =>
      breaksOf(field, asText).map((inner) => inField(schema, name, inner)),
    ),
  ];
}

const inField = (schema: Schema, name: string, { keyword, broken }: Break): Break => ({
  keyword,
  broken: (given, at) => {
    const { value, pointer } = broken(given, `${at}/${name}`);
    const fields = valid(notNull(schema), given, at) as Fields;
    return { value: { ...fields, [name]: value }, pointer: `${child(name)}${pointer}` };
  },
});

const inItem = (schema: Schema, { keyword, broken }: Break): Break => ({
  keyword,
  broken: (given, at) => {
    const list = (valid(schema, given, at) ?? []) as unknown[];
    const index = given.draw(fc.nat(Math.min(list.length, (schema.maxItems ?? 1) - 1)));
    const { value, pointer } = broken(given, `${at}/items`);
    return { value: list.toSpliced(index, 1, value), pointer: `${child(index)}${pointer}` };
  },
});

/** The ways to break an object: a missing field, an unknown field and a wrong order of two timestamps. */
function objectBreaks(schema: Schema, asText: boolean): Break[] {
  const { required = [], properties = {}, additionalProperties } = schema;
  const whole = (given: Given, at: string, alsoRequired: string[] = []) =>
    valid({ ...notNull(schema), required: [...required, ...alsoRequired] }, given, at) as Fields;
  const missing = required.map(
    (name): Break => ({
      keyword: 'required',
      broken: (given, at) => {
        const { [name]: _, ...value } = whole(given, at);
        return { value, pointer: child(name) };
      },
    }),
  );
  const unknown: Break = {
    keyword: 'additionalProperties',
    broken: (given, at) => {
      const name = unknownName(given.draw, Object.keys(properties), asText);
      return { value: { ...whole(given, at), ...Object.fromEntries([[name, 'unknown']]) }, pointer: child(name) };
    },
  };
  const disordered = Object.entries(properties).flatMap(([name, field]) => {
    const sibling = siblingOf(field);
    if (!sibling) return [];
    const keyword = field['x-time']?.after ? 'after' : 'not_before';
    return timestampsBeyond(field, keyword, {} as Given).map(
      (_, index): Break => ({
        keyword,
        broken: (given, at) => {
          const fields = whole(given, at, [sibling]);
          const value = timestampsBeyond(field, keyword, given, fields[sibling])[index]?.();
          return { value: { ...fields, [name]: value }, pointer: child(name) };
        },
      }),
    );
  });
  return [...missing, ...(additionalProperties === false ? [unknown] : []), ...disordered];
}

/** The ways to break the keywords of one value. */
const ownBreaks = (schema: Schema, asText: boolean): Break[] =>
  [...Object.keys(schema), ...Object.keys(schema['x-time'] ?? {})].flatMap((keyword) =>
    invalidValuesOf(schema, keyword, asText, {} as Given, '').map(
      (_, index): Break => ({
        keyword,
        broken: (given, at) => ({
          value: invalidValuesOf(schema, keyword, asText, given, at)[index]?.(),
          pointer: '',
        }),
      }),
    ),
  );

/** How to make values that break one keyword, each in another way; none for a keyword that a request cannot break. */
function invalidValuesOf(
  schema: Schema,
  keyword: string,
  asText: boolean,
  given: Given,
  at: string,
): (() => unknown)[] {
  const { items = {}, minItems = 0, maxItems = 0, minLength = 0, maxLength = 0 } = schema;
  const { minimum = 0, maximum = 0, enum: allowed = [] } = schema;
  const type = typeOf(schema);
  const { draw } = given;
  const oneOf = (values: unknown[]) => () => draw(fc.constantFrom(...values));
  const item = () => valid(items, given, `${at}/items`);
  switch (keyword) {
    case 'type':
      if (!asText) return [oneOf(valuesOfOtherTypes(type).filter((value) => value !== null || !isNullable(schema)))];
      if (type === 'boolean') return notBooleans.map((text) => () => text);
      return ['string', 'object'].includes(type) ? [] : notNumbers.map((text) => () => text);
    case 'max_ahead':
    case 'max_before_previous':
      return timestampsBeyond(schema, keyword, given);
    case 'enum': {
      if (type === 'boolean') return [() => !allowed[0]];
      const similar = fc.constantFrom(...allowed.map((value) => String(value).toUpperCase()));
      return [
        () =>
          until(
            () => draw(fc.oneof(similar, fc.string())),
            (value) => !allowed.includes(value),
          ),
      ];
    }
    case 'minLength':
      return minLength > 0 ? [() => textOf(draw, minLength - 1)] : [];
    case 'maxLength':
      if (isTime(schema)) return [() => tooLongTimestamp];
      return [() => textOf(draw, maxLength + 1, maxLength + 1, asText ? plain : codePoint)];
    case 'pattern':
      if (isReadable(schema)) return [() => malformedText(draw, maxLength, asText), () => blankText(draw, maxLength)];
      return [() => nearMiss(schema, given), ...(isTime(schema) ? [oneOf(timestampsOutOfRange)] : [])];
    case 'format':
      if (schema.format === 'int32') return []; // minimum and maximum are narrower
      return [() => notTimestamps[0], oneOf(notTimestamps)];
    case 'anyOf':
      if (!isTime(schema)) throw new Error('Add invalid values for this anyOf to test/contract/fuzz/invalid-values.ts');
      return [oneOf(timestampsOutOfRange), oneOf(notTimestamps)];
    case 'minimum':
      return beyond(minimum, -1, schema).map((value) => () => value);
    case 'maximum':
      return beyond(maximum, 1, schema).map((value) => () => value);
    case 'minItems':
      return minItems > 0 ? [() => Array.from({ length: minItems - 1 }, item)] : [];
    case 'maxItems':
      return [() => Array.from({ length: maxItems + 1 }, item)];
    case 'uniqueItems':
      return [() => Array(2).fill(item())];
    default: // an annotation, or broken by objectBreaks
      return [];
  }
}

const notBooleans = ['abc', '1', '', 'True', 'null', ' true'];
const notNumbers = [
  'abc',
  '1.5',
  '1.0',
  '1e1',
  '',
  'true',
  'null',
  'NaN',
  '1,5',
  '٣',
  '0x10',
  '0b11',
  '+10',
  ' 10',
  '010',
];

function valuesOfOtherTypes(type: string): unknown[] {
  const values = Object.entries<unknown[]>({
    string: ['text', ''],
    number: [0.5, -1.25],
    integer: [1],
    boolean: [true, false],
    null: [null],
    array: [[], ['text']],
    object: [{}, { type: 'string' }],
  });
  const isOther = (other: string): boolean => other !== type && !(type === 'number' && other === 'integer');
  return values.flatMap(([other, some]) => (isOther(other) ? some : []));
}

const unknownNames = ['id', 'a/b', 'c~d', '~1', '__proto__', 'constructor', 'toString', 'ß', 'Type', ' '];
function unknownName(draw: Draw, names: string[], asText: boolean): string {
  const make = () => (draw(fc.boolean()) ? draw(fc.constantFrom(...unknownNames)) : textOf(draw, 0, 12));
  return until(make, (name) => !names.includes(name) && (!asText || name !== ''));
}

const inserted = fc.oneof(codePoint, fc.constantFrom('', ...' \n-_=.é0zAZ'));
/** Text with one character added, removed or replaced: what an unanchored pattern accepts. */
function nearMiss(schema: Schema, given: Given): string {
  const { draw } = given;
  const pattern = new RegExp(schema.pattern ?? '', 'u');
  const make = () => {
    const text = valid(notNull(schema), given) as string;
    const index = draw(fc.nat(text.length));
    return text.slice(0, index) + draw(inserted) + text.slice(index + draw(fc.nat(1)));
  };
  return until(make, (text) => !pattern.test(text));
}

/** Text with NUL or, in JSON, a lone surrogate. */
function blankText(draw: Draw, maxLength: number): string {
  return draw(
    fc.string({
      unit: fc.constantFrom(...' \u00a0\u00ad\u0301\u200b\u2800\u3164\ufe0f\u{e0061}'),
      minLength: 1,
      maxLength,
    }),
  );
}

function malformedText(draw: Draw, maxLength: number, asText: boolean): string {
  const some = () => textOf(draw, 0, Math.min(10, Math.floor((maxLength - 1) / 2)));
  return some() + draw(asText ? fc.constant('\0') : fc.constantFrom('\0', '\ud800', '\udfff')) + some();
}

/** A number just beyond a bound, and one far away. */
const beyond = (bound: number, way: 1 | -1, { type }: Schema): number[] => [
  bound + way * (type === 'integer' ? 1 : 1e-6),
  type === 'integer' ? bound + way * 2 ** 53 : way * 1e300,
];
