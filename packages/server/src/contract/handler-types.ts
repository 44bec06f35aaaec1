import type { Readable } from 'node:stream';
import type { operationTable } from '@waybill/contract/operations';
import type { operations } from '@waybill/contract/types';
import type { Kysely } from 'kysely';
import type { Reader } from '../auth/reader-limits.ts';
import type { PooledDatabase } from '../database/connect.ts';
import type { Tables } from '../database/tables.ts';
import type { EventFeed } from '../event-feed/feed.ts';
import type { StreamedBody } from '../http/streamed-body.ts';
import type { GroupResult, PreparedResponse, WriteTransaction } from '../idempotency/execute-write.ts';
import type { KeyedRequest } from '../idempotency/stored-responses.ts';
import type { Links } from '../storage/signed-urls.ts';
import type { Storage } from '../storage/storage.ts';
import type { SecretBox } from '../webhook-signing/secrets.ts';
import type { UnsignedBodies } from './reveal-body.ts';

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
/** Headers that handlers do not return: hooks and route handlers add them. */
type AddedHeaders<H> =
  | 'x-request-id'
  | 'ratelimit'
  | 'ratelimit-policy'
  | 'idempotent-replayed'
  | ('etag' extends keyof LowerCaseNames<H> ? 'etag' | 'cache-control' | 'vary' : never);
type HeadersOf<R> = (R extends { headers: infer H } ? Omit<LowerCaseNames<H>, AddedHeaders<H>> : unknown) &
  (Content<R> extends Readable ? { 'content-type': string; 'content-length': string } : unknown) &
  // A stream of events has no length, and proxies must not buffer it.
  (Content<R> extends StreamedBody ? { 'content-type': string; 'x-accel-buffering': string } : unknown);

/** A validated request of an operation. The body of a file is a stream. */
export interface OperationRequest<Id extends OperationId> {
  path: Parameter<Id, 'path'>;
  query: Parameter<Id, 'query'>;
  headers: Parameter<Id, 'header'>;
  body: Content<operations[Id] extends { requestBody: infer Body } ? Body : undefined>;
}

type WithHeaders<H> = keyof H extends never ? unknown : { headers: H };
type BodyOf<Id extends OperationId, Status extends Success<Id>> = Id extends keyof UnsignedBodies
  ? UnsignedBodies[Id]
  : Content<Responses<Id>[Status]>;
/**
 * A documented success of an operation, before its URLs are signed. That of createShipment is
 * `{ status: 201; body: Shipment; headers: { location: string } }`.
 */
export type ResponseOf<Id extends OperationId> = {
  [Status in Success<Id>]: { status: Status; body: BodyOf<Id, Status> } & WithHeaders<HeadersOf<Responses<Id>[Status]>>;
}[Success<Id>];

interface RequestContext {
  accountId: string;
  db: Kysely<Tables>;
  now: Date;
}
export interface ReadContext extends RequestContext {
  /** For reads that requests share (`batchedRead`); `db` has connections that accounts take in turns. */
  database: PooledDatabase;
  feed: EventFeed;
  log: { warn(fields: object, message: string): void };
  /**
   * Counts a stream or a request that waits for events, until its response is closed.
   * @throws {Problem} too_many_streams, unavailable
   */
  openReader(): Pick<Reader, 'keyEnded'>;
  /** Seconds after which a stream ends. */
  streamSeconds: number;
  /** Makes a signal that aborts when the client has closed the connection. */
  untilDisconnected(): AbortSignal;
}
/** A write has its transaction only: no second connection, and no effect outside the database. */
export interface WriteContext extends Omit<RequestContext, 'db'>, WriteTransaction {
  /** For how many days positions are retained. */
  positionDays: number;
  /** How many bytes the files of an account may have together. */
  storageBytes: number;
  trackingPrefix: string;
  /** The path of the base URL, such as `/v1`. */
  basePath: string;
  webhooks: WebhookServices;
}
/** What operations on webhook endpoints need. */
export interface WebhookServices {
  secrets: SecretBox;
  /** Returns why events must not be sent to a URL, as a clause; undefined when they may. */
  urlError(url: string): Promise<string | undefined>;
}
/** File operations have signed URLs instead of API keys: the token names the account. */
export interface FileContext {
  db: Kysely<Tables>;
  links: Links;
  storage: Storage;
  /** Lower-case, without parameters; empty when it is missing. */
  contentType: string;
  log: { error(fields: object, message: string): void };
  now: Date;
}
export type ContextOf<Id extends OperationId> = (typeof operationTable)[Id]['scope'] extends null
  ? FileContext
  : (typeof operationTable)[Id]['method'] extends 'GET'
    ? ReadContext
    : WriteContext;

/** Returns a documented success of its operation, and throws a Problem for every other response. */
export type Handler<Id extends OperationId> = (
  request: OperationRequest<Id>,
  context: ContextOf<Id>,
) => Promise<ResponseOf<Id>>;
export type Handlers = { [Id in OperationId]: Handler<Id> };

export interface GroupContext<Id extends OperationId> extends Omit<WriteContext, keyof WriteTransaction> {
  db: PooledDatabase;
  /** The key of the request, if it has one. The response is stored with it. */
  keyedRequest: KeyedRequest | undefined;
  /** Serializes the response, before the commit. @throws when it cannot be sent */
  prepareResponse(response: ResponseOf<Id>): PreparedResponse;
}

/**
 * Checks a write before its transaction, so that a check that waits for something else occupies no connection to the
 * database.
 * @throws what the handler would throw
 */
export type Precheck<Id extends OperationId> = (
  request: OperationRequest<Id>,
  context: RequestContext & Pick<WriteContext, 'webhooks'>,
) => Promise<void>;
export type Prechecks = { [Id in OperationId]?: Precheck<Id> };

/**
 * Executes a write in one transaction with concurrent ones. When it returns `execute_alone`, nothing is committed and the
 * operation's handler executes the write: so the handler refuses what the stored data does not allow.
 */
export type GroupHandler<Id extends OperationId> = (
  request: OperationRequest<Id>,
  context: GroupContext<Id>,
) => Promise<GroupResult>;
export type GroupHandlers = { [Id in OperationId]?: GroupHandler<Id> };
