import { randomUUID } from 'node:crypto';
import document from '@waybill/contract/openapi.json' with { type: 'json' };
import { operationTable } from '@waybill/contract/operations';
import type { Parties } from '../chaos/environment.ts';

export type OperationId = keyof typeof operationTable;

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type PathParameter<Id extends OperationId> = NamesIn<(typeof operationTable)[Id]['path']>;

/** An account, with a resource for each path parameter. */
export interface Target extends Parties {
  /** `delivered`: the tracking number of a shipment with a proof and an exception. */
  params: Record<PathParameter<OperationId> | 'delivered', string>;
  /** For data that the API would take too long to create. */
  databaseUrl?: string;
}

/**
 * Requests that differ. In path and headers, `@value` stands for the next of `values` and `@key` for a unique key; in the
 * body, `@time` stands for the last full second, without fraction and offset. wrk.lua fills them in.
 */
export interface RequestTemplate {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
  values: string[];
}

/** The first request of a template. */
export function firstOf({ values, body, ...head }: RequestTemplate): Omit<RequestTemplate, 'values'> {
  const filled = JSON.stringify(head)
    .replace('@value', values[0] ?? '')
    .replace('@key', randomUUID());
  const time = new Date(Date.now() - 1000).toISOString().slice(0, 19);
  return { ...JSON.parse(filled), ...(body && { body: body.replaceAll('@time', time) }) };
}

export interface RequestOptions {
  query?: string;
  body?: object | string | undefined;
  /** Those of the template. */
  values?: string[];
  /** About the delivered shipment. */
  ofDelivered?: boolean;
}

/** A request of an operation, with the key that has its scope. The body is the first example of the contract. */
export function requestOf<Id extends OperationId>(
  operation: Id,
  { shipper, carrier, params }: Parties & { params: Record<PathParameter<Id>, string> & { delivered?: string } },
  { query = '', body = exampleOf(operation), values = ['0'], ofDelivered = false }: RequestOptions = {},
): RequestTemplate {
  const { method, path, scope } = operationTable[operation];
  const { pathname } = new URL(shipper.baseUrl);
  const numbers = ofDelivered ? { tracking_number: params.delivered } : {};
  const filled = path.replace(/\{(\w+)\}/g, (_, name: PathParameter<Id>) => ({ ...params, ...numbers })[name]);
  const { apiKey } = scope === 'tracking:write' ? carrier : shipper;
  const type = operation === 'putProofFile' ? 'image/png' : 'application/json';
  return {
    method,
    path: pathname + filled + query,
    headers: {
      ...(scope && { Authorization: `Bearer ${apiKey}` }),
      ...(method === 'POST' && { 'Idempotency-Key': '@key' }),
      ...(body !== undefined && { 'Content-Type': type }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    values,
  };
}

/** The body in the contract's first example of a request. */
function exampleOf(operation: OperationId): object | undefined {
  const { method, path } = operationTable[operation];
  const methods = document.paths[path as keyof typeof document.paths] as Record<string, unknown>;
  const { requestBody } = methods[method.toLowerCase()] as {
    requestBody?: { content: { 'application/json'?: { examples: Record<string, { $ref: string }> } } };
  };
  const name = Object.values(requestBody?.content['application/json']?.examples ?? {})[0]
    ?.$ref.split('/')
    .at(-1);
  return document.components.examples[name as keyof typeof document.components.examples]?.value;
}
