import document from '@waybill/contract/openapi.json' with { type: 'json' };
import { operations } from '@waybill/contract/operations';
import type { OperationId } from './operations.ts';

export { document, operations };

export const operationIds = Object.keys(operations) as OperationId[];

type Node = Record<string, unknown>;

/** Follows the references of the bundle at every depth. They are all internal, and the contract has no cycle. */
function dereferenced(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(dereferenced);
  if (typeof node !== 'object' || node === null) return node;
  if ('$ref' in node && typeof node.$ref === 'string') {
    const keys = node.$ref.slice(2).split('/');
    return dereferenced(keys.reduce<unknown>((at, key) => (at as Node)[key], document));
  }
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, dereferenced(value)]));
}

interface OperationObject {
  requestBody?: { content: Record<string, { schema?: object }> };
  responses: Record<string, { content?: Record<string, { schema?: object }> }>;
}

/** What the contract says of an operation, without references. */
export function operationObject(id: OperationId): OperationObject {
  const { path, method } = operations[id];
  const paths: Record<string, Record<string, Node>> = document.paths as never;
  return dereferenced(paths[path]?.[method.toLowerCase()]) as OperationObject;
}

/** The JSON schema of an operation's success; undefined when it has no JSON. */
export function successSchema(id: OperationId): object | undefined {
  const success = Object.entries(operationObject(id).responses).find(([status]) => status.startsWith('2'))?.[1];
  return success?.content?.['application/json']?.schema;
}

/** What an operation's body may be; empty for an operation without one. */
export const bodyTypes = (id: OperationId): string[] => Object.keys(operationObject(id).requestBody?.content ?? {});

/** The JSON schema of an operation's body; undefined when it has no JSON. */
export const bodySchema = (id: OperationId): object | undefined =>
  operationObject(id).requestBody?.content['application/json']?.schema;

/** The content types of bodies that are not JSON. */
export const fileTypes = (): Set<string> =>
  new Set(operationIds.flatMap(bodyTypes).filter((type) => type !== 'application/json'));

/** The document as far as routes are made from it: problems are not serialized by schema. */
export function routedDocument(): object {
  const copy = structuredClone(document) as unknown as { paths: Record<string, Record<string, { responses: Node }>> };
  for (const { responses } of Object.values(copy.paths).flatMap((path) => Object.values(path))) {
    for (const status of Object.keys(responses)) if (!status.startsWith('2')) delete responses[status];
  }
  return copy;
}

/** Whether an operation can answer 304. */
export const isConditional = (id: OperationId): boolean => '304' in operationObject(id).responses;

/** The document as it is served, with the URL of this service. */
export const documentText = (baseUrl: string): string =>
  JSON.stringify({ ...document, servers: [{ url: baseUrl, description: 'This service.' }] });
