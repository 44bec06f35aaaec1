import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { fieldErrorCodes } from '../field-error-codes.ts';
import { maxFieldErrors } from '../generated/limits.ts';
import type { operationTable } from '../generated/operations.ts';
import type { components } from '../generated/types.ts';
import { compileArrayLengths } from './array-lengths.ts';
import { contractAjv } from './contract-ajv.ts';
import { InvalidRequest, invalidFields } from './invalid-request.ts';
import { undecodableParameters } from './percent-encoding.ts';
import { type ParameterSchema, requestSchemas } from './request-schemas.ts';

type FieldError = components['schemas']['FieldError'];

/** Characters of a pointer in a problem; what is longer is cut. */
const maxPointer = 2048;

/** A request as Node and the parsers of its parts return it. */
export interface RawRequest {
  /** Path parameters. */
  params: unknown;
  /** A repeated parameter is an array. */
  query: unknown;
  /** The names are in lower case. */
  headers: unknown;
  /** Undefined for none. */
  body: unknown;
  /** The request target, still percent-encoded. */
  url: string;
}

/** Converts numbers in the query. @throws {InvalidRequest} with the invalid fields of the first invalid part */
export type RequestCheck = (request: RawRequest) => void;

const ajv = contractAjv();

/** Finds the errors of one part of a request; none in a valid one. */
type FindErrors = (part: unknown) => ErrorObject[];

/**
 * Makes the validation of an operation's requests, in the order path, query, headers, body.
 * An invalid path returns 404, like a path without a resource. The first request compiles it.
 */
export function requestValidator(id: keyof typeof operationTable): RequestCheck {
  let check: RequestCheck | undefined;
  return (request) => {
    check ??= compile(id);
    check(request);
  };
}

function compile(id: keyof typeof operationTable): RequestCheck {
  const schemas = requestSchemas(id);
  const pathErrors = textErrors(schemas.path);
  const queryErrors = textErrors({ ...schemas.query, additionalProperties: false });
  const headerErrors = textErrors(lowerCase(schemas.headers));
  const arrayLengthErrors = schemas.body && errorsOf(compileArrayLengths(schemas.body));
  const bodyErrors = schemas.body && errorsOf(ajv.compile(schemas.body));

  return ({ params, query, headers, body, url }) => {
    if (pathErrors(params).length > 0) {
      throw new InvalidRequest('not_found', 'There is no resource with this identifier.');
    }
    const undecodable = undecodableParameters(url);
    if (undecodable.length > 0) throw invalidFields(undecodable.slice(0, maxFieldErrors).map(encodingError));
    throwIfAny('query', queryErrors(query));
    throwIfAny('headers', headerErrors(headers));
    if (!arrayLengthErrors || !bodyErrors) return;
    if (body === undefined) {
      throw invalidFields([{ in: 'body', pointer: '', code: 'required', detail: 'is required' }]);
    }
    throwIfAny('body', arrayLengthErrors(body)); // first, so that the items of a too long array are not validated
    throwIfAny('body', bodyErrors(body));
  };
}

const errorsOf =
  (validate: ValidateFunction): FindErrors =>
  (part) =>
    validate(part) ? [] : (validate.errors ?? []);

function throwIfAny(part: FieldError['in'], errors: ErrorObject[]): void {
  if (errors.length > 0) throw invalidFields(fieldErrors(part, errors));
}

/** Compiles the validation of path, query or headers. Their values are strings; numeric ones are converted first. */
function textErrors(schema: ParameterSchema & { additionalProperties?: false }): FindErrors {
  const findErrors = errorsOf(ajv.compile(schema));
  const numbers = Object.entries(schema.properties).filter(([, { type }]) => type === 'integer' || type === 'number');
  return (part) => {
    const values = part as Record<string, unknown>;
    for (const [name] of numbers) {
      const text = values[name];
      const isNumber = typeof text === 'string' && /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i.test(text);
      if (isNumber) values[name] = Number(text);
    }
    return findErrors(values);
  };
}

/** Node gives header names in lower case. */
const lowerCase = ({ type, properties, required }: ParameterSchema): ParameterSchema => ({
  type,
  properties: Object.fromEntries(Object.entries(properties).map(([name, value]) => [name.toLowerCase(), value])),
  required: required.map((name) => name.toLowerCase()),
});

function fieldErrors(part: FieldError['in'], errors: ErrorObject[]): FieldError[] {
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

const encodingError = (name: string): FieldError => ({
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
