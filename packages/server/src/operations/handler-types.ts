import type { operationTable } from '@waybill/contract/operations';
import type { Links } from '@waybill/http/files/signed-urls';
import type {
  Handler as HttpHandler,
  ResponseOf as HttpResponseOf,
  OperationId,
  OperationRequest,
} from '@waybill/http/operations';
import type { Kysely } from 'kysely';
import type { Reader } from '../auth/reader-limits.ts';
import type { PooledDatabase } from '../database/connect.ts';
import type { Tables } from '../database/tables.ts';
import type { EventFeed } from '../event-feed/feed.ts';
import type { GroupResult, PreparedResponse, WriteTransaction } from '../idempotency/execute-write.ts';
import type { KeyedRequest } from '../idempotency/stored-responses.ts';
import type { Storage } from '../storage/storage.ts';
import type { SecretBox } from '../webhook-signing/secrets.ts';
import type { UnsignedBodies } from './reveal-body.ts';

export type { OperationRequest } from '@waybill/http/operations';

/** A documented success of an operation, before its URLs are signed. */
export type ResponseOf<Id extends OperationId> = HttpResponseOf<Id, UnsignedBodies>;

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
  /** Ends the turn of the request, because it waits for something else than this process. */
  endTurn(): void;
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

export type Handler<Id extends OperationId> = HttpHandler<Id, ContextOf<Id>, UnsignedBodies>;
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
