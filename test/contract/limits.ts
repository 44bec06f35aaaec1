import { milliseconds } from '../fixtures/contract.ts';
import type { Field, Schema } from './requests.ts';

/** What a rule just allows and what it just does not. */
export interface Limit {
  rule: string;
  at: unknown[];
  beyond: Beyond[];
}

interface Beyond {
  value: unknown;
  /** Where the problem must point, below the field itself. */
  pointer: string;
}

/** What a rule may need to know beside its own value. */
interface Surroundings {
  field: Field;
  /** A value of the field that is known to be good. */
  good: unknown;
  /** The good values of the fields beside it. */
  beside: Record<string, unknown>;
  /** The time of the shipment's last event. */
  previous: string;
  /** One more item for an array. */
  another: unknown;
  /** Only the service makes such values: any other of the same form leads nowhere. */
  isOurs: boolean;
}

type Rule = (value: never, surroundings: Surroundings) => { at: unknown[]; beyond: unknown[]; pointers?: string[] };

const minute = 60_000;
const year = 365 * 24 * 60 * minute;
const shifted = (time: unknown, by: number): string => new Date(Date.parse(String(time)) + by).toISOString();
const inZone = (time: unknown, hours: number, zone: string): string =>
  shifted(time, hours * 60 * minute).replace('Z', zone);

const isTime = ({ format, anyOf }: Schema): boolean => format === 'date-time' || anyOf !== undefined;

/** A string of a length that is good in every other way. */
function textOf(length: number, { field: { schema }, good, isOurs }: Surroundings): string {
  if (isOurs) return String(good);
  if (isTime(schema))
    return `${shifted(good, 0)
      .replace('Z', '')
      .padEnd(length - 1, '0')}Z`;
  const candidates = ['x'.repeat(length), `"${'x'.repeat(Math.max(0, length - 2))}"`];
  const fits = (text: string): boolean => new RegExp(String(schema.pattern ?? ''), 'u').test(text);
  // A pattern of a form of its own, such as an identifier's: the good value has it.
  return candidates.find(fits) ?? String(good);
}

/** As little as a number may change. */
const leastOf = ({ field: { schema } }: Surroundings): number => (schema.type === 'integer' ? 1 : 1e-6);

/** A good array, shorter or longer. */
const itemsOf = (good: unknown, length: number, another: unknown): unknown[] =>
  [...(good as unknown[]), ...Array<unknown>(length).fill(another)].slice(0, length);

const noTimes = ['2026-03-02T08:00:00', '2026-02-30T08:00:00Z', '2026-03-02T08:00Z', '2026-03-02 08:00:00Z', 'now'];
const formats: Record<string, (surroundings: Surroundings) => ReturnType<Rule>> = {
  'date-time': ({ good }) => ({ at: [inZone(good, 14, '+14:00'), inZone(good, -12, '-12:00')], beyond: noTimes }),
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
  type: (type: string, { field, good }) => ({
    at: [good],
    beyond:
      type === 'string' && field.in !== 'body' ? [] : (values[field.in] ?? []).filter((value) => !isOf(type, value)),
  }),
  enum: (allowed: unknown[]) => ({ at: allowed, beyond: ['no_such_value'] }),
  pattern: (_: string, { field: { schema }, good }) => {
    if (!isTime(schema)) return { at: [good], beyond: [`é${good}`, `${good}é`] };
    const later = (years: string) => `${years}${String(good).slice(4)}`;
    return { at: [good], beyond: [later('0999'), later('3000'), '2016-12-31T23:59:60Z'] };
  },
  format: (format: string, surroundings) => formats[format]?.(surroundings) ?? unknownWord(`format: ${format}`),
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
  minItems: (length: number, { good, another }) => ({
    at: [itemsOf(good, length, another)],
    beyond: [itemsOf(good, length - 1, another)],
  }),
  maxItems: (length: number, { good, another }) => ({
    at: [itemsOf(good, length, another)],
    beyond: [itemsOf(good, length + 1, another)],
  }),
  uniqueItems: (_: true, { good }) => ({
    at: [good],
    beyond: [[...itemsOf(good, 1, good), ...itemsOf(good, 1, good)]],
  }),
  additionalProperties: (_: false, { good }) => ({
    at: [good],
    beyond: [{ ...(good as object), surprise: 1 }],
    pointers: ['/surprise'],
  }),
  required: (names: string[], { good }) => ({
    at: [Object.fromEntries(names.map((name) => [name, (good as Record<string, unknown>)[name]]))],
    beyond: names.map((name) => ({ ...(good as object), [name]: undefined })),
    pointers: names.map((name) => `/${name}`),
  }),
  'x-after': (name: string, { beside }) => ({
    at: [shifted(beside[name], 1)],
    beyond: [shifted(beside[name], 0), shifted(beside[name], -year)],
  }),
  'x-not-before': (name: string, { beside }) => ({ at: [beside[name]], beyond: [shifted(beside[name], -1)] }),
  'x-max-ahead': (duration: string) => {
    const limit = shifted(new Date(), milliseconds(duration));
    // The service reads its clock later than this.
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

/** Words that say nothing of what may be sent. */
const silent =
  /^(title|description|default|examples?|properties|items|x-open-enum|x-enumDescriptions|x-transitions|x-positions)$/;

function unknownWord(word: string): never {
  throw new Error(`Teach the tests what '${word}' just allows and just forbids: test/contract/limits.ts`);
}

/**
 * Every rule of a field, with values on both sides of it.
 * @throws when the contract has a word that is not known here
 */
export function limitsOf(surroundings: Surroundings): Limit[] {
  const words = Object.entries(surroundings.field.schema).filter(([word]) => !silent.test(word));
  return words.map(([word, value]) => {
    const rule = rules[word] ?? unknownWord(word);
    const { at, beyond, pointers = [] } = rule(value as never, surroundings);
    return { rule: word, at, beyond: beyond.map((wrong, index) => ({ value: wrong, pointer: pointers[index] ?? '' })) };
  });
}
