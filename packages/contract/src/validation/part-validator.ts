import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { compileArrayLengths } from './array-lengths.ts';
import { contractAjv } from './contract-ajv.ts';
import { correctedText, fieldErrors, requiredForm } from './field-errors.ts';
import { InvalidRequest, invalidFields, quoted } from './invalid-request.ts';

/** A part of a request, as Fastify names it. */
export type RequestPart = 'params' | 'body' | 'querystring' | 'headers';

/** What is wrong with a part; undefined for a valid one. Converts lists, numbers and booleans of path, query and headers in place. */
export type CheckPart = (value: unknown) => InvalidRequest | undefined;

/** By part and the JSON of the schema. The apps of a process share them, and operations share most of their headers. */
const checks = new Map<string, CheckPart>();

/**
 * Makes the validation of a part of requests by its schema, without references. All of them are compiled at the start, in an
 * eighth of a second. An invalid path returns 404, like a path without a resource.
 */
export function partValidator(part: RequestPart, schema: object): CheckPart {
  const key = part + JSON.stringify(schema);
  const check = checks.get(key) ?? compile[part](schema);
  checks.set(key, check);
  return check;
}

const compile: Record<RequestPart, (schema: object) => CheckPart> = {
  params(schema) {
    const errorsOf = compileText(schema as TextSchema);
    return (params) => {
      const [error] = errorsOf(params);
      return error && new InvalidRequest('not_found', identifierDetail(error));
    };
  },
  body(schema) {
    const lengthErrors = errorsBy(compileArrayLengths(schema));
    const errorsOf = errorsBy(contractAjv.compile(schema));
    return (body) => invalidPart('body', lengthErrors(body)) ?? invalidPart('body', errorsOf(body));
  },
  querystring(schema) {
    const errorsOf = compileText({ ...(schema as TextSchema), additionalProperties: false });
    return (query) => invalidPart('query', errorsOf(query));
  },
  headers(schema) {
    const errorsOf = compileText(lowerCase(schema as TextSchema));
    return (headers) => invalidPart('headers', errorsOf(headers));
  },
};

/** Names an invalid identifier of a path, as it was sent, and the form that it must have. */
function identifierDetail(error: ErrorObject): string {
  const name = error.instancePath.slice(1).replaceAll('_', ' ');
  if (name.endsWith('token')) return 'There is nothing at this URL.'; // the client got the URL, not the token
  const corrected = correctedText(error);
  const form = corrected === undefined ? `they ${requiredForm(error)}` : `write \`${corrected}\``;
  return `${quoted(String(error.data))} is not a ${name}: ${form}.`;
}

/** The schema of a part whose values are strings. */
interface TextSchema {
  properties: Record<string, { type?: string; maxItems?: number }>;
  required?: string[];
  additionalProperties?: false;
}

const errorsBy =
  (validate: ValidateFunction) =>
  (part: unknown): ErrorObject[] =>
    validate(part) ? [] : (validate.errors ?? []);

const invalidPart = (part: Parameters<typeof fieldErrors>[0], errors: ErrorObject[]): InvalidRequest | undefined =>
  errors.length > 0 ? invalidFields(fieldErrors(part, errors)) : undefined;

/** Type → the value of a text. A text that has none stays: the schema refuses it. */
const conversions: Record<string, (text: string, schema: { maxItems?: number }) => unknown> = {
  boolean: (text) => (text === 'true' || text === 'false' ? text === 'true' : text),
  // The forms of numbers in JSON, without an exponent or a fraction for an integer.
  integer: (text) => (/^-?(0|[1-9]\d*)$/.test(text) ? Number(text) : text),
  number: (text) => (/^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? Number(text) : text),
  // One item more than is permitted shows that there are too many.
  array: (text, { maxItems = 0 }) => text.split(',', maxItems + 1),
};

/** Compiles the validation of path, query or headers. Values are converted from text first. */
function compileText(schema: TextSchema): (part: unknown) => ErrorObject[] {
  const errorsOf = errorsBy(contractAjv.compile(schema));
  const converted = Object.entries(schema.properties).flatMap(([name, property]) => {
    const convert = conversions[property.type ?? ''];
    return convert ? [{ name, property, convert }] : [];
  });
  return (part) => {
    const values = part as Record<string, unknown>;
    for (const { name, property, convert } of converted) {
      const value = values[name];
      if (typeof value === 'string') values[name] = convert(value, property);
      else if (Array.isArray(value) && property.type === 'array') values[name] = { ...value }; // repeated, so no list
    }
    return errorsOf(values);
  };
}

/** Node gives header names in lower case. */
const lowerCase = ({ properties, required = [], ...schema }: TextSchema): TextSchema => ({
  ...schema,
  properties: Object.fromEntries(Object.entries(properties).map(([name, value]) => [name.toLowerCase(), value])),
  required: required.map((name) => name.toLowerCase()),
});
