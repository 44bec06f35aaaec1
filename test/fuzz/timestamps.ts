import fc from 'fast-check';
import { milliseconds } from '../fixtures/contract.ts';
import type { Known, Schema } from './schema.ts';

/** Within four-digit years at every offset. */
const [earliest, latest] = [Date.UTC(1000, 0, 5), Date.UTC(2999, 11, 29)];
const day = 24 * 60 * 60 * 1000;
/** The service checks a request later than it is made. */
const slack = 10 * 60_000;

const formats = ({ format, anyOf }: Schema): (string | undefined)[] =>
  (anyOf ?? [{ format } as Schema]).map((one) => one.format);
export const isTime = (schema: Schema): boolean => formats(schema).includes('date-time');
/** The sibling field that a rule across fields compares with. */
export const siblingOf = (schema: Schema | undefined): string | undefined =>
  schema?.['x-after'] ?? schema?.['x-not-before'];

/** Timestamps that a schema's format and `x-` rules allow now, often the first and the last. */
export function validTimestamps(schema: Schema, { previous }: Known, sibling?: unknown): fc.Arbitrary<string> {
  const { 'x-max-ahead': ahead, 'x-max-age': age, 'x-max-before-previous': before, 'x-after': after } = schema;
  // A day later than the sibling's maximum, so that there always is a later timestamp.
  const max = ahead ? Date.now() + milliseconds(ahead) : latest + (sibling ? day : 0);
  const oldest = age ? Date.now() - milliseconds(age) + slack : earliest;
  const since = before && previous !== undefined ? previous - milliseconds(before) : oldest;
  const min = typeof sibling === 'string' ? Date.parse(sibling) + (after ? 1 : 0) : since;
  return within(schema, min, max);
}

/** Timestamps that break one of a schema's `x-` rules, given the sibling's value. */
export function invalidTimestamps(
  schema: Schema,
  word: keyof Schema,
  { previous = 0 }: Known,
  sibling?: unknown,
): fc.Arbitrary<string> {
  const limit = milliseconds(String(schema[word]));
  // A minute, because the service checks a request later than it is made.
  if (word === 'x-max-ahead') return within(schema, Date.now() + limit + 60_000, latest);
  if (word === 'x-max-age') return within(schema, earliest, Date.now() - limit - 1);
  if (word === 'x-max-before-previous') return within(schema, earliest, previous - limit - 1);
  const than = Date.parse(String(sibling));
  if (word === 'x-after') return within(schema, earliest - day, than);
  // A date lasts until midnight, so a date before a timestamp begins a day earlier.
  return formats(schema).includes('date')
    ? fc.oneof(written(earliest - 2 * day, than - 1), dates(earliest - 2 * day, than - day))
    : written(earliest - day, than - 1);
}

function within(schema: Schema, min: number, max: number): fc.Arbitrary<string> {
  return formats(schema).includes('date') ? fc.oneof(dates(min, max), written(min, max)) : written(min, max);
}

const dates = (min: number, max: number): fc.Arbitrary<string> =>
  fc.integer({ min, max }).map((timestamp) => new Date(timestamp).toISOString().slice(0, 10));

/** A timestamp in any RFC 3339 notation: offset, fraction and case of `T` and `Z`. */
function written(min: number, max: number): fc.Arbitrary<string> {
  const recent = Math.min(max, Math.max(min, Date.now() - 60_000));
  const near = fc.integer({ min: Math.max(min, max - day), max });
  const timestamp = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(min, max) },
    { weight: 3, arbitrary: fc.oneof(fc.constant(recent), near, fc.integer({ min, max })) },
  );
  const offset = fc.oneof(fc.constantFrom('Z', 'z', '+00:00', '-00:00'), fc.integer({ min: -1439, max: 1439 }));
  const finer = fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 6 });
  return fc
    .tuple(timestamp, offset, finer, fc.boolean(), fc.constantFrom('T', 't'))
    .map(([at, zone, digits, short, separator]) => {
      const ahead = typeof zone === 'number' ? zone : 0;
      const [date, clock = ''] = new Date(at + ahead * 60_000).toISOString().slice(0, -1).split('T');
      const [seconds, fraction = ''] = clock.split('.');
      return `${date}${separator}${seconds}${short && fraction === '000' ? '' : `.${fraction}${digits}`}${typeof zone === 'number' ? clockOf(zone) : zone}`;
    });
}

function clockOf(minutes: number): string {
  const two = (count: number): string => String(Math.trunc(count)).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
}
