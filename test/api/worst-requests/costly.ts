import type { Schema } from '../../fixtures/contract/contract.ts';

/** A request that costs the service as much as possible: its changes to a valid one. */
export interface Costly {
  name: string;
  query?: string;
  headers?: Record<string, string>;
  /** Stands for every parameter of the path. */
  segment?: string;
  body?: string;
}

/** Fits into a head of 16 KiB beside what every request has. */
const repeated = (text: string): string => text.repeat(Math.floor(15_000 / text.length));

export const costlyHeads: Costly[] = [
  { name: 'a query of separators', query: repeated('&') },
  { name: 'limit many times', query: repeated('&limit=1') },
  { name: 'many unknown parameters', query: Array.from({ length: 1500 }, (_, index) => `k${index}=1`).join('&') },
  { name: 'a limit of many digits', query: `limit=${repeated('1')}` },
  { name: 'a list of many values', query: `status=${repeated(',')}` },
  { name: 'a reference of broken escapes', query: `reference=${repeated('%ff')}` },
  { name: 'a date of many digits', query: `from_date=2026-03-02T08:00:00.${repeated('0')}` },
  { name: 'a cursor of many characters', query: `cursor=${repeated('A')}!` },
  { name: 'many ETags', headers: { 'if-none-match': repeated('"a",') } },
  { name: 'an ETag list of spaces', headers: { 'if-none-match': `"a"${repeated(' ')}x` } },
  { name: 'ETags without an end', headers: { 'if-none-match': repeated('"') } },
  { name: 'a long Idempotency-Key', headers: { 'idempotency-key': repeated('k') } },
  { name: 'a long X-Request-Id', headers: { 'x-request-id': repeated('r') } },
  { name: 'a long X-Forwarded-For', headers: { 'x-forwarded-for': repeated('1.2.3.4,') } },
  { name: 'a long Accept', headers: { accept: repeated('*/*;q=0.1,') } },
  { name: 'a Content-Type of parameters', headers: { 'content-type': `application/json${repeated(';a=b')}` } },
  { name: 'a path of escapes', segment: repeated('%2e') },
  { name: 'a long path', segment: repeated('A') },
  { name: 'a path of slashes', segment: repeated('/') },
];

/** How to make a JSON text of a size. */
interface Fill {
  name: string;
  make: (size: number) => string;
}

/** As many copies as fit between two texts, with another number of six digits in each in place of `#`. */
const filled = (open: string, copy: string, close: string): Fill => ({
  name: `${open}${copy}…${close}`,
  make(size) {
    const width = Buffer.byteLength(copy.replace('#', '100000'));
    const count = Math.floor((size - open.length - close.length) / width);
    const copies = copy.includes('#')
      ? Array.from({ length: count }, (_, index) => copy.replace('#', `${100_000 + index}`)).join('')
      : copy.repeat(count);
    return open + copies.replace(/,$/, '') + close;
  },
});

/** As many levels as fit. */
const nested = (open: string, close: string): Fill => ({
  name: `${open}${open}…${close}${close}`,
  make(size) {
    const levels = Math.floor((size - 1) / (open.length + close.length));
    return `${open.repeat(levels)}0${close.repeat(levels)}`;
  },
});

const object = ['"k#":0,', '"a":0,', '"__proto__":0,'].map((member) => filled('{', member, '}'));
const array = ['{},', '0,', '#,', '"#",'].map((item) => filled('[', item, ']'));
const string = ['a', '\\u0000', '\\ud800', ' ', ':', 'é'].map((text) => filled('"', text, '"'));
const fills: Record<string, Fill[]> = {
  object: [...object, filled('{"', 'a', '":0}'), filled('{"', '~/', '":0}'), nested('{"a":', '}')],
  array: [...array, nested('[', ']')],
  string: [...string, filled('"2026-03-02T08:00:00.', '0', 'Z"')],
  number: [filled('', '1', ''), filled('0.', '1', '')],
};

/** The rules of the places so far. */
const seen = new Set<string>();

/** Every place of a body, by JSON pointer; of places with equal rules, also in other bodies, the first. */
function places(schema: Schema, pointer = ''): [string, Schema][] {
  const { description: _, minLength: __, maxLength: ___, ...others } = schema;
  const { properties = {}, items } = others;
  const rules = JSON.stringify(others);
  const isNew = !seen.has(rules);
  seen.add(rules);
  return [
    ...(isNew ? [[pointer, schema] satisfies [string, Schema]] : []),
    ...Object.entries(properties).flatMap(([name, property]) => places(property, `${pointer}/${name}`)),
    ...(items ? places(items, `${pointer}/0`) : []),
  ];
}

/** A valid body as JSON text: what is before and after the value at a pointer. */
function around(valid: unknown, pointer: string): string[] {
  const hole = 'a-hole-for-a-json-text';
  const root: Record<string, unknown> = structuredClone({ body: valid });
  const keys = `body${pointer}`.split('/');
  const last = keys.pop() as string;
  keys.reduce((node, key) => node[key] as typeof root, root)[last] = hole;
  return JSON.stringify(root.body).split(JSON.stringify(hole));
}

/**
 * Bodies of `size` bytes, made from an operation's schema: every place of a valid body with each kind of text of its own
 * type. The first operation has also whole bodies of every other type, which all operations refuse alike.
 */
export function costlyBodies(schema: Schema, valid: unknown, size: number): Costly[] {
  const atRoot = seen.size === 0 ? Object.values(fills).flat() : [];
  return places(schema).flatMap(([pointer, { type: types = '', items }]) => {
    const [type = ''] = [types].flat(); // the second one is null
    const wrong = Object.keys(items?.properties ?? {}).map((name) => filled('[', `{"${name}":""},`, ']'));
    const own = [...(fills[type === 'integer' ? 'number' : type] ?? []), ...wrong];
    const [before = '', after = ''] = around(valid, pointer);
    const make = ({ name, make }: Fill): Costly => {
      return { name: `${name} at '${pointer}'`, body: before + make(size - before.length - after.length) + after };
    };
    return [...new Set([...(pointer === '' ? atRoot : []), ...own])].map(make);
  });
}
