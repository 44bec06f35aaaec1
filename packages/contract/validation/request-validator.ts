import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { maxFieldErrors } from '../generated/limits.ts';
import type { operationTable } from '../generated/operations.ts';
import type { components } from '../generated/types.ts';
import { compileArrayLengths } from './array-lengths.ts';
import { contractAjv } from './contract-ajv.ts';
import { encodingError, fieldErrors } from './field-errors.ts';
import { InvalidRequest, invalidFields } from './invalid-request.ts';
import { undecodableParameters } from './percent-encoding.ts';
import { type ParameterSchema, requestSchemas } from './request-schemas.ts';

type FieldError = components['schemas']['FieldError'];

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
 * Makes the validation of an operation's requests, in the order path, body, query, headers.
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
    const undecodable = undecodableParameters(url);
    if (undecodable.length > 0) throw invalidFields(undecodable.slice(0, maxFieldErrors).map(encodingError));
    if (pathErrors(params).length > 0) {
      throw new InvalidRequest('not_found', 'There is no resource with this identifier.');
    }
    if (arrayLengthErrors && bodyErrors) {
      if (body === undefined) {
        throw invalidFields([{ in: 'body', pointer: '', code: 'required', detail: 'is required' }]);
      }
      throwIfAny('body', arrayLengthErrors(body)); // first, so that the items of a too long array are not validated
      throwIfAny('body', bodyErrors(body));
    }
    throwIfAny('query', queryErrors(query));
    throwIfAny('headers', headerErrors(headers));
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
