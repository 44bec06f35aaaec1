import type { operationTable } from '@waybill/contract/operations';
import type { Access } from '@waybill/http/access';
import type { ResponseOf as HttpResponseOf, OperationId, OperationRequest } from '@waybill/http/operations';
import type { Kysely } from 'kysely';
import type { Reader } from '../auth/reader-limits.ts';
import type { Tables } from '../database/tables.ts';
import type { GroupResult, PreparedResponse, WriteTransaction } from './execute-write.ts';
import type { UnsignedBodies } from './reveal-body.ts';
import type { KeyedRequest } from './stored-responses.ts';

export type { OperationRequest } from '@waybill/http/operations';

/** Operations on files have signed URLs instead of API keys. */
export type FileId = {
  [Id in OperationId]: (typeof operationTable)[Id]['scope'] extends null ? Id : never;
}[OperationId];
export type ReadId = {
  [Id in OperationId]: (typeof operationTable)[Id]['method'] extends 'GET' ? Exclude<Id, FileId> : never;
}[OperationId];
export type WriteId = Exclude<OperationId, FileId | ReadId>;

/** A documented success of an operation, before its URLs are signed. */
export type ResponseOf<Id extends OperationId> = HttpResponseOf<Id, UnsignedBodies>;

/** Returns a documented success of its operation, and throws a Problem for every other response. */
type Handler<Id extends OperationId, Context> = (
  request: OperationRequest<Id>,
  context: Context,
) => Promise<ResponseOf<Id>>;

interface AccountContext {
  accountId: string;
  now: Date;
}

export interface ReadContext extends AccountContext {
  /** What the access of the request permits; undefined for a request with a key. */
  access: Access | undefined;
  /** Those of the key or of the access. */
  scopes: string[];
  /** Its connections are shared fairly between accounts. */
  db: Kysely<Tables>;
  log: { warn(fields: object, message: string): void };
  /**
   * Counts a stream or a request that waits for events, until its response is closed.
   * @throws {Problem} too_many_streams, unavailable
   */
  openReader(): Pick<Reader, 'keyEnded'>;
  /** Lets other requests of the account start: this one waits for something else than this process (http/admission.ts). */
  releaseSlots(): void;
  /** Makes a signal that aborts when the client has closed the connection. */
  untilDisconnected(): AbortSignal;
}

/** A write has its transaction only: no second connection, and no effect outside the database. */
export type WriteContext = AccountContext & WriteTransaction;

/** The token of a signed URL names the account. */
export interface FileContext {
  /** Lower-case, without parameters; empty when it is missing. */
  contentType: string;
  log: { error(fields: object, message: string): void };
  now: Date;
}

export interface GroupContext<Id extends OperationId> extends AccountContext {
  /** The key of the request, if it has one. The response is stored with it. */
  keyedRequest: KeyedRequest | undefined;
  /** Serializes the response, before the commit. @throws when it cannot be sent */
  prepareResponse(response: ResponseOf<Id>): PreparedResponse;
}

export interface Write<Id extends OperationId> {
  /**
   * Checks what the caller may do, also before a stored response is returned.
   * @throws {Problem} insufficient_scope
   */
  authorize?(request: OperationRequest<Id>, scopes: string[]): void;
  /**
   * Checks the write before its transaction, so that a check that waits for something else occupies no connection.
   * @throws what `execute` would throw
   */
  precheck?(request: OperationRequest<Id>, context: AccountContext & Pick<ReadContext, 'db'>): Promise<void>;
  /**
   * Executes the write in one transaction with concurrent ones. When it returns `execute_alone`, nothing is committed and
   * `execute` follows, which refuses what the stored data does not allow. `execute` never sees a write that is committed
   * here: both need each check of the stored data.
   */
  executeInGroup?(request: OperationRequest<Id>, context: GroupContext<Id>): Promise<GroupResult>;
  /** Executes the write in a transaction of its own. */
  execute: Handler<Id, WriteContext>;
}

export type Reads = { [Id in ReadId]: Handler<Id, ReadContext> };
export type Files = { [Id in FileId]: Handler<Id, FileContext> };
export type Writes = { [Id in WriteId]: Handler<Id, WriteContext> | Write<Id> };
/** Each operation with what executes it. A module returns those of its resource. */
export type Handlers = Reads & Files & Writes;
