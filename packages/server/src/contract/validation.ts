import { fieldErrorCodes } from '@waybill/contract/field-error-codes';
import { maxFieldErrors } from '@waybill/contract/limits';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import type { FastifyRequest, FastifySchema } from 'fastify';
import { type FieldError, fieldProblem, Problem } from '../http/problems.ts';
import { compileArrayLengths } from './array-lengths.ts';
import { contractAjv } from './contract-ajv.ts';
import { undecodableParameters } from './percent-encoding.ts';

/** Characters of a pointer in a problem; what is longer is cut. */
const maxPointer = 2048;

/** The schema of a part whose values are strings, with a property for each parameter. */
interface TextSchema {
  properties: Record<string, { type?: string }>;
  required?: string[];
  additionalProperties?: boolean;
}

/** The schema that fastify-openapi-glue makes of an operation's parameters and body. */
export interface RequestSchema extends FastifySchema {
  params?: TextSchema;
  querystring?: TextSchema;
  headers?: TextSchema;
  body?: { content: Record<string, { schema?: object }> };
}

/** @throws {Problem} with the invalid fields of the first invalid part */
export type RequestCheck = (request: FastifyRequest) => void;

const ajv = contractAjv();

/** Finds the errors of one part of a request; none in a valid one. */
type FindErrors = (part: unknown) => ErrorObject[];

/**
 * Compiles the validation of an operation's requests, in the order path, query, headers, body.
 * An invalid path returns 404, like a path without a resource.
 */
export function requestValidator(schema: RequestSchema): RequestCheck {
  const pathErrors = textErrors({ properties: {}, ...schema.params });
  const queryErrors = textErrors({ properties: {}, ...schema.querystring, additionalProperties: false });
  const headerErrors = textErrors(lowerCase({ properties: {}, ...schema.headers }));
  const bodySchema = schema.body?.content['application/json']?.schema;
  const arrayLengthErrors = bodySchema && errorsOf(compileArrayLengths(bodySchema));
  const bodyErrors = bodySchema && errorsOf(ajv.compile(bodySchema));

  return ({ params, query, headers, body, url }) => {
    if (pathErrors(params).length > 0) throw new Problem('not_found', 'There is no resource with this identifier.');
    const undecodable = undecodableParameters(url);
    if (undecodable.length > 0)
      throw fieldProblem('invalid_request', undecodable.slice(0, maxFieldErrors).map(encodingError));
    throwIfAny('query', queryErrors(query));
    throwIfAny('headers', headerErrors(headers));
    if (!arrayLengthErrors || !bodyErrors) return;
    if (body === undefined) {
      throw fieldProblem('invalid_request', [{ in: 'body', pointer: '', code: 'required', detail: 'is required' }]);
    }
    throwIfAny('body', arrayLengthErrors(body));
    throwIfAny('body', bodyErrors(body));
  };
}

const errorsOf =
  (validate: ValidateFunction): FindErrors =>
  (part) =>
    validate(part) ? [] : (validate.errors ?? []);

function throwIfAny(part: FieldError['in'], errors: ErrorObject[]): void {
  if (errors.length > 0) throw problemOf(part, errors);
}

/** Compiles the validation of path, query or headers. Their values are strings; numeric ones are converted first. */
function textErrors(schema: TextSchema): FindErrors {
  const findErrors = errorsOf(ajv.compile({ type: 'object', ...schema }));
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
function lowerCase({ properties, required = [] }: TextSchema): TextSchema {
  return {
    properties: Object.fromEntries(Object.entries(properties).map(([name, value]) => [name.toLowerCase(), value])),
    required: required.map((name) => name.toLowerCase()),
  };
}

function problemOf(part: FieldError['in'], errors: ErrorObject[]): Problem {
  // An anyOf is reported as one error: those of its branches would name the field again.
  const withoutBranches = errors.filter(({ schemaPath }) => !schemaPath.includes('/anyOf/'));
  // A value that has the wrong format does not match the pattern either.
  const formatErrors = withoutBranches.filter(({ keyword }) => keyword === 'format');
  const formatErrorPaths = new Set(formatErrors.map(({ instancePath }) => instancePath));
  const reported = withoutBranches.filter(
    ({ keyword, instancePath }) => keyword !== 'pattern' || !formatErrorPaths.has(instancePath),
  );
  return fieldProblem(
    'invalid_request',
    reported.slice(0, maxFieldErrors).map((error) => fieldError(part, error)),
  );
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
