import type { Readable } from 'node:stream';
import type { operationTable } from '@waybill/contract/operations';
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
export const operationRequest = <Id extends OperationId>({
  params,
  query,
  headers,
  body,
}: FastifyRequest): OperationRequest<Id> => ({ path: params, query, headers, body }) as OperationRequest<Id>;
