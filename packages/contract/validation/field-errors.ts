import type { ErrorObject } from 'ajv/dist/2020.js';
import { fieldErrorCodes } from '../field-error-codes.ts';
import { maxFieldErrors } from '../generated/limits.ts';
import type { components } from '../generated/types.ts';

type FieldError = components['schemas']['FieldError'];

/** Characters of a pointer in a problem; what is longer is cut. */
const maxPointer = 2048;

/** Converts the errors of Ajv to invalid fields of a problem, at most 50. */
export function fieldErrors(part: FieldError['in'], errors: ErrorObject[]): FieldError[] {
  // An anyOf is reported as one error: those of its branches would name the field again.
  const withoutBranches = errors.filter(({ schemaPath }) => !schemaPath.includes('/anyOf/'));
  // A value that has the wrong format does not match the pattern either.
  const formatErrors = withoutBranches.filter(({ keyword }) => keyword === 'format');
  const formatErrorPaths = new Set(formatErrors.map(({ instancePath }) => instancePath));
  const reported = withoutBranches.filter(
    ({ keyword, instancePath }) => keyword !== 'pattern' || !formatErrorPaths.has(instancePath),
  );
  return reported.slice(0, maxFieldErrors).map((error) => fieldError(part, error));
}

function fieldError(part: FieldError['in'], error: ErrorObject): FieldError {
  const { keyword, instancePath, params, message = '' } = error;
  const child: string | undefined = params.missingProperty ?? params.additionalProperty;
  return {
    in: part,
    pointer:
      child === undefined ? instancePath : `${instancePath}/${escaped(child)}`.slice(0, maxPointer).toWellFormed(),
    code: fieldErrorCodes[keyword] ?? 'not_allowed',
    detail: (wording[keyword]?.(params, error) ?? message).slice(0, 500),
  };
}

/** A query parameter that is not percent-encoded UTF-8. */
export const encodingError = (name: string): FieldError => ({
  in: 'query',
  pointer: `/${escaped(name)}`.slice(0, maxPointer),
  code: 'invalid_format',
  detail: 'must be percent-encoded UTF-8',
});

/** A name as a token of a JSON pointer (RFC 6901, section 3). */
const escaped = (name: string): string => name.slice(0, maxPointer).replace(/~/g, '~0').replace(/\//g, '~1');

/** The form that the pattern of a schema requires, to follow `they` and `must`. */
export function requiredForm({ data, parentSchema }: ErrorObject): string {
  const { pattern = '', examples: [example] = [] } = parentSchema as { pattern?: string; examples?: unknown[] };
  const [, list] = /^\^\(([^()]+)\)\(,\(/.exec(pattern) ?? [];
  if (list) return `be one or more of ${list.replaceAll('\\', '').replaceAll('|', ', ')}, separated by commas`;
  const [, prefix] = /^\^([a-z]+_)/.exec(pattern) ?? [];
  if (prefix && !String(data).startsWith(prefix)) return `begin with \`${prefix}\``;
  return `have the form of \`${example}\``;
}

/** Details that replace Ajv's messages, which are for readers of schemas. */
const wording: Record<string, (params: ErrorObject['params'], error: ErrorObject) => string> = {
  required: () => 'is required',
  additionalProperties: () => 'is unknown',
  type: ({ type }) => `must be ${[type].flat().map(withArticle).join(' or ')}`,
  enum: ({ allowedValues }) => `must be one of ${allowedValues.join(', ')}`,
  // The contract's only anyOf is a date or a date-time.
  anyOf: () => 'must be a date (YYYY-MM-DD) or a date-time with an offset',
  format: ({ format }) =>
    ({
      text: 'must be well-formed Unicode without NUL',
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
