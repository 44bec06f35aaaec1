import type { ErrorObject } from 'ajv/dist/2020.js';
import { maxFieldErrors } from '../../generated/limits.ts';
import type { components } from '../../generated/types.ts';
import { fieldErrorCodes } from '../field-error-codes.ts';

type FieldError = components['schemas']['FieldError'];

/** Characters of a pointer in a problem; what is longer is cut. */
const maxPointer = 2048;

/** Converts the errors of Ajv to invalid fields of a problem, at most 50. */
export function fieldErrors(part: FieldError['in'], errors: ErrorObject[]): FieldError[] {
  // An anyOf is reported as one error: those of its branches would name the field again.
  const withoutBranches = errors.filter(({ schemaPath }) => !schemaPath.includes('/anyOf/'));
  const pathsOf = (...keywords: string[]): Set<string> =>
    new Set(
      withoutBranches.filter(({ keyword }) => keywords.includes(keyword)).map(({ instancePath }) => instancePath),
    );
  const [types, formats] = [pathsOf('type'), pathsOf('format', 'minLength')];
  // A value of the wrong type violates the other keywords, too, and one of the wrong format or too short the pattern.
  const reported = withoutBranches.filter(
    ({ keyword, instancePath }) =>
      keyword === 'type' || !(types.has(instancePath) || (keyword === 'pattern' && formats.has(instancePath))),
  );
  return reported.slice(0, maxFieldErrors).map((error) => fieldError(part, error));
}

function fieldError(part: FieldError['in'], error: ErrorObject): FieldError {
  const { keyword, instancePath, params, message = '' } = error;
  const child: string | undefined = params.missingProperty ?? params.additionalProperty;
  const detail = (part === 'query' && queryMistake(error)) || (wording[keyword]?.(params, error) ?? message);
  return {
    in: part,
    pointer:
      child === undefined ? instancePath : `${instancePath}/${escaped(child)}`.slice(0, maxPointer).toWellFormed(),
    code: fieldErrorCodes[keyword] ?? 'not_allowed',
    detail: detail.slice(0, 500),
  };
}

/** What to send in place of a parameter that a client has encoded in another way; undefined for other errors. */
function queryMistake(error: ErrorObject): string | undefined {
  const { keyword, data, params, parentSchema = {} } = error;
  if (keyword === 'additionalProperties') {
    const [, name = ''] = /^([^[]+)\[.*\]$/.exec(params.additionalProperty) ?? [];
    const parameter = Object.hasOwn(parentSchema.properties, name) && parentSchema.properties[name];
    return parameter ? `is unknown: send \`${name}\` ${howOften(parameter)}` : undefined;
  }
  // `part-validator.ts` has split a list; what was sent several times is not one.
  const isRepeated = isList(parentSchema) ? keyword === 'type' : Array.isArray(data);
  if (isRepeated) return `must be sent ${howOften(parentSchema)}`;
  // In a query, + is a space.
  if (/^\d{4}-\d\d-\d\dT[\d:.]* \d\d:?\d\d$/.test(String(data))) return 'must have its `+` encoded as `%2B`';
  if (keyword === 'type' && params.type === 'boolean')
    return `must be ${(parentSchema.enum ?? [true, false]).join(' or ')}`;
  const corrected = keyword === 'pattern' ? correctedText(error) : undefined;
  return corrected && `must be written as \`${corrected}\``;
}

const isList = (schema: object): boolean => 'type' in schema && schema.type === 'array';

const howOften = (schema: object): string =>
  isList(schema) ? 'once, with its values separated by commas' : 'only once';

/** A query parameter that is not percent-encoded UTF-8. */
export const encodingError = (name: string): FieldError => ({
  in: 'query',
  pointer: `/${escaped(name)}`.slice(0, maxPointer),
  code: 'invalid_format',
  detail: 'must be percent-encoded UTF-8',
});

/** A name as a token of a JSON pointer (RFC 6901, section 3). */
const escaped = (name: string): string => name.slice(0, maxPointer).replace(/~/g, '~0').replace(/\//g, '~1');

/** White space, also such as has no width. */
const space = /[\s\u200b-\u200f\u2060\ufeff]/g;

/** The text without spaces, in capital or small letters, that a value should be. Undefined if there is none. */
export function correctedText({ data, parentSchema: { pattern } = {} }: ErrorObject): string | undefined {
  if (typeof data !== 'string' || pattern === undefined) return undefined;
  const text = data.slice(0, 500).replaceAll(space, '');
  const valid = new RegExp(pattern, 'u');
  return [text, text.toUpperCase(), text.toLowerCase()].find((corrected) => valid.test(corrected));
}

/** The form that the pattern of a schema requires, to follow `they` and `must`. */
export function requiredForm({ data, parentSchema }: ErrorObject): string {
  const { pattern = '', examples: [example] = [] } = parentSchema as { pattern?: string; examples?: unknown[] };
  if (pattern.includes('\\p{')) return readableForm(pattern);
  const [, prefix] = /^\^([a-z]+_)/.exec(pattern) ?? [];
  if (prefix && !String(data).startsWith(prefix)) return `begin with \`${prefix}\``;
  return example === undefined ? 'have the form that its description states' : `have the form of \`${example}\``;
}

/** That of text for people: `Line` and `Text` of spec/schemas/common.yaml. */
const readableForm = (pattern: string): string =>
  new RegExp(pattern, 'u').test('two\nlines')
    ? 'have a visible character, and be well-formed Unicode without NUL'
    : 'have a visible character, and no control characters, line breaks or characters that override the direction';

/** Details that replace Ajv's messages, which are for readers of schemas. */
const wording: Record<string, (params: ErrorObject['params'], error: ErrorObject) => string> = {
  required: () => 'is required',
  additionalProperties: () => 'is unknown',
  type: ({ type }, { data }) =>
    `must be ${[type].flat().map(withArticle).join(' or ')}${data === null ? ', not null: leave out what has no value' : ''}`,
  enum: ({ allowedValues }) => `must be one of ${[...new Set(allowedValues.map(String))].join(', ')}`,
  // The contract's only anyOf is a date or a date-time.
  anyOf: () => 'must be a date (YYYY-MM-DD) or a date-time with an offset',
  format: ({ format }) =>
    ({
      'date-time': 'must be an existing date-time with an offset, such as 2026-03-02T09:15:00Z',
    })[String(format)] ?? `must be a ${format}`,
  pattern: (_, error) => `must ${requiredForm(error)}`,
  minLength: ({ limit }) => `must have at least ${counted(limit, 'character')}`,
  maxLength: ({ limit }) => `must have at most ${counted(limit, 'character')}`,
  minItems: ({ limit }) => `must have at least ${counted(limit, 'item')}`,
  maxItems: ({ limit }) => `must have at most ${counted(limit, 'item')}`,
  minProperties: ({ limit }) => `must have at least ${counted(limit, 'field')}`,
  uniqueItems: ({ i, j }) => `must not have equal items, such as ${j} and ${i}`,
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
};

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
const withArticle = (type: string): string =>
  type === 'null' ? type : `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
