import { isDeepStrictEqual } from 'node:util';
import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js';
import type { SchemaValidateFunction } from 'ajv/dist/types/index.js';
import addFormats from 'ajv-formats';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import document from '../../generated/openapi.json' with { type: 'json' };
import { aheadOf, dayLength } from '../duration.ts';
import { missingFields } from './address-fields.ts';
import { dateOf } from './timestamps.ts';

/** The last millisecond of a date (a whole day in UTC) or date-time; NaN for neither. */
const endOf = (time: unknown): number => startOf(time) + (matches(fullFormats.date, String(time)) ? dayLength - 1 : 0);

/** The text that was read last: several keywords of a field read the same. */
let lastRead = { text: '', time: Number.NaN };

/** Milliseconds since 1970; NaN for what `format` refuses, so that a field is not reported twice. */
function timestampOf(time: unknown): number {
  const text = String(time);
  if (text !== lastRead.text) lastRead = { text, time: readDateTime(text) };
  return lastRead.time;
}
const startOf = (time: unknown): number =>
  matches(fullFormats.date, String(time)) ? Date.parse(String(time)) : timestampOf(time);

/**
 * Reads a timestamp that can be stored and returned: responses have years of four digits, PostgreSQL has no year 0,
 * JavaScript has no leap seconds. The contract's pattern cannot check the year in UTC. Any other is NaN.
 */
function readDateTime(text: string): number {
  const date = usualForm.test(text) ? new Date(text) : undefined;
  if (date?.getUTCDate() === Number(text.slice(8, 10))) return date.getTime();
  return readAnyDateTime(text);
}

/** The form that most clients send. It is valid unless the month does not have the day: then `Date` has another one. */
const usualForm =
  /^[12]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,3})?Z$/;

function readAnyDateTime(text: string): number {
  if (!/^[12]\d{3}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/i.test(text)) return Number.NaN;
  const date = dateOf(text);
  const year = date.getUTCFullYear(); // NaN for a day that does not exist
  const isValid = matches(fullFormats['date-time'], text) && year >= 1000 && year <= 2999;
  return isValid ? date.getTime() : Number.NaN;
}

/** The rules of `x-time`. Handlers check `max_ahead_of_item`. */
interface TimeRules {
  after?: string;
  not_before?: string;
  max_ahead?: string;
}

/** The first rule that a timestamp violates, with the message. @param mayBeDate whether it and the others may be dates */
function violatedTimeRule(
  { after, not_before: notBefore, max_ahead: ahead }: TimeRules,
  time: string,
  fields: Record<string, unknown> = {},
  mayBeDate = false,
): [rule: keyof TimeRules, message: string] | undefined {
  const [start, end] = mayBeDate ? [startOf, endOf] : [timestampOf, timestampOf];
  if (after && timestampOf(time) <= timestampOf(fields[after])) return ['after', `must be after ${after}`];
  if (notBefore && end(time) < start(fields[notBefore])) return ['not_before', `must not be before ${notBefore}`];
  const message = ahead && aheadOf(Date.now(), timestampOf(time), ahead);
  return message ? ['max_ahead', message] : undefined;
}

/** The check of `x-time`. The keyword of its error is the rule. */
const checkTime: SchemaValidateFunction = (rules: TimeRules, time: string, schema, at) => {
  const [keyword, message] = violatedTimeRule(rules, time, at?.parentData, schema?.anyOf !== undefined) ?? [];
  checkTime.errors = keyword && message ? [{ keyword, message, params: {} }] : [];
  return keyword === undefined;
};

/** The check of `x-required-in`. */
const checkRequiredIn: SchemaValidateFunction = (requiredIn: Record<string, string[]>, address) => {
  checkRequiredIn.errors = missingFields(requiredIn, address).map(([missingProperty, message]) => ({
    ...{ keyword: 'x-required-in', message, params: { missingProperty } },
  }));
  return checkRequiredIn.errors.length === 0;
};

/** The check of `uniqueItems`. Ajv's own calls `toString` and `valueOf` of items, which a request may set. */
const checkUniqueItems: SchemaValidateFunction = (_: true, items: unknown[]) => {
  const firstEqual = (item: unknown) => items.findIndex((other) => isDeepStrictEqual(item, other));
  const i = items.findIndex((item, index) => firstEqual(item) < index);
  checkUniqueItems.errors = i < 0 ? [] : [{ keyword: 'uniqueItems', params: { i, j: firstEqual(items[i]) } }];
  return i < 0;
};

/**
 * `pattern` of well-formed Unicode. It passes over text that is too long: `maxLength` reports it, and matching could take
 * long.
 */
const compilePattern = (pattern: string, { maxLength = Number.POSITIVE_INFINITY }: AnySchemaObject) => {
  const form = new RegExp(pattern, 'u');
  // A character has one or two code units.
  return (text: string) => text.length > 2 * maxLength || (text.isWellFormed() && form.test(text));
};

/** The names of the specification extensions that the contract uses. */
const extensionNames = (): Set<string> =>
  new Set([...JSON.stringify(document).matchAll(/"(x-[A-Za-z-]+)":/g)].map(([, name]) => name ?? ''));

function newAjv(): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false, // the contract uses `type: [string, 'null']`
    strictRequired: false,
    allErrors: true,
    coerceTypes: false,
    useDefaults: false,
    removeAdditional: false,
    verbose: true, // messages name the value and the form that the schema requires
    // `lint` has validated the contract. Compiling the schema of schemas would delay every start.
    meta: false,
    validateSchema: false,
  });
  addFormats.default(ajv, ['binary', 'date', 'date-time', 'uri', 'uri-reference']);
  ajv.addFormat('date-time', { validate: (text: string) => !Number.isNaN(timestampOf(text)) });
  ajv.addFormat('int32', true); // `type`, `minimum` and `maximum` say it more exactly
  ajv.addVocabulary(['example', 'xml', 'externalDocs', 'discriminator']);
  ajv.removeKeyword('pattern').addKeyword({ keyword: 'pattern', type: 'string', compile: compilePattern });
  ajv
    .removeKeyword('uniqueItems')
    .addKeyword({ keyword: 'uniqueItems', type: 'array', errors: true, validate: checkUniqueItems });
  ajv.addKeyword({ keyword: 'x-time', type: 'string', errors: true, validate: checkTime });
  ajv.addKeyword({ keyword: 'x-required-in', type: 'object', errors: true, validate: checkRequiredIn });
  // Extensions without a check here only describe, or a handler checks them.
  ajv.addVocabulary([...extensionNames()].filter((name) => !ajv.getKeyword(name)));
  return ajv;
}

function matches(format: unknown, text: string): boolean {
  if (typeof format === 'object' && format !== null && 'validate' in format) return matches(format.validate, text);
  if (format instanceof RegExp) return format.test(text);
  return typeof format === 'function' && format(text) === true;
}

/** The Ajv of this process, with the contract's formats and extensions. It compiles each schema once. */
export const contractAjv: Ajv2020 = newAjv();
