import type { Schema } from '../../fixtures/contract.ts';

/** A JSON text that costs the service as much as possible, and what it consists of. */
export type CostlyBody = readonly [name: string, text: string];

const hole = 'a-hole-for-a-json-text';

/** As many copies of a text as fit, between an opening and a closing one. */
function filled(open: string, text: string, close: string, size: number): string {
  const copies = text.repeat(Math.floor((size - open.length - close.length) / Buffer.byteLength(text)));
  return open + copies.replace(/,$/, '') + close;
}

/** The same with another number of six digits in each copy, in place of `#`. */
function numbered(open: string, text: string, close: string, size: number): string {
  const [before, after] = text.split('#');
  const count = Math.floor((size - open.length - close.length) / (text.length + 5));
  let copies = '';
  for (let number = 100_000; number < 100_000 + count; number++) copies += `${before}${number}${after}`;
  return open + copies.slice(0, -1) + close; // without the last comma
}

/** As many levels as fit. */
function nested(open: string, close: string, size: number): string {
  const levels = Math.floor((size - 1) / (open.length + close.length));
  return `${open.repeat(levels)}0${close.repeat(levels)}`;
}

type Fill = (size: number) => string;
const objects: Record<string, Fill> = {
  'unknown members': (size) => numbered('{', '"k#":0,', '}', size),
  'one member many times': (size) => filled('{', '"a":0,', '}', size),
  '__proto__ many times': (size) => filled('{', '"__proto__":0,', '}', size),
  'one long name': (size) => filled('{"', 'a', '":0}', size),
  'one name of escaped slashes and tildes': (size) => filled('{"', '~/', '":0}', size),
  'nested objects': (size) => nested('{"a":', '}', size),
};
const arrays: Record<string, Fill> = {
  'empty objects': (size) => filled('[', '{},', ']', size),
  numbers: (size) => filled('[', '0,', ']', size),
  'different numbers': (size) => numbered('[', '#,', ']', size),
  'different strings': (size) => numbered('[', '"#",', ']', size),
  'nested arrays': (size) => nested('[', ']', size),
};
const strings: Record<string, Fill> = {
  'a long string': (size) => filled('"', 'a', '"', size),
  'a string of escapes': (size) => filled('"', '\\u0000', '"', size),
  'a string of lone surrogates': (size) => filled('"', '\\ud800', '"', size),
  'a string of spaces': (size) => filled('"', ' ', '"', size),
  'a string of long fractions': (size) => filled('"2026-03-02T08:00:00.', '0', 'Z"', size),
  'a string of colons': (size) => filled('"1', ':', '"', size),
  'a string of bytes beyond ASCII': (size) => filled('"', 'é', '"', size),
};
const numbers: Record<string, Fill> = {
  'a long number': (size) => '1'.repeat(size),
  'a long fraction': (size) => filled('0.', '1', '', size),
};

/** An array of objects, each with one member that has a wrong value. */
function wrongItems({ properties = {} }: Schema): Record<string, Fill> {
  return Object.fromEntries(
    Object.keys(properties).map((name) => [
      `objects with a wrong ${name}`,
      (size) => filled('[', `{"${name}":""},`, ']', size),
    ]),
  );
}

const fillsOf: Record<string, Record<string, Fill>> = {
  object: objects,
  array: arrays,
  string: strings,
  number: numbers,
};
const everyFill: Record<string, Fill> = Object.assign({}, ...Object.values(fillsOf));

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
export function costlyBodies(schema: Schema, valid: unknown, size: number): CostlyBody[] {
  const atRoot = seen.size === 0 ? everyFill : {};
  return places(schema).flatMap(([pointer, { type: types = '', items }]) => {
    const [type = ''] = [types].flat(); // the second one is null
    const ofType = fillsOf[type === 'integer' ? 'number' : type];
    const fills = { ...(pointer === '' && atRoot), ...ofType, ...(items && wrongItems(items)) };
    const [before = '', after = ''] = around(valid, pointer);
    const room = size - before.length - after.length;
    return Object.entries(fills).map(
      ([name, fill]) => [`${name} at '${pointer}'`, before + fill(room) + after] as const,
    );
  });
}
