import { dereferenced } from '@waybill/contract/dereferenced';
import { withKnownValues } from '@waybill/contract/known-values';
import document from '@waybill/contract/openapi.json' with { type: 'json' };
import { contractAjv } from '@waybill/contract/validation/contract-ajv';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { deprecationHeaders, type OperationId, operationIds, responsesOf } from './operations.ts';

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

/** By the schema of a body or header of a response, as `responsesOf` has it. */
const validators = new Map<unknown, ValidateFunction>();

/**
 * Makes the check of responses, for tests and development. It compiles the schemas of all responses, once in a process: the
 * first response that needs one may belong to a transaction.
 */
export function responseCheck(): ResponseCheck {
  if (validators.size === 0) compileValidators();
  return checkResponse;
}

function compileValidators(): void {
  // References stay, so that a schema is compiled once, and not at each place that refers to it.
  const contract = { $id: 'waybill:closed', components: close(withKnownValues(document.components)) };
  contractAjv.addVocabulary(['components']).addSchema(contract);
  const refOf = (name: string) => `#/components/schemas/${name}`;
  const names = Object.keys(document.components.schemas);
  const references = new Map(names.map((name) => [dereferenced({ $ref: refOf(name) }), contract.$id + refOf(name)]));
  for (const { headers = {}, content = {} } of operationIds.flatMap((id) => Object.values(responsesOf(id)))) {
    for (const { schema } of Object.values(headers)) validators.set(schema, contractAjv.compile(schema));
    for (const [type, { schema }] of Object.entries(content)) {
      if (type.endsWith('json')) validators.set(schema, contractAjv.compile({ $ref: references.get(schema) }));
    }
  }
}

/**
 * Checks a response.
 * @throws {ContractViolation} when it is undocumented or invalid
 */
const checkResponse: ResponseCheck = (operation, { status, headers, body }) => {
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
    const validate = validators.get(schema) as ValidateFunction;
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
  const validate = validators.get(media.schema);
  if (validate && !validate(body)) fail(contractAjv.errorsText(validate.errors, { dataVar: 'body' }));
};
