import { Readable } from 'node:stream';
import { operationTable } from '@waybill/contract/operations';
import { mediaTypeOf } from '@waybill/contract/request-headers';
import { requireShipmentOf } from '@waybill/http/access';
import { cachingOf } from '@waybill/http/document';
import { type OperationId, operationRequest } from '@waybill/http/operations';
import { closeSignal, sendResponse } from '@waybill/http/responses';
import { idempotencyKey } from '@waybill/http/stored-response';
import type { SendStreamed } from '@waybill/http/streamed-body';
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import type { Readers } from '../auth/reader-limits.ts';
import { within } from '../concurrency/time-limit.ts';
import type { Database } from '../database/database.ts';
import { executeWrite } from './execute-write.ts';
import type {
  FileId,
  Files,
  Handlers,
  ReadContext,
  ReadId,
  Reads,
  ResponseOf,
  WriteId,
  Writes,
} from './handler-types.ts';
import type { RunningRequests } from './running-requests.ts';
import type { Serialize } from './serialize.ts';

interface Options {
  database: Database;
  /** How long a request waits for the database altogether, in milliseconds. */
  executionTimeout: number;
  /** How long a repeated request waits for the first, in milliseconds. */
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
    const response = await run(operationRequest(request), { contentType, log: request.log, now });
    return sendResponse(reply, serialize(id, response, reply, now));
  };
}

/** What the handler of a read gets for a request that is authenticated. */
export function readContext(
  request: FastifyRequest,
  reply: FastifyReply,
  now: Date,
  { database, openReader }: Pick<Options, 'database' | 'openReader'>,
): ReadContext {
  const { access, accountId, keyId, log, scopes } = request; // `setCaller` (auth/authenticate.ts) has set them
  return {
    ...{ access, accountId, scopes, db: database.ofAccount(accountId), log, now },
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
    const response = await within(run(operationRequest(request), context), executionTimeout + waiting - request.waited);
    const serialized = serialize(id, response, reply, now, caching);
    if (typeof serialized.body === 'function') request.releaseSlots?.(); // a stream waits for events most of the time
    return sendResponse(reply, serialized, sendStreamed);
  };
}

function forWrite<Id extends WriteId>(
  id: Id,
  { [id]: handler }: Writes,
  { database, executionTimeout, idempotencyWait, notify, serialize }: Options,
  running: RunningRequests,
): RouteHandlerMethod {
  const { authorize, precheck, executeInGroup, execute } =
    typeof handler === 'function' ? { execute: handler } : handler;
  return async (request, reply) => {
    const { access, keyId, scopes } = request; // `setCaller` (auth/authenticate.ts) has set them
    if (access) requireShipmentOf(access, request.params);
    const now = new Date();
    const context = { accountId: request.accountId, now };
    const operation = operationRequest<Id>(request);
    authorize?.(operation, scopes);
    const prepareResponse = (response: ResponseOf<Id>) => ({
      response,
      serialized: serialize(id, response, reply, now),
    });
    const key = idempotencyKey(id, request);
    const response = await executeWrite(
      {
        // The keys of an access are its own: those of its account contain no line break.
        key: key !== undefined && access ? `${keyId}\n${key}` : key,
        accountId: request.accountId,
        operation: id,
        path: request.params,
        body: request.body,
        precheck: precheck && ((db) => precheck(operation, { ...context, db })),
        execute: (transaction) => execute(operation, { ...context, ...transaction }).then(prepareResponse),
        executeInGroup:
          executeInGroup &&
          ((keyedRequest) => executeInGroup(operation, { ...context, keyedRequest, prepareResponse })),
        serialize: (stored) => serialize(id, stored, reply, now),
        releaseSlots: () => request.releaseSlots?.(),
      },
      {
        ...{ database, running },
        waitTimeout: idempotencyWait - request.waited, // `admit` has counted it (http/admission.ts)
        executionTimeout: executionTimeout - request.waited,
      },
    );
    notify(request.accountId); // not after a timeout: the feed polls for events that are committed later
    return sendResponse(reply, response);
  };
}
