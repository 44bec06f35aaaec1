import { variables } from '@waybill/server/config';
import fc from 'fast-check';
import { milliseconds, type Schema } from '../../fixtures/contract/contract.ts';
import type { Draw, Given } from './given.ts';

const day = 24 * 60 * 60_000;
/** Within four-digit years at every offset, with a day for later or earlier timestamps of siblings. */
const [earliest, latest] = [Date.UTC(1000, 0, 5), Date.UTC(2999, 11, 28)];
const maxLength = 40;
/** The service checks a request later than it is made. */
const slack = 10 * 60_000;

const formats = ({ format, anyOf }: Schema) => (anyOf ?? [{ format }]).map((one) => one.format);
export const isTime = (schema: Schema): boolean => formats(schema).includes('date-time');
const mayBeDate = (schema: Schema): boolean => formats(schema).includes('date');
export const siblingOf = (schema: Schema): string | undefined =>
  schema['x-time']?.after ?? schema['x-time']?.not_before;

const dateOf = (timestamp: number): string => new Date(timestamp).toISOString().slice(0, 10);

/** A timestamp of a position that is not older than the retention time. */
export const recentTimestamp = (schema: Schema, given: Given): string =>
  validTimestamp(schema, given, undefined, Date.now() - Number(variables.POSITION_DAYS.default) * day + slack);

/** A timestamp that a schema's format and `x-time` allow now. */
export function validTimestamp(
  schema: Schema,
  { draw, nth }: Given,
  sibling?: unknown,
  oldest: number = earliest,
): string {
  const { max_ahead_of_item, max_ahead: ahead = max_ahead_of_item, ...rules } = schema['x-time'] ?? {};
  const { after } = rules;
  const max = ahead ? Date.now() + milliseconds(ahead) : latest + (sibling ? day : 0);
  const min = typeof sibling === 'string' ? Date.parse(sibling) + (after ? 1 : 0) : oldest;
  const recent = Math.min(max, Math.max(min, Date.now() - 60_000));
  const any = fc.oneof(fc.constantFrom(min, max, recent), fc.integer({ min: Math.max(min, max - day), max }));
  const timestamp = nth === undefined ? draw(fc.oneof(any, fc.integer({ min, max }))) : nth % 2 ? max : min;
  return mayBeDate(schema) && draw(fc.boolean()) ? dateOf(timestamp) : notated(draw, timestamp);
}

/** That of an item does not make the request invalid. */
type TimeRule = Exclude<keyof NonNullable<Schema['x-time']>, 'max_ahead_of_item'>;

/** Timestamps beyond a rule of a schema's `x-time`: just beyond and any. */
export function timestampsBeyond(schema: Schema, rule: TimeRule, { draw }: Given, sibling?: unknown) {
  const limit = milliseconds(String(schema['x-time']?.[rule]));
  const other = Date.parse(String(sibling));
  const [nearest = 0, farthest = 0] = {
    max_ahead: [Date.now() + limit + 60_000, latest], // the service checks a request later than it is made
    after: [other, earliest - day],
    not_before: [other - 1, earliest - day],
  }[rule] as [number, number];
  const any = (first: number) => draw(fc.integer({ min: Math.min(first, farthest), max: Math.max(first, farthest) }));
  // A date lasts until midnight, so a date before a timestamp begins a day earlier.
  const date = mayBeDate(schema) ? [dateOf(any(nearest - day))] : [];
  return [notated(draw, nearest), notated(draw, any(nearest)), ...date];
}

/** The text of an offset in each notation, and its minutes. */
const zones = fc.oneof(
  fc.constantFrom('Z', 'z', '+00:00', '-00:00').map((zone) => [zone, 0] as const),
  fc.integer({ min: -1439, max: 1439 }).map((minutes) => {
    const clock = new Date(Math.abs(minutes) * 60_000).toISOString().slice(11, 16);
    return [`${minutes < 0 ? '-' : '+'}${clock}`, minutes] as const;
  }),
);
/** V8 misreads fractions of more than nine digits, unless they are zeros. */
const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 6 });

/** A timestamp in any RFC 3339 notation: offset, fraction and case of `T` and `Z`. */
function notated(draw: Draw, timestamp: number): string {
  const [zone, offset] = draw(zones);
  const [date, clock = ''] = new Date(timestamp + offset * 60_000).toISOString().slice(0, -1).split('T');
  const isWhole = clock.endsWith('.000') && draw(fc.boolean());
  const whole = fc.constantFrom(clock.slice(0, 8), clock.padEnd(maxLength - 'yyyy-mm-ddT'.length - zone.length, '0'));
  return `${date}${draw(fc.constantFrom('T', 't'))}${isWhole ? draw(whole) : clock + draw(digits)}${zone}`;
}

/** Valid but for its length, and not after any timestamp of a sibling. */
export const tooLongTimestamp = `${'1000-01-02T08:00:00.'.padEnd(maxLength, '0')}Z`;

/** Timestamps outside the years 1000 to 2999 in UTC, and a leap second, which Date cannot represent. */
export const timestampsOutOfRange = [
  ...['0999-12-31T00:00:00Z', '3000-01-01T00:00:00Z', '2999-12-31T23:59:59-01:00', '1000-01-01T00:00:00+01:00'],
  '0000-01-01T00:00:00Z', // PostgreSQL has no year 0
  '9999-12-31T23:59:59-01:00', // becomes a year of five digits
  '2016-12-31T23:59:60Z',
];

/** A day that does not exist, and text that is neither a date nor a date-time. */
export const notTimestamps = [
  ...['2026-02-30T09:15:00Z', '', 'now', '0', '1772000000', '2026-03-02T09:15:00', '2026-03-02T09:15Z', '2026-13-01'],
  ...['2026-03-02T24:15:00Z', '2026-03-02T09:60:00Z', '2026-03-02T09:15:00+25:00', '2026-03-02T09:15:00+0100x'],
  ...['20260302T091500Z', 'Mon, 02 Mar 2026 09:15:00 GMT', '2026-03-02T09:15:00,5Z', '02026-03-02T09:15:00Z'],
  ...['2026-3-2', '2026-03-02 08:00:00Z', '+002026-03-03T16:00:00Z', '2026-03-03T25:00:00Z'],
];
