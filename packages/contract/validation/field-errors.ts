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

function fieldError(part: FieldError['in'], { keyword, instancePath, params, message = '' }: ErrorObject): FieldError {
  const child: string | undefined = params.missingProperty ?? params.additionalProperty;
  return {
    in: part,
    pointer:
      child === undefined ? instancePath : `${instancePath}/${escaped(child)}`.slice(0, maxPointer).toWellFormed(),
    code: fieldErrorCodes[keyword] ?? 'not_allowed',
    detail: (wording[keyword]?.(params) ?? message).slice(0, 500),
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

/** Details that replace Ajv's messages, which are for readers of schemas. */
const wording: Record<string, (params: ErrorObject['params']) => string> = {
  required: () => 'is required',
  additionalProperties: () => 'is unknown',
  type: ({ type }) => `must be ${[type].flat().join(' or ')}`,
  enum: ({ allowedValues }) => `must be one of ${allowedValues.join(', ')}`,
  // The contract's only anyOf is a date or a date-time.
  anyOf: () => 'must be a date (YYYY-MM-DD) or a date-time with an offset',
  format: ({ format }) =>
    ({
      text: 'must be well-formed Unicode without NUL',
      'date-time': 'must be an existing date-time with an offset, such as 2026-03-02T09:15:00Z',
    })[String(format)] ?? `must be a ${format}`,
  minLength: ({ limit }) => `must have at least ${limit} characters`,
  maxLength: ({ limit }) => `must have at most ${limit} characters`,
  maxItems: ({ limit }) => `must have at most ${limit} items`,
};
