import { milliseconds } from '../fixtures/contract.ts';
import type { Field, Schema } from './fields.ts';

/** Values at a rule's limit and beyond it. */
export interface Limit {
  rule: string;
  at: unknown[];
  beyond: Beyond[];
}

interface Beyond {
  value: unknown;
  /** Where the problem must point, relative to the field. */
  pointer: string;
}

/** What a rule may depend on besides its own value. */
interface Surroundings {
  field: Field;
  /** A valid value of the field. */
  valid: unknown;
  /** Valid values of the sibling fields. */
  beside: Record<string, unknown>;
  /** The timestamp of the shipment's last event. */
  previous: string;
  /** One more item for an array. */
  another: unknown;
  /** Only the service makes such values, so no other value of the same form is valid. */
  isOpaque: boolean;
}

type Rule = (value: never, surroundings: Surroundings) => { at: unknown[]; beyond: unknown[]; pointers?: string[] };

const minute = 60_000;
const year = 365 * 24 * 60 * minute;
const shifted = (time: unknown, by: number): string => new Date(Date.parse(String(time)) + by).toISOString();
const inZone = (time: unknown, hours: number, zone: string): string =>
  shifted(time, hours * 60 * minute).replace('Z', zone);

const isTime = ({ format, anyOf }: Schema): boolean => format === 'date-time' || anyOf !== undefined;

/** A string of a length, valid otherwise. */
function textOf(length: number, { field: { schema }, valid, isOpaque }: Surroundings): string {
  if (isOpaque) return String(valid);
  if (isTime(schema))
    return `${shifted(valid, 0)
      .replace('Z', '')
      .padEnd(length - 1, '0')}Z`;
  const candidates = ['x'.repeat(length), `"${'x'.repeat(Math.max(0, length - 2))}"`];
  const fits = (text: string): boolean => new RegExp(String(schema.pattern ?? ''), 'u').test(text);
  // Only the valid value matches the pattern of an identifier.
  return candidates.find(fits) ?? String(valid);
}

/** The smallest change of a number. */
const leastOf = ({ field: { schema } }: Surroundings): number => (schema.type === 'integer' ? 1 : 1e-6);

/** A valid array of another length. */
const itemsOf = (valid: unknown, length: number, another: unknown): unknown[] =>
  [...(valid as unknown[]), ...Array<unknown>(length).fill(another)].slice(0, length);

const noTimes = ['2026-03-02T08:00:00', '2026-02-30T08:00:00Z', '2026-03-02T08:00Z', '2026-03-02 08:00:00Z', 'now'];
const formats: Record<string, (surroundings: Surroundings) => ReturnType<Rule>> = {
  'date-time': ({ valid }) => ({ at: [inZone(valid, 14, '+14:00'), inZone(valid, -12, '-12:00')], beyond: noTimes }),
  text: ({ field }) => ({
    at: ['\u{1f69a} e\u0301'],
    // A lone surrogate cannot be written in a URL.
    beyond: field.in === 'body' ? ['a\u0000', 'a\ud800'] : ['a\u0000'],
  }),
};

const values: Record<string, unknown[]> = {
  body: [null, true, 'x', 1.5, [], { x: 1 }],
  query: ['x', '1.5', '', '0x10', '+10', ' 10', '010'],
  headers: [],
};

function isOf(type: string, value: unknown): boolean {
  if (Array.isArray(value)) return type === 'array';
  if (value === null) return type === 'null';
  return type === typeof value;
}

const rules: Record<string, Rule> = {
  type: (type: string, { field, valid }) => ({
    at: [valid],
    beyond:
      type === 'string' && field.in !== 'body' ? [] : (values[field.in] ?? []).filter((value) => !isOf(type, value)),
  }),
  enum: (allowed: unknown[]) => ({ at: allowed, beyond: ['no_such_value'] }),
  pattern: (_: string, { field: { schema }, valid }) => {
    if (!isTime(schema)) return { at: [valid], beyond: [`é${valid}`, `${valid}é`] };
    const later = (years: string) => `${years}${String(valid).slice(4)}`;
    return { at: [valid], beyond: [later('0999'), later('3000'), '2016-12-31T23:59:60Z'] };
  },
  format: (format: string, surroundings) => formats[format]?.(surroundings) ?? unknownKeyword(`format: ${format}`),
  anyOf: () => ({
    at: ['2026-03-02', '2026-03-02T08:00:00+14:00'],
    beyond: ['2026-02-30', '2026-03', '0999-12-31', '3000-01-01', ...noTimes],
  }),
  minLength: (length: number, all) => ({ at: [textOf(length, all)], beyond: [textOf(length - 1, all)] }),
  maxLength: (length: number, all) => {
    const longest = textOf(length, all);
    return {
      at: [longest],
      beyond: [isTime(all.field.schema) ? textOf(length + 1, all) : longest.padEnd(length + 1, 'x')],
    };
  },
  minimum: (minimum: number, all) => ({ at: [minimum], beyond: [minimum - leastOf(all)] }),
  maximum: (maximum: number, all) => ({ at: [maximum], beyond: [maximum + leastOf(all)] }),
  minItems: (length: number, { valid, another }) => ({
    at: [itemsOf(valid, length, another)],
    beyond: [itemsOf(valid, length - 1, another)],
  }),
  maxItems: (length: number, { valid, another }) => ({
    at: [itemsOf(valid, length, another)],
    beyond: [itemsOf(valid, length + 1, another)],
  }),
  uniqueItems: (_: true, { valid }) => ({
    at: [valid],
    beyond: [[...itemsOf(valid, 1, valid), ...itemsOf(valid, 1, valid)]],
  }),
  additionalProperties: (_: false, { valid }) => ({
    at: [valid],
    beyond: [{ ...(valid as object), surprise: 1 }],
    pointers: ['/surprise'],
  }),
  required: (names: string[], { valid }) => ({
    at: [Object.fromEntries(names.map((name) => [name, (valid as Record<string, unknown>)[name]]))],
    beyond: names.map((name) => ({ ...(valid as object), [name]: undefined })),
    pointers: names.map((name) => `/${name}`),
  }),
  'x-after': (name: string, { beside }) => ({
    at: [shifted(beside[name], 1)],
    beyond: [shifted(beside[name], 0), shifted(beside[name], -year)],
  }),
  'x-not-before': (name: string, { beside }) => ({ at: [beside[name]], beyond: [shifted(beside[name], -1)] }),
  'x-max-ahead': (duration: string) => {
    const limit = shifted(new Date(), milliseconds(duration));
    // The service reads its clock later.
    return { at: [limit], beyond: [shifted(limit, minute / 4), shifted(limit, year)] };
  },
  'x-max-age': (duration: string) => {
    const limit = shifted(new Date(), -milliseconds(duration));
    return { at: [shifted(limit, 10 * minute)], beyond: [shifted(limit, -1), shifted(limit, -year)] };
  },
  'x-max-before-previous': (duration: string, { previous }) => {
    const limit = shifted(previous, -milliseconds(duration));
    return { at: [limit], beyond: [shifted(limit, -1), shifted(limit, -year)] };
  },
};

/** Keywords that do not restrict requests. */
const annotations =
  /^(title|description|default|examples?|properties|items|x-open-enum|x-enumDescriptions|x-transitions|x-positions)$/;

function unknownKeyword(word: string): never {
  throw new Error(`Add the limits of '${word}' to test/contract-coverage/field-limits.ts`);
}

/**
 * Every rule of a field, with values at and beyond its limit.
 * @throws for an unknown keyword
 */
export function limitsOf(surroundings: Surroundings): Limit[] {
  const words = Object.entries(surroundings.field.schema).filter(([word]) => !annotations.test(word));
  return words.map(([word, value]) => {
    const rule = rules[word] ?? unknownKeyword(word);
    const { at, beyond, pointers = [] } = rule(value as never, surroundings);
    return { rule: word, at, beyond: beyond.map((wrong, index) => ({ value: wrong, pointer: pointers[index] ?? '' })) };
  });
}
