import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type ContractOperation, problemCodes, problemType } from './contract.ts';

type Schema = Record<string, unknown>;

/** What an answer is judged by. */
export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed JSON; left out for a file and for nothing. */
  body?: unknown;
}

/** What HTTP has for itself (RFC 9110, RFC 9112) and what only a browser reads (Fetch Standard). */
const unspoken =
  /^(connection|content-length|content-type|date|keep-alive|transfer-encoding|x-content-type-options|access-control-(allow-origin|expose-headers))$/;

/** The `x-` words of the contract: they say nothing to JSON Schema. */
const extensions = new Set(keysIn(contract).filter((key) => key.startsWith('x-')));

function keysIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return [...Object.keys(node), ...Object.values(node).flatMap(keysIn)];
}

/** An Ajv of the tests' own: the server's would share the server's mistakes. */
export function newAjv(coerceTypes: boolean): Ajv2020 {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true, coerceTypes });
  addFormats.default(ajv);
  return ajv.addFormat('text', true).addVocabulary([...extensions]);
}

const bodies = newAjv(false);
const headers = newAjv(true);
const compiled = new WeakMap<object, ValidateFunction>();

/** Everything about an answer that the contract's operation does not have, in words; nothing when all is well. */
export function violations({ responses }: ContractOperation, { status, headers: sent, body }: Answer): string[] {
  const response = responses[String(status)];
  if (!response) return [`the status ${status} is not documented`];
  const faults: string[] = [];
  const documented = response.headers ?? {};
  for (const [name, { required, schema }] of Object.entries(documented)) {
    const value = sent.get(name);
    if (value !== null) faults.push(...check(headers, schema, value, name));
    else if (required) faults.push(`the header ${name} is missing`);
  }
  const known = Object.keys(documented).map((name) => name.toLowerCase());
  for (const name of sent.keys()) {
    if (!known.includes(name) && !unspoken.test(name)) faults.push(`the header ${name} is not documented`);
  }
  const { content } = response;
  const type = sent.get('content-type')?.split(';')[0] ?? '';
  if (!content) return body === undefined ? faults : [...faults, 'there is a body'];
  const media = content[type];
  if (!media) return [...faults, `the content type '${type}' is not documented`];
  if (media.schema) faults.push(...check(bodies, media.schema, body, 'body'));
  if (type !== problemType) return faults;
  const { code } = body as { code: string };
  return problemCodes(response).includes(code) ? faults : [...faults, `the code ${code} is not documented`];
}

function check(ajv: Ajv2020, schema: Schema, value: unknown, dataVar: string): string[] {
  const validate = compiled.get(schema) ?? ajv.compile(closed(schema) as Schema);
  compiled.set(schema, validate);
  return validate(value) ? [] : [ajv.errorsText(validate.errors, { dataVar })];
}

/** The contract leaves what it answers open, so that it can grow; what it does not have is undocumented all the same. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return 'properties' in schema ? { additionalProperties: false, ...inner } : inner;
}
