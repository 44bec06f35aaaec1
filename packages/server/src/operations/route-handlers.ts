import { Readable } from 'node:stream';
import { operationTable } from '@waybill/contract/operations';
import { mediaTypeOf } from '@waybill/contract/request-headers';
import { asOperationRequest, cachingOf, type OperationId, type OperationResponse } from '@waybill/http/operations';
import { closeSignal, sendResponse } from '@waybill/http/responses';
import type { SendStreamed } from '@waybill/http/streamed-body';
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import type { Kysely } from 'kysely';
import type { Reader, Readers } from '../auth/readers.ts';
import { type Access, requireShipmentOf } from '../auth/visibility.ts';
import { orTooSlow } from '../concurrency/time-limit.ts';
import { uuidFromPublicId } from '../database/identifiers.ts';
import type { Tables } from '../database/tables.ts';
import { countWait, measure } from './admission.ts';
import { type CommitOptions, prepareCommit } from './commit-write.ts';
import { executeWrite, type WriteOptions } from './execute-write.ts';
import type { Serialize } from './serialize.ts';
import type { AccountContext, Handler, PlannedWrite, Write, WriteContext } from './write.ts';

/** Operations on files have signed URLs instead of API keys. */
type FileId = {
  [Id in OperationId]: (typeof operationTable)[Id]['scope'] extends null ? Id : never;
}[OperationId];
export type ReadId = {
  [Id in OperationId]: (typeof operationTable)[Id]['method'] extends 'GET' ? Exclude<Id, FileId> : never;
}[OperationId];
type WriteId = Exclude<OperationId, FileId | ReadId>;

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

/** The token of a signed URL names the account. */
interface FileContext {
  /** Lower-case, without parameters; empty when it is missing. */
  contentType: string;
  log: { error(fields: object, message: string): void };
  now: Date;
  /** For `measure`, and the bytes of its connection. */
  request: Pick<FastifyRequest, 'busy' | 'socket'>;
}

export type Reads = { [Id in ReadId]: Handler<Id, ReadContext> };
type Files = { [Id in FileId]: Handler<Id, FileContext> };
type Writes = { [Id in WriteId]: Handler<Id, WriteContext> | Write<Id> | PlannedWrite<Id> };
/** Each operation with what executes it. A module returns those of its resource. */
export type Handlers = Reads & Files & Writes;

interface Options extends CommitOptions, Omit<WriteOptions, 'running'> {
  openReader: Readers['open'];
  sendStreamed: SendStreamed;
  serialize: Serialize;
}

/** Makes the function that wraps the handler of an operation for Fastify. */
export function routeHandlers(handlers: Handlers, options: Options): (id: OperationId) => RouteHandlerMethod {
  const writeOptions = { ...options, running: new Map() };
  return (id) => {
    if (isFile(id)) return forFile(id, handlers, options);
    if (isRead(id)) return forRead(id, handlers, options);
    return forWrite(id as WriteId, handlers, writeOptions);
  };
}

const isFile = (id: OperationId): id is FileId => operationTable[id].scope === null;
const isRead = (id: OperationId): id is ReadId => operationTable[id].method === 'GET';

function forFile<Id extends FileId>(id: Id, { [id]: run }: Files, { serialize }: Options): RouteHandlerMethod {
  return async (request, reply) => {
    const now = new Date();
    request.body ??= Readable.from([]); // a file of no bytes
    const contentType = mediaTypeOf(request.headers['content-type']) ?? '';
    const response = await run(asOperationRequest(request), { contentType, log: request.log, now, request });
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
  { [id]: own }: Writes,
  { serialize, ...options }: Options & WriteOptions,
): RouteHandlerMethod {
  const { executionTimeout } = options;
  const handler: Write<Id> | PlannedWrite<Id> = typeof own === 'function' ? { perform: own } : own;
  return async (request, reply) => {
    const { access, accountId, scopes } = request; // `setCaller` (auth/authenticate.ts) has set them
    if (access) requireShipmentOf(access, request.params);
    if ('perform' in handler) handler.authorize?.(asOperationRequest(request), scopes);
    const now = new Date();
    const serializeResponse = (response: OperationResponse) =>
      measure(request, () => serialize(id, response, reply, now));
    const context = { accessId: accessIdOf(request), accountId, now };
    const call = { request: asOperationRequest<Id>(request), context, serialize: serializeResponse };
    const planning = prepareCommit(handler, call, options);
    const commit =
      planning instanceof Promise
        ? await countWait(request, orTooSlow(planning, executionTimeout - request.waited))
        : planning;
    const serialized = await executeWrite({ id, request, commit, serialize: serializeResponse }, options);
    return measure(request, () => sendResponse(reply, serialized));
  };
}
