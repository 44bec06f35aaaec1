import { withKnownValues } from '@waybill/contract/known-values';
import { contractAjv } from '@waybill/contract/validation/contract-ajv';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { deprecationHeaders, type OperationId, responsesOf } from './operations.ts';

/** A response violates the contract: a defect of the server. */
class ContractViolation extends Error {}

interface CheckedResponse {
  status: number;
  headers: Record<string, unknown>;
  /** Undefined for a file or an empty response. */
  body: unknown;
}

/** Headers that any response may have without being documented. */
const undocumentedHeaders = [
  ...['content-type', 'content-length', 'content-encoding', 'x-content-type-options', 'connection', 'allow', 'vary'],
  ...['access-control-allow-origin', 'access-control-expose-headers'],
  ...deprecationHeaders.map((name) => name.toLowerCase()),
  'x-accel-buffering', // for proxies
];

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Closes every object: clients must accept unknown fields and values, the server must not send any. */
function close(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(close);
  if (!isObject(schema)) return schema;
  const closed = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, close(value)]));
  return isObject(closed.properties) ? { additionalProperties: false, ...closed } : closed;
}

export type ResponseCheck = (operation: OperationId, response: CheckedResponse) => void;

const validators = new WeakMap<object, ValidateFunction>();

/** Compiles a schema of the contract once. */
function validatorOf(schema: object): ValidateFunction {
  let validate = validators.get(schema);
  if (!validate) {
    validate = contractAjv.compile(close(withKnownValues(schema)) as object);
    validators.set(schema, validate);
  }
  return validate;
}

/**
 * Checks a response, in tests and development.
 * @throws {ContractViolation} when it is undocumented or invalid
 */
export const checkResponse: ResponseCheck = (operation, { status, headers, body }) => {
  const fail = (why: string): never => {
    throw new ContractViolation(`${operation} ${status}: ${why}`);
  };
  const response = responsesOf(operation)[status];
  if (!response) return fail('the contract does not have this status');

  const documented = Object.entries(response.headers ?? {});
  for (const [name, { required, schema }] of documented) {
    const value = headers[name.toLowerCase()];
    if (value === undefined && required) fail(`the header ${name} is missing`);
    if (value === undefined) continue;
    const validate = validatorOf(schema);
    if (!validate(schema.type === 'integer' ? Number(value) : value)) {
      fail(`the header ${name}: ${contractAjv.errorsText(validate.errors)}`);
    }
  }
  const known = [...documented.map(([name]) => name.toLowerCase()), ...undocumentedHeaders];
  for (const name of Object.keys(headers)) {
    if (!known.includes(name)) fail(`the header ${name} is not documented`);
  }
  const type = String(headers['content-type'] ?? '').split(';')[0] ?? '';
  if (!response.content) return body === undefined ? undefined : fail('it must have no body');
  const media = response.content[type];
  if (!media) return fail(`the content type ${type} is not documented`);
  if (!media.schema || !type.endsWith('json')) return;
  const validate = validatorOf(media.schema);
  if (!validate(body)) fail(contractAjv.errorsText(validate.errors, { dataVar: 'body' }));
};
