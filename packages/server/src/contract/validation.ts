import { fieldErrorCodes } from '@waybill/contract/problems';
import type { ErrorObject } from 'ajv/dist/2020.js';
import type { FastifyRequest, FastifySchema } from 'fastify';
import { type FieldError, fieldProblem, Problem } from '../http/problems.ts';
import { contractAjv } from './keywords.ts';
import { undecodableParameters } from './percent-encoding.ts';
import { compileSizes } from './sizes.ts';

const maxErrors = 50;
/** Characters of a pointer in a problem; what is longer is cut. */
const maxPointer = 2048;

/** The schema of a part that has text only, a property for each parameter. */
interface TextSchema {
  properties: Record<string, { type?: string }>;
  required?: string[];
  additionalProperties?: boolean;
}

/** What the glue makes of an operation's parameters and body. */
export interface RequestSchema extends FastifySchema {
  params?: TextSchema;
  querystring?: TextSchema;
  headers?: TextSchema;
  body?: { content: Record<string, { schema?: object }> };
}

/** @throws {Problem} that names every field of the first part at fault */
export type RequestCheck = (request: FastifyRequest) => void;

const ajv = contractAjv();

/**
 * Compiles the checks of one operation, in the order path, query, headers, body.
 * A path that cannot be answers 404, like one that does not exist.
 */
export function requestValidator(schema: RequestSchema): RequestCheck {
  const path = ofText({ properties: {}, ...schema.params });
  const query = ofText({ properties: {}, ...schema.querystring, additionalProperties: false });
  const headers = ofText(lowerCase({ properties: {}, ...schema.headers }));
  const bodySchema = schema.body?.content['application/json']?.schema;
  const sizes = bodySchema && compileSizes(bodySchema);
  const body = bodySchema && ajv.compile(bodySchema);

  return (request) => {
    if (path(request.params)) throw new Problem('not_found', 'There is nothing with this identifier.');
    const undecodable = undecodableParameters(request.url);
    if (undecodable.length > 0)
      throw fieldProblem('invalid_request', undecodable.slice(0, maxErrors).map(encodingError));
    const inQuery = query(request.query);
    if (inQuery) throw problemOf('query', inQuery);
    const inHeaders = headers(request.headers);
    if (inHeaders) throw problemOf('headers', inHeaders);
    if (body && request.body === undefined) {
      throw fieldProblem('invalid_request', [{ in: 'body', pointer: '', code: 'required', detail: 'is required' }]);
    }
    if (sizes && !sizes(request.body)) throw problemOf('body', sizes.errors ?? []);
    if (body && !body(request.body)) throw problemOf('body', body.errors ?? []);
  };
}

/**
 * Compiles the check of a part that has text only, as a URL and headers have: what is to be a number is made one if JSON
 * would have it so, and otherwise stays the text it is. The check answers what is wrong.
 */
function ofText(schema: TextSchema): (part: unknown) => ErrorObject[] | undefined {
  const check = ajv.compile({ type: 'object', ...schema });
  const numbers = Object.entries(schema.properties).filter(([, { type }]) => type === 'integer' || type === 'number');
  return (part) => {
    const values = part as Record<string, unknown>;
    for (const [name] of numbers) {
      const text = values[name];
      const isNumber = typeof text === 'string' && /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i.test(text);
      if (isNumber) values[name] = Number(text);
    }
    return check(values) ? undefined : (check.errors ?? []);
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
    reported.slice(0, maxErrors).map((error) => fieldError(part, error)),
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

/** Where Ajv's words are for people who read schemas. */
const wording: Record<string, (params: ErrorObject['params']) => string> = {
  required: () => 'is required',
  additionalProperties: () => 'is not known here',
  type: ({ type }) => `must be ${[type].flat().join(' or ')}`,
  enum: ({ allowedValues }) => `must be one of ${allowedValues.join(', ')}`,
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
