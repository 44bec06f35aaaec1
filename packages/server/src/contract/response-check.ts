import type { ValidateFunction } from 'ajv/dist/2020.js';
import { document, operations } from './document.ts';
import { contractAjv } from './keywords.ts';
import type { OperationId } from './operations.ts';

interface ResponseObject {
  required?: boolean;
  schema?: object;
  headers?: Record<string, object>;
  content?: Record<string, { schema?: object }>;
}

/** A reply broke the contract: a defect of the server, for whoever is changing it. */
export class ContractViolation extends Error {}

export interface Reply {
  status: number;
  headers: Record<string, unknown>;
  /** Without one for a file or an empty reply. */
  body: unknown;
}

/** Headers that go with any answer and need no word in the contract. */
const unspoken = ['content-type', 'content-length', 'x-content-type-options', 'connection', 'allow'];

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Closes every object: clients must accept fields they do not know, the server must not send any. */
function close(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(close);
  if (!isObject(schema)) return schema;
  const closed = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, close(value)]));
  return isObject(closed.properties) ? { additionalProperties: false, ...closed } : closed;
}

const escapeKey = (key: string): string => encodeURIComponent(key.replace(/~/g, '~0').replace(/\//g, '~1'));

export type ResponseCheck = (operation: OperationId, reply: Reply) => void;

/**
 * Makes the check of replies: operation and reply → nothing, or a ContractViolation that says what is undocumented
 * or wrong. For tests and development.
 */
export function responseCheck(): ResponseCheck {
  const ajv = contractAjv().addVocabulary(Object.keys(document).filter((word) => !word.startsWith('x-')));
  ajv.addSchema({ ...(close(document) as object), $id: 'contract' });
  const compiled = new Map<string, ValidateFunction>();
  const validatorOf = (pointer: string): ValidateFunction => {
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `contract#${pointer}` });
    compiled.set(pointer, validate);
    return validate;
  };

  return (operation, { status, headers, body }) => {
    const fail = (why: string): never => {
      throw new ContractViolation(`${operation} ${status}: ${why}`);
    };
    const { method, path } = operations[operation];
    const at = `/paths/${escapeKey(path)}/${method.toLowerCase()}/responses/${status}`;
    const [response, pointer] = resolve(at);
    if (!response) return fail('the contract does not have this status');

    for (const name of Object.keys(response.headers ?? {})) {
      const [header, headerAt] = resolve(`${pointer}/headers/${escapeKey(name)}`);
      const value = headers[name.toLowerCase()];
      if (value === undefined && header?.required) fail(`the header ${name} is missing`);
      if (value === undefined || !header?.schema) continue;
      const isNumber = 'type' in header.schema && header.schema.type === 'integer';
      const validate = validatorOf(`${headerAt}/schema`);
      if (!validate(isNumber ? Number(value) : value)) fail(`the header ${name}: ${ajv.errorsText(validate.errors)}`);
    }
    for (const name of Object.keys(headers)) {
      const known = Object.keys(response.headers ?? {}).some((documented) => documented.toLowerCase() === name);
      if (!known && !unspoken.includes(name)) fail(`the header ${name} is not documented`);
    }
    const type = String(headers['content-type'] ?? '').split(';')[0] ?? '';
    if (!response.content) return body === undefined ? undefined : fail('it must have no body');
    const media = response.content[type];
    if (!media) return fail(`the content type ${type} is not documented`);
    if (!media.schema) return;
    const validate = validatorOf(`${pointer}/content/${escapeKey(type)}/schema`);
    if (!validate(body)) fail(ajv.errorsText(validate.errors, { dataVar: 'body' }));
  };
}

/** Follows the references of the bundle, which are all internal. */
function resolve(pointer: string): [ResponseObject | undefined, string] {
  let node: unknown = document;
  for (const key of pointer.slice(1).split('/')) {
    node = isObject(node) ? node[decodeURIComponent(key).replace(/~1/g, '/').replace(/~0/g, '~')] : undefined;
  }
  if (isObject(node) && typeof node.$ref === 'string') return resolve(node.$ref.slice(1));
  return [isObject(node) ? node : undefined, pointer];
}
