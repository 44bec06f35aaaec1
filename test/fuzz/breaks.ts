import fc from 'fast-check';
import { beyond, malformedText, nearMisses, noDays, noTimes, ofOtherType, strangers } from './misfits.ts';
import { isTime, siblingOf, untimely } from './moments.ts';
import { codePoint, type Known, requireKnown, type Schema, valid } from './schema.ts';

/** A value that breaks its schema in one way, and the JSON pointer to where it does. */
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

type Fields = Record<string, unknown>;
const here = (values: fc.Arbitrary<unknown>): fc.Arbitrary<Broken> => values.map((value) => ({ value, pointer: '' }));
const child = (name: string | number): string => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/**
 * Every way to break a schema in exactly one thing, all of it and all that is in it.
 * @param asText of a URL or header, where there are no types but what the text means
 */
export function breaksOf(schema: Schema, asText = false): Break[] {
  requireKnown(schema);
  const own = Object.keys(schema).flatMap((keyword) => ownBreaks(schema, keyword as keyof Schema, asText));
  const ofItems = schema.items ? breaksOf(schema.items, asText).map((inner) => inItem(schema, inner)) : [];
  const ofFields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    breaksOf(field, asText).map((inner) => inField(schema, name, inner)),
  );
  return [...own, ...ofItems, ...ofFields];
}

function inField(schema: Schema, name: string, { place, keyword, broken }: Break): Break {
  return {
    place: `${child(name)}${place}`,
    keyword,
    broken: (given, at) =>
      fc
        .tuple(valid(schema, given, at) as fc.Arbitrary<Fields>, broken(given, `${at}/${name}`))
        .map(([object, { value, pointer }]) => ({
          value: { ...object, [name]: value },
          pointer: `${child(name)}${pointer}`,
        })),
  };
}

function inItem(schema: Schema, { place, keyword, broken }: Break): Break {
  return {
    place: `/items${place}`,
    keyword,
    broken: (given, at) =>
      fc
        .tuple(valid(schema, given, at) as fc.Arbitrary<unknown[] | undefined>, broken(given, `${at}/items`), fc.nat())
        .map(([list = [], { value, pointer }, which]) => {
          const index = which % Math.min(list.length + 1, schema.maxItems ?? 1);
          return { value: list.toSpliced(index, 1, value), pointer: `${child(index)}${pointer}` };
        }),
  };
}

/** The ways to break one keyword of a schema. */
function ownBreaks(schema: Schema, keyword: keyof Schema, asText: boolean): Break[] {
  const { required = [], properties = {}, minLength = 0, maxLength = 0, minimum = 0, maximum = 0 } = schema;
  const one = (values: fc.Arbitrary<unknown>): Break[] => [{ place: '', keyword, broken: () => here(values) }];
  const inObject = (name: string, broken: Break['broken'], word: string = keyword): Break => ({
    place: child(name),
    keyword: word,
    broken,
  });
  const whole = (given: Known, at: string, more: string[] = []) =>
    valid({ ...schema, required: [...required, ...more] }, given, at) as fc.Arbitrary<Fields>;
  const text = (min: number, max: number) =>
    fc.string({ unit: codePoint, minLength: min, maxLength: max, size: 'max' });

  switch (keyword) {
    case 'type':
      return asText && ['string', 'object'].includes(schema.type ?? '')
        ? []
        : one(ofOtherType(schema.type ?? '', asText));
    case 'required':
      return required.map((name) =>
        inObject(name, (given, at) =>
          whole(given, at).map(({ [name]: _, ...rest }) => ({ value: rest, pointer: child(name) })),
        ),
      );
    case 'additionalProperties':
      return [
        inObject('*', (given, at) =>
          fc.tuple(whole(given, at), strangers(Object.keys(properties), asText)).map(([object, name]) => ({
            value: { ...object, [name]: 'unknown' },
            pointer: child(name),
          })),
        ),
      ];
    case 'properties':
      return Object.entries(properties).flatMap(([name, field]) => {
        const sibling = siblingOf(field);
        const word = field['x-after'] ? 'x-after' : 'x-not-before';
        if (!sibling) return [];
        const broken: Break['broken'] = (given, at) =>
          whole(given, at, [sibling]).chain((object) =>
            untimely(field, word, given, object[sibling]).map((value) => ({
              value: { ...object, [name]: value },
              pointer: child(name),
            })),
          );
        return inObject(name, broken, word);
      });
    case 'x-max-ahead':
    case 'x-max-before-previous':
      return [{ place: '', keyword, broken: (given) => here(untimely(schema, keyword, given)) }];
    case 'enum':
      return one(
        fc
          .oneof(text(1, 12), fc.constantFrom(...(schema.enum ?? []).map((value) => String(value).toUpperCase())))
          .filter((value) => !schema.enum?.includes(value)),
      );
    case 'minLength':
      return minLength > 0 ? one(text(0, minLength - 1)) : [];
    case 'maxLength':
      // Plain characters too: a header can carry no others.
      return one(
        fc.oneof(
          text(maxLength + 1, maxLength + 1),
          fc.string({
            unit: fc.constantFrom(...'aZ09-'),
            minLength: maxLength + 1,
            maxLength: maxLength + 1,
            size: 'max',
          }),
        ),
      );
    case 'pattern':
      return one(isTime(schema) ? fc.oneof(nearMisses(schema), noDays) : nearMisses(schema));
    case 'format':
      return one(schema.format === 'text' ? malformedText(schema, asText) : noTimes);
    case 'anyOf':
      if (!isTime(schema)) throw new Error('Teach the fuzzer to break an anyOf of other things than times: breaks.ts');
      return one(
        fc.oneof(
          noTimes.filter((value) => Number.isNaN(Date.parse(`${value}T00:00Z`))),
          noDays,
        ),
      );
    case 'minimum':
      return one(beyond(minimum, -1, schema));
    case 'maximum':
      return one(beyond(maximum, 1, schema));
    case 'minItems':
      return schema.minItems ? [{ place: '', keyword, broken: () => here(fc.constant([])) }] : [];
    case 'maxItems':
    case 'uniqueItems':
      return [{ place: '', keyword, broken: (given, at) => here(tooManyItems(schema, keyword, given, at)) }];
    default: // describes, or is broken where its parent is
      return [];
  }
}

function tooManyItems(
  { items = {}, maxItems = 0 }: Schema,
  keyword: string,
  given: Known,
  at: string,
): fc.Arbitrary<unknown> {
  const item = valid(items, given, `${at}/items`);
  if (keyword === 'uniqueItems') return item.map((same) => [same, same]);
  return fc.uniqueArray(item, {
    minLength: maxItems + 1,
    maxLength: maxItems + 1,
    size: 'max',
    selector: (one) => JSON.stringify(one),
  });
}
