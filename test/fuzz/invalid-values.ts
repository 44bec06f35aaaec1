import fc from 'fast-check';
import type { Schema } from './schema.ts';
import { codePoint, textOf, valid } from './valid-values.ts';

/** Values of every other type than this one. */
export function ofOtherType(type: string, asText: boolean): fc.Arbitrary<unknown> {
  if (asText)
    return fc.constantFrom('abc', '1.5', '', 'true', 'null', 'NaN', '1,5', '٣', '0x10', '0b11', '+10', ' 10', '010');
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
  return fc.constantFrom(...values.flatMap(([other, some]) => (isOther(other) ? some : [])));
}

/** Names of unknown fields. */
export const unknownNames = (names: string[], asText: boolean): fc.Arbitrary<string> =>
  fc
    .oneof(
      fc.constantFrom('id', 'a/b', 'c~d', '~1', '__proto__', 'constructor', 'toString', 'ß', 'Type', ' '),
      textOf(0, 12),
    )
    .filter((name) => !names.includes(name) && (!asText || name !== ''));

/** Text with one character added, removed or replaced: what an unanchored pattern accepts. */
export function nearMisses(schema: Schema): fc.Arbitrary<string> {
  const pattern = new RegExp(schema.pattern ?? '', 'u');
  const put = fc.oneof(codePoint, fc.constantFrom('', ...' \n-_=.é0zAZ'));
  const missed = fc
    .tuple(valid(schema) as fc.Arbitrary<string>, fc.nat(), fc.constantFrom(0, 1), put)
    .map(([text, at, gone, other]) => {
      const index = at % (text.length + 1);
      return text.slice(0, index) + other + text.slice(index + gone);
    });
  return fc.oneof(missed, textOf(0, 40)).filter((text) => !pattern.test(text));
}

/** Text with NUL or, in JSON, a lone surrogate. */
export function malformedText(maxLength: number, asText: boolean): fc.Arbitrary<string> {
  const bad = asText ? fc.constant('\0') : fc.constantFrom('\0', '\ud800', '\udfff');
  const some = textOf(0, Math.min(10, Math.floor((maxLength - 1) / 2)));
  return fc.tuple(some, bad, some).map((parts) => parts.join(''));
}

/** Timestamps outside the years 1000 to 2999, and a leap second. */
export const outOfRangeTimestamps: fc.Arbitrary<string> = fc.constantFrom(
  ...['0999-12-31T00:00:00Z', '3000-01-01T00:00:00Z', '0000-01-01T00:00:00Z', '2016-12-31T23:59:60Z'],
);

/** Text that is neither a date nor a date-time. */
export const malformedTimestamps: fc.Arbitrary<string> = fc.constantFrom(
  ...['', 'now', '0', '1772000000', '2026-03-02T09:15:00', '2026-03-02T09:15Z', '2026-02-30T09:15:00Z', '2026-13-01'],
  ...['2026-03-02T24:15:00Z', '2026-03-02T09:60:00Z', '2026-03-02T09:15:00+25:00', '2026-03-02T09:15:00+0100x'],
  ...['20260302T091500Z', 'Mon, 02 Mar 2026 09:15:00 GMT', '2026-03-02T09:15:00,5Z', '02026-03-02T09:15:00Z'],
  '2026-3-2',
);

/** Numbers beyond a bound. */
export function beyond(bound: number, way: 1 | -1, type: string): fc.Arbitrary<number> {
  const far = [1, 2, 1000, 2 ** 31, 2 ** 53].map((distance) => bound + way * distance);
  return fc.constantFrom(...far, ...(type === 'number' ? [bound + way * 1e-9, way * 1e300] : []));
}
