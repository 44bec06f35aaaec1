import { dereferenced } from '@waybill/contract/dereferenced';
import document from '@waybill/contract/openapi.json' with { type: 'json' };
import { operationTable } from '@waybill/contract/operations';
import type { OperationId } from './operations.ts';

export const operationIds = Object.keys(operationTable) as OperationId[];

/** The version of the contract, such as `1.2.0`. */
export const contractVersion: string = document.info.version;

export interface HeaderObject {
  required?: boolean;
  schema: { type?: string };
}
export interface ResponseObject {
  headers?: Record<string, HeaderObject>;
  /** By media type. */
  content?: Record<string, { schema?: object; examples?: Record<string, { value: unknown }> }>;
}
interface OperationObject {
  requestBody?: { required?: boolean; content: Record<string, unknown> };
  parameters?: { name: string; in: string; schema: { default?: number; maximum?: number } }[];
  responses: Record<string, ResponseObject>;
}

/** The contract without references. */
const paths = dereferenced(document.paths) as Record<string, Record<string, OperationObject>>;

const operationObjects = Object.fromEntries(
  operationIds.map((id) => [id, paths[operationTable[id].path]?.[operationTable[id].method.toLowerCase()]]),
) as Record<OperationId, OperationObject>;

/** An operation's responses by status. */
export const responsesOf = (id: OperationId): Record<string, ResponseObject> => operationObjects[id].responses;

/** The media types of bodies that are not JSON. */
export const fileTypes = (): Set<string> =>
  new Set(
    operationIds
      .flatMap((id) => Object.keys(operationObjects[id].requestBody?.content ?? {}))
      .filter((type) => !type.endsWith('json')),
  );

/** The length of the page that an operation returns, by default and at most; undefined when it has no parameter `limit`. */
export const pageLimits = (id: OperationId): { default?: number; maximum?: number } | undefined =>
  operationObjects[id].parameters?.find((parameter) => parameter.in === 'query' && parameter.name === 'limit')?.schema;

/** Methods of all operations, with HEAD. */
export const methods: string[] = [...new Set(operationIds.map((id) => operationTable[id].method)), 'HEAD'];

/** Header parameters of all operations, and the headers that requests have by HTTP. */
export const requestHeaders: string[] = [
  ...new Set(operationIds.flatMap((id): string[] => [...operationTable[id].headers])),
  ...['Authorization', 'Content-Type', 'X-Request-Id'],
];

/** Headers of all responses. */
export const responseHeaders: string[] = Object.keys(document.components.headers);

/** Beginnings of the paths with a signed token instead of an API key, such as `/files/`. */
export const signedPaths: string[] = operationIds.flatMap((id) => {
  const { scope, path } = operationTable[id];
  return scope === null ? [path.slice(0, path.indexOf('{'))] : [];
});

/** Whether a request may have no body, which is the same as an empty object. */
export const isBodyOptional = (id: OperationId): boolean => operationObjects[id].requestBody?.required === false;

/** How the JSON of an operation may be cached: revalidated by its ETag, or not at all. Undefined for what is not cached anyway. */
export function cachingOf(id: OperationId): 'etag' | 'no-store' | undefined {
  const { 200: success, 304: notModified } = responsesOf(id);
  if (notModified) return 'etag';
  return success?.headers?.['Cache-Control'] && success.content?.['application/json'] ? 'no-store' : undefined;
}

/** The document as it is served, with the URLs of this service instead of servers with variables. */
export function documentText(baseUrl: string, cdnUrl: string): string {
  const servers = [{ url: baseUrl, description: 'This service.' }];
  const fileServers = [{ url: cdnUrl, description: 'The files of this service.' }];
  return JSON.stringify({ ...document, servers }, function (key, value) {
    // Only operations on files have servers of their own.
    return key === 'servers' && 'operationId' in this ? fileServers : value;
  });
}
