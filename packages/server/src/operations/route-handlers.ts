import { Readable } from 'node:stream';
import { operationTable } from '@waybill/contract/operations';
import { mediaTypeOf } from '@waybill/contract/request-headers';
import {
  asOperationRequest,
  cachingOf,
  type ResponseOf as HttpResponseOf,
  type OperationId,
  type OperationRequest,
} from '@waybill/http/operations';
import { closeSignal, sendResponse } from '@waybill/http/responses';
import type { SendStreamed } from '@waybill/http/streamed-body';
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import type { Kysely } from 'kysely';
import type { Reader, Readers } from '../auth/readers.ts';
import { type Access, requireShipmentOf } from '../auth/visibility.ts';
import { orTooSlow } from '../concurrency/time-limit.ts';
import type { Database } from '../database/database.ts';
import { uuidFromPublicId } from '../database/identifiers.ts';
import type { Tables } from '../database/tables.ts';
import { measure } from './admission.ts';
import {
  type BeforeWrite,
  executeWrite,
  type GroupCommit,
  type Plan,
  type WriteRequest,
  type WriteTransaction,
} from './execute-write.ts';
import { idempotencyKey } from './idempotency.ts';
import type { RunningRequests } from './running-requests.ts';
import type { ConcealedBodies, Serialize } from './serialize.ts';

/** Operations on files have signed URLs instead of API keys. */
type FileId = {
  [Id in OperationId]: (typeof operationTable)[Id]['scope'] extends null ? Id : never;
}[OperationId];
export type ReadId = {
  [Id in OperationId]: (typeof operationTable)[Id]['method'] extends 'GET' ? Exclude<Id, FileId> : never;
}[OperationId];
type WriteId = Exclude<OperationId, FileId | ReadId>;

/** A documented success of an operation, before its URLs are signed. */
export type ResponseOf<Id extends OperationId> = HttpResponseOf<Id, ConcealedBodies>;

/** Returns a documented success of its operation, and throws a Problem for every other response. */
type Handler<Id extends OperationId, Context> = (
  request: OperationRequest<Id>,
  context: Context,
) => Promise<ResponseOf<Id>>;

interface AccountContext {
  /** The uuid of the access of the request; null for a request with an API key. */
  accessId: string | null;
  accountId: string;
  now: Date;
}

export interface ReadContext extends AccountContext {
  /** What the access of the request permits; undefined for a request with an API key. */
  access: Access | undefined;
  /** Those of the API key or of the access. */
  scopes: string[];
  /** Its connections are shared fairly between accounts. */
  db: Kysely<Tables>;
  log: { warn(fields: object, message: string): void };
  /**
   * Counts a stream or a request that waits for events, until its response is closed.
   * @throws {Problem} too_many_streams, unavailable
   */
  openReader(): Pick<Reader, 'keyEnded'>;
  /** Lets other requests of the account start: this one waits for something else than this process (operations/admission.ts). */
  releaseSlots(): void;
  /** Makes a signal that aborts when the client has closed the connection. */
  untilDisconnected(): AbortSignal;
}

/** A write has its transaction only: no second connection, and no effect outside the database. */
interface WriteContext extends AccountContext, WriteTransaction {}

/** The token of a signed URL names the account. */
interface FileContext {
  /** Lower-case, without parameters; empty when it is missing. */
  contentType: string;
  log: { error(fields: object, message: string): void };
  now: Date;
}

export interface Write<Id extends OperationId> {
  /**
   * Checks what the caller may do, also before a stored response is returned.
   * @throws {Problem} insufficient_scope
   */
  authorize?(request: OperationRequest<Id>, scopes: string[]): void;
  /**
   * Checks the write before its transaction: what waits for something else, and would occupy a connection, or compares a secret.
   * @returns what `perform` gets as `checked`
   * @throws what `perform` would throw
   */
  precheck?(request: OperationRequest<Id>, context: AccountContext & BeforeWrite): Promise<unknown>;
  /** Makes the changes of the write in a transaction of its own. `performInTransaction` stores the response and commits. */
  perform: Handler<Id, WriteContext & { checked: unknown }>;
}

/** A write that is committed together with concurrent ones. Its response does not depend on stored data. */
export interface PlannedWrite<Id extends OperationId, Planned = unknown> extends GroupCommit<Planned> {
  plan(request: OperationRequest<Id>, context: AccountContext): Promise<Plan<ResponseOf<Id>, Planned>>;
}

export type Reads = { [Id in ReadId]: Handler<Id, ReadContext> };
type Files = { [Id in FileId]: Handler<Id, FileContext> };
type Writes = { [Id in WriteId]: Handler<Id, WriteContext> | Write<Id> | PlannedWrite<Id> };
/** Each operation with what executes it. A module returns those of its resource. */
export type Handlers = Reads & Files & Writes;

interface Options {
  database: Database;
  /** How long a request waits for the database altogether, in milliseconds. */
  executionTimeout: number;
  /** The same for a request with an Idempotency-Key, which may wait for another one. */
  keyedTimeout: number;
  /** How long a request waits for another one with its Idempotency-Key, in milliseconds. */
  idempotencyWait: number;
  /** Wakes the readers of an account's events (event-feed/notifications.ts). */
  notify(accountId: string): void;
  openReader: Readers['open'];
  sendStreamed: SendStreamed;
  serialize: Serialize;
}

/** Makes the function that wraps the handler of an operation for Fastify. */
export function routeHandlers(handlers: Handlers, options: Options): (id: OperationId) => RouteHandlerMethod {
  const running: RunningRequests = new Map();
  return (id) => {
    if (isFile(id)) return forFile(id, handlers, options);
    if (isRead(id)) return forRead(id, handlers, options);
    return forWrite(id as WriteId, handlers, options, running);
  };
}

const isFile = (id: OperationId): id is FileId => operationTable[id].scope === null;
const isRead = (id: OperationId): id is ReadId => operationTable[id].method === 'GET';

function forFile<Id extends FileId>(id: Id, { [id]: run }: Files, { serialize }: Options): RouteHandlerMethod {
  return async (request, reply) => {
    const now = new Date();
    request.body ??= Readable.from([]); // a file of no bytes
    const contentType = mediaTypeOf(request.headers['content-type']) ?? '';
    const response = await run(asOperationRequest(request), { contentType, log: request.log, now });
    return measure(request, () => sendResponse(reply, serialize(id, response, reply, now)));
  };
}

const accessIdOf = ({ access, keyId }: Pick<FastifyRequest, 'access' | 'keyId'>): string | null =>
  access ? uuidFromPublicId('acc', keyId) : null;

/** What the handler of a read gets for a request that is authenticated. */
export function readContext(
  request: FastifyRequest,
  reply: FastifyReply,
  now: Date,
  { database, openReader }: Pick<Options, 'database' | 'openReader'>,
): ReadContext {
  const { access, accountId, keyId, log, scopes } = request; // `setCaller` (auth/authenticate.ts) has set them
  return {
    access,
    accessId: accessIdOf(request),
    accountId,
    scopes,
    db: database.ofAccount(accountId),
    log,
    now,
    openReader() {
      const reader = openReader(accountId, keyId);
      if (reply.raw.closed) reader.close();
      else reply.raw.once('close', reader.close);
      return reader;
    },
    untilDisconnected: () => closeSignal(reply),
    releaseSlots: () => request.releaseSlots?.(),
  };
}

function forRead<Id extends ReadId>(id: Id, { [id]: run }: Reads, options: Options): RouteHandlerMethod {
  const { executionTimeout, sendStreamed, serialize } = options;
  const caching = cachingOf(id);
  return async (request, reply) => {
    const { access, params } = request;
    if (access) requireShipmentOf(access, params);
    const now = new Date();
    const context = readContext(request, reply, now, options);
    const waiting = 1000 * Number((request.query as { wait?: number }).wait ?? 0);
    if (waiting > 0) request.socket.setTimeout(waiting + executionTimeout * 2); // there is no traffic meanwhile
    const response = await orTooSlow(
      run(asOperationRequest(request), context),
      executionTimeout + waiting - request.waited,
    );
    return measure(request, () => {
      const serialized = serialize(id, response, reply, now, caching);
      if (typeof serialized.body === 'function') request.releaseSlots?.(); // a stream waits for events most of the time
      return sendResponse(reply, serialized, sendStreamed);
    });
  };
}

function forWrite<Id extends WriteId>(
  id: Id,
  { [id]: handler }: Writes,
  { database, executionTimeout, keyedTimeout, idempotencyWait, notify, serialize }: Options,
  running: RunningRequests,
): RouteHandlerMethod {
  const own: Write<Id> | PlannedWrite<Id> = typeof handler === 'function' ? { perform: handler } : handler;
  return async (request, reply) => {
    const { access, keyId, scopes } = request; // `setCaller` (auth/authenticate.ts) has set them
    if (access) requireShipmentOf(access, request.params);
    const now = new Date();
    const context = { accessId: accessIdOf(request), accountId: request.accountId, now };
    const validRequest = asOperationRequest<Id>(request);
    if ('perform' in own) own.authorize?.(validRequest, scopes);
    const key = idempotencyKey(id, request);
    const start = performance.now() - request.waited; // for its API key and its slots (operations/admission.ts)
    const serialized = await executeWrite(
      {
        // An access has idempotency keys of its own: those of its account contain no line break.
        idempotencyKey: key !== undefined && access ? `${keyId}\n${key}` : key,
        accountId: request.accountId,
        operation: id,
        path: request.params,
        body: request.body,
        run:
          'plan' in own
            ? { plan: () => own.plan(validRequest, context), commit: own.commit }
            : boundTo(own, validRequest, context),
        notify: () => notify(request.accountId),
        serialize: (response) => measure(request, () => serialize(id, response, reply, now)),
        releaseSlots: () => request.releaseSlots?.(),
      },
      {
        database,
        running,
        waitUntil: start + idempotencyWait,
        respondUntil: start + (key === undefined ? executionTimeout : keyedTimeout),
      },
    );
    return measure(request, () => sendResponse(reply, serialized));
  };
}

/** The functions of a write with its request. */
function boundTo<Id extends WriteId>(
  { precheck, perform }: Write<Id>,
  request: OperationRequest<Id>,
  context: AccountContext,
): Extract<WriteRequest['run'], { perform: unknown }> {
  let checked: unknown;
  return {
    ...(precheck && {
      precheck: async (before) => {
        checked = await precheck(request, { ...context, ...before });
      },
    }),
    perform: (transaction) => perform(request, { ...context, ...transaction, checked }),
  };
}
