import { milliseconds } from '@waybill/contract/duration';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { document } from './document.ts';

/** The contract's own words. Those without a check below only describe; the server reads them elsewhere or not at all. */
const words = new Set([...JSON.stringify(document).matchAll(/"(x-[A-Za-z-]+)":/g)].map(([, word]) => word ?? ''));
const dayLength = 24 * 60 * 60 * 1000;

/**
 * When a date or date-time is over, in milliseconds since 1970: a whole day lasts until midnight UTC.
 * NaN when it is neither.
 */
const endOf = (time: unknown): number =>
  dayOrMoment(time) + (matches(fullFormats.date, String(time)) ? dayLength - 1 : 0);

/** Milliseconds since 1970; NaN for what `format` refuses anyway, so that a field is not named twice. */
const moment = (time: unknown): number => (isDateTime(String(time)) ? Date.parse(String(time)) : Number.NaN);
const dayOrMoment = (time: unknown): number =>
  matches(fullFormats.date, String(time)) ? Date.parse(String(time)) : moment(time);

/**
 * A time that can be kept: answers have years of four digits, PostgreSQL has no year 0, JavaScript no leap second. The
 * contract's pattern says the same, but for the year in UTC. An offset is never guessed.
 */
function isDateTime(text: string): boolean {
  if (!/^[12]\d{3}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/i.test(text)) return false;
  const year = new Date(text).getUTCFullYear(); // NaN for a day that no calendar has
  return matches(fullFormats['date-time'], text) && year >= 1000 && year <= 2999;
}

/** An Ajv that knows the contract's formats and words. */
export function contractAjv(): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false, // `type: [string, 'null']` and format-only branches of anyOf are the contract's own style
    strictRequired: false,
    allErrors: true,
    coerceTypes: false,
    useDefaults: false,
    removeAdditional: false,
    verbose: false,
  });
  addFormats.default(ajv, ['date', 'date-time', 'uri', 'uri-reference']);
  ajv.addFormat('date-time', { validate: isDateTime });
  ajv.addFormat('text', { validate: (text: string) => text.isWellFormed() && !text.includes('\0') });
  ajv.addVocabulary(['example', 'xml', 'externalDocs', 'discriminator']);
  ajv.addKeyword({
    keyword: 'x-after',
    type: 'string',
    validate: (sibling: string, data: string, _schema: unknown, at?: { parentData: Record<string, unknown> }) =>
      !(moment(data) <= moment(at?.parentData[sibling])),
    error: { message: ({ schema }) => `must be after ${schema}` },
  });
  ajv.addKeyword({
    keyword: 'x-not-before',
    type: 'string',
    validate: (sibling: string, data: string, _schema: unknown, at?: { parentData: Record<string, unknown> }) =>
      !(endOf(data) < dayOrMoment(at?.parentData[sibling])),
    error: { message: ({ schema }) => `must not be before ${schema}` },
  });
  ajv.addKeyword({
    keyword: 'x-max-ahead',
    type: 'string',
    validate: (duration: string, data: string) => !(moment(data) > Date.now() + milliseconds(duration)),
    error: { message: ({ schema }) => `must not be more than ${schema} ahead of now` },
  });
  ajv.addVocabulary([...words].filter((word) => !ajv.getKeyword(word)));
  return ajv;
}

function matches(format: unknown, text: string): boolean {
  if (typeof format === 'object' && format !== null && 'validate' in format) return matches(format.validate, text);
  if (format instanceof RegExp) return format.test(text);
  return typeof format === 'function' && format(text) === true;
}
