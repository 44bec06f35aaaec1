import fc from 'fast-check';
import {
  beyond,
  malformedText,
  malformedTimestamps,
  nearMisses,
  ofOtherType,
  outOfRangeTimestamps,
  unknownNames,
} from './invalid-values.ts';
import type { Fields, Known, Schema } from './schema.ts';
import { invalidTimestamps, isTime, siblingOf } from './timestamps.ts';
import { present, requireKnown, textOf, valid } from './valid-values.ts';

/** A value that is invalid in one place, and the JSON pointer to the place. */
export interface Broken {
  value: unknown;
  pointer: string;
}

/** One way to break a schema. */
export interface Break {
  /** The place in the schema: `/positions/items/lat`. */
  place: string;
  keyword: string;
  broken: (given: Known, at: string) => fc.Arbitrary<Broken>;
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
    ...inObject(schema, asText),
    ...(items ? breaksOf(items, asText).map((inner) => inItem(schema, inner)) : []),
    ...Object.entries(properties).flatMap(([name, field]) =>
      breaksOf(field, asText).map((inner) => inField(schema, name, inner)),
    ),
  ];
}

const inField = (schema: Schema, name: string, { place, keyword, broken }: Break): Break => ({
  place: `${child(name)}${place}`,
  keyword,
  broken: (given, at) =>
    fc
      .tuple(valid(schema, given, at) as fc.Arbitrary<Fields>, broken(given, `${at}/${name}`))
      .map(([whole, { value, pointer }]) => ({
        value: { ...whole, [name]: value },
        pointer: `${child(name)}${pointer}`,
      })),
});

const inItem = (schema: Schema, { place, keyword, broken }: Break): Break => ({
  place: `/items${place}`,
  keyword,
  broken: (given, at) =>
    fc
      .tuple(valid(schema, given, at) as fc.Arbitrary<unknown[] | undefined>, broken(given, `${at}/items`), fc.nat())
      .map(([list = [], { value, pointer }, which]) => {
        const index = which % Math.min(list.length + 1, schema.maxItems ?? 1);
        return { value: list.toSpliced(index, 1, value), pointer: `${child(index)}${pointer}` };
      }),
});

/** The ways to break an object: a missing field, an unknown field and a wrong order of two timestamps. */
function inObject(schema: Schema, asText: boolean): Break[] {
  const { required = [], properties = {}, additionalProperties } = schema;
  const changed = (
    name: string,
    keyword: string,
    change: (whole: Fields, given: Known) => fc.Arbitrary<Fields>,
    alsoRequired: string[] = [],
  ): Break => ({
    place: child(name),
    keyword,
    broken: (given, at) =>
      (valid({ ...schema, required: [...required, ...alsoRequired] }, given, at) as fc.Arbitrary<Fields>).chain(
        (whole) =>
          change(whole, given).map((fields) => ({
            value: present({ ...whole, ...fields }),
            pointer: Object.keys(fields).map(child).join(''),
          })),
      ),
  });
  const missing = required.map((name) => changed(name, 'required', () => fc.constant({ [name]: undefined })));
  const unknown = changed('*', 'additionalProperties', () =>
    unknownNames(Object.keys(properties), asText).map((name) => ({ [name]: 'unknown' })),
  );
  const disordered = Object.entries(properties).flatMap(([name, field]) => {
    const sibling = siblingOf(field);
    if (!sibling) return [];
    const word = field['x-after'] ? 'x-after' : 'x-not-before';
    const invalidTimestamp = (whole: Fields, given: Known) =>
      invalidTimestamps(field, word, given, whole[sibling]).map((value) => ({ [name]: value }));
    return [changed(name, word, invalidTimestamp, [sibling])];
  });
  return [...missing, ...(additionalProperties === false ? [unknown] : []), ...disordered];
}

/** The ways to break the keywords of one value. */
function ownBreaks(schema: Schema, asText: boolean): Break[] {
  return Object.keys(schema).flatMap((keyword) => {
    const invalidValues = (given: Known, at: string) =>
      invalidValuesOf(schema, keyword as keyof Schema, asText, given, at);
    if (!invalidValues({}, '')) return [];
    const broken: Break['broken'] = (given, at) =>
      (invalidValues(given, at) as fc.Arbitrary<unknown>).map((value) => ({ value, pointer: '' }));
    return [{ place: '', keyword, broken }];
  });
}

/** Values that break one keyword; undefined if none can. */
function invalidValuesOf(
  schema: Schema,
  keyword: keyof Schema,
  asText: boolean,
  given: Known,
  at: string,
): fc.Arbitrary<unknown> | undefined {
  const { type = '', items = {}, minItems = 0, maxItems = 0, minLength = 0, maxLength = 0 } = schema;
  const { minimum = 0, maximum = 0, enum: allowed = [] } = schema;
  const item = () => valid(items, given, `${at}/items`);
  switch (keyword) {
    case 'type':
      return asText && ['string', 'object'].includes(type) ? undefined : ofOtherType(type, asText);
    case 'x-max-ahead':
    case 'x-max-age':
    case 'x-max-before-previous':
      return invalidTimestamps(schema, keyword, given);
    case 'enum':
      return fc
        .oneof(textOf(1, 12), fc.constantFrom(...allowed.map((value) => String(value).toUpperCase())))
        .filter((value) => !allowed.includes(value));
    case 'minLength':
      return minLength > 0 ? textOf(0, minLength - 1) : undefined;
    case 'maxLength': {
      const plain = fc.constantFrom(...'aZ09-'); // all that a header can carry
      return fc.oneof(textOf(maxLength + 1, maxLength + 1), textOf(maxLength + 1, maxLength + 1, plain));
    }
    case 'pattern':
      return isTime(schema) ? fc.oneof(nearMisses(schema), outOfRangeTimestamps) : nearMisses(schema);
    case 'format':
      return schema.format === 'text' ? malformedText(maxLength, asText) : malformedTimestamps;
    case 'anyOf':
      if (!isTime(schema)) throw new Error('Add invalid values for this anyOf to test/fuzz/breaks.ts');
      return fc.oneof(
        outOfRangeTimestamps,
        malformedTimestamps.filter((value) => Number.isNaN(Date.parse(`${value}T00:00Z`))),
      );
    case 'minimum':
      return beyond(minimum, -1, type);
    case 'maximum':
      return beyond(maximum, 1, type);
    case 'minItems':
      return minItems > 0 ? fc.constant([]) : undefined;
    case 'maxItems': {
      const length = { minLength: maxItems + 1, maxLength: maxItems + 1, size: 'max' } as const;
      return fc.uniqueArray(item(), { ...length, selector: (one) => JSON.stringify(one) });
    }
    case 'uniqueItems':
      return item().map((same) => [same, same]);
    default: // an annotation, or broken by inObject
      return undefined;
  }
}
