import type { Readable } from 'node:stream';
import { dereferenced } from '@waybill/contract/dereferenced';
import document from '@waybill/contract/openapi.json' with { type: 'json' };
import { operationTable } from '@waybill/contract/operations';
import type { operations } from '@waybill/contract/types';
import type { FastifyRequest } from 'fastify';
import type { StreamedBody } from './streamed-body.ts';

export type OperationId = keyof operations & keyof typeof operationTable;

/** The body: JSON by its schema, a file as a stream, events, or none. */
type Content<T> = T extends { content: { 'application/json': infer Body } }
  ? Body
  : T extends { content: { 'text/event-stream': unknown } }
    ? StreamedBody
    : T extends { content: Record<string, unknown> }
      ? Readable
      : undefined;
/** Removes index signatures and lower-cases the names. */
type LowerCaseNames<T> = { [K in keyof T as string extends K ? never : Lowercase<K & string>]: T[K] };
type Parameter<Id extends OperationId, In extends 'path' | 'query' | 'header'> = LowerCaseNames<
  NonNullable<operations[Id]['parameters'][In]>
>;
type Responses<Id extends OperationId> = operations[Id]['responses'];
type Success<Id extends OperationId> = keyof Responses<Id> & (200 | 201 | 202 | 204);
/** Headers that handlers do not return. packages/server/src/README.md names the files that add them. */
type AddedHeaders<H> =
  | 'x-request-id'
  | 'ratelimit'
  | 'ratelimit-policy'
  | 'idempotent-replayed'
  | ('etag' extends keyof LowerCaseNames<H> ? 'etag' | 'vary' : never)
  | ('content-disposition' extends keyof LowerCaseNames<H> ? never : 'cache-control');
type HeadersOf<R> = (R extends { headers: infer H } ? Omit<LowerCaseNames<H>, AddedHeaders<H>> : unknown) &
  (Content<R> extends Readable ? { 'content-type': string; 'content-length': string } : unknown) &
  // A stream of events has no length, and proxies must not buffer it.
  (Content<R> extends StreamedBody ? { 'content-type': string; 'x-accel-buffering': string } : unknown);

/** A validated request of an operation. The body of a file is a stream. */
export interface OperationRequest<Id extends OperationId> {
  path: Parameter<Id, 'path'>;
  query: Parameter<Id, 'query'>;
  headers: Parameter<Id, 'header'>;
  body: RequestContent<NonNullable<operations[Id]['requestBody']>>;
}
/** An optional body that is missing is an empty object. */
type RequestContent<Body> = [Body] extends [never] ? undefined : Content<Body>;

type WithHeaders<H> = keyof H extends never ? unknown : { headers: H };
type BodyOf<Id extends OperationId, Status extends Success<Id>, Bodies> = Id extends keyof Bodies
  ? Bodies[Id]
  : Content<Responses<Id>[Status]>;

/**
 * A documented success of an operation. That of createShipment is
 * `{ status: 201; body: Shipment; headers: { location: string } }`.
 * @template Bodies operation → the body that its handler returns in place of the contract's
 */
export type ResponseOf<Id extends OperationId, Bodies = unknown> = {
  [Status in Success<Id>]: { status: Status; body: BodyOf<Id, Status, Bodies>; etag?: string } & WithHeaders<
    HeadersOf<Responses<Id>[Status]>
  >;
}[Success<Id>];

/** The response of any operation. The body is a value, a file or made while it is sent. */
export interface OperationResponse {
  status: number;
  /** Identifies the version of the resource. Without one, a conditional read has that of its body. */
  etag?: string;
  headers?: Record<string, string>;
  body: unknown;
}

/** The response as it is sent. The body is text, a file, made while it is sent or empty. */
export interface SerializedResponse {
  status: number;
  headers: Record<string, string>;
  body: string | Readable | StreamedBody | undefined;
}

/** The request of a route. It is validated. */
export const asOperationRequest = <Id extends OperationId>({
  params,
  query,
  headers,
  body,
}: FastifyRequest): OperationRequest<Id> => ({ path: params, query, headers, body }) as OperationRequest<Id>;

export const operationIds = Object.keys(operationTable) as OperationId[];

/** The version of the contract, such as `1.2.0`. */
export const contractVersion: string = document.info.version;

interface HeaderObject {
  required?: boolean;
  schema: { type?: string };
}
export interface ResponseObject {
  headers?: Record<string, HeaderObject>;
  /** By media type. */
  content?: Record<string, { schema?: object; examples?: Record<string, { value: unknown }> }>;
}
/** What `x-deprecation` says. Dates are `YYYY-MM-DD`. */
export interface Deprecation {
  since: string;
  sunset: string;
}
export interface Schema {
  default?: number;
  maximum?: number;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  'x-deprecation'?: Deprecation | undefined;
  'x-enumDeprecations'?: Record<string, Deprecation>;
}
interface OperationObject {
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
  parameters?: { name: string; in: string; schema: Schema; 'x-deprecation'?: Deprecation }[];
  responses: Record<string, ResponseObject>;
  'x-deprecation'?: Deprecation;
}

/** The contract without references. */
const paths = dereferenced(document.paths) as Record<string, Record<string, OperationObject>>;

const operationObjects = Object.fromEntries(
  operationIds.map((id) => [id, paths[operationTable[id].path]?.[operationTable[id].method.toLowerCase()]]),
) as Record<OperationId, OperationObject>;

/** An operation of the contract, without references. */
export const operationObject = (id: OperationId): OperationObject => operationObjects[id];

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

/** Headers of responses to requests that use something deprecated. */
export const deprecationHeaders: string[] = ['Deprecation', 'Sunset', 'Link'];

/** Headers of all responses. */
export const responseHeaders: string[] = [...Object.keys(document.components.headers), ...deprecationHeaders];

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
