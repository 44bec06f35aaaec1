import { Readable } from 'node:stream';
import { operationTable } from '@waybill/contract/operations';
import type { FastifyRequest, RouteHandlerMethod } from 'fastify';
import type { Database } from '../database/connect.ts';
import { etagOf, isMatch } from '../http/conditional.ts';
import type { OperationResponse } from '../http/operation-response.ts';
import { executeWrite, type Write, type WriteServices } from '../idempotency/execute-write.ts';
import type { Links } from '../storage/signed-urls.ts';
import type { Storage } from '../storage/storage.ts';
import { mediaTypeOf } from './bodies.ts';
import { isConditional } from './document.ts';
import type { FileContext, Handlers, OperationId, ReadContext, Request, WriteContext } from './operations.ts';
import type { ResponseCheck } from './response-check.ts';
import { send, serialize } from './serialize.ts';

/** What the handlers of operations work with. */
export interface Services extends Pick<WriteContext, 'basePath' | 'positionDays' | 'storageBytes' | 'trackingPrefix'> {
  /** Undefined in production. */
  check?: ResponseCheck | undefined;
  db: Database;
  /** How long a repeated request waits for the first, in milliseconds. */
  idempotencyWait: number;
  links: Links;
  storage: Storage;
}

type Handle<Context> = (request: Request<never>, context: Context) => Promise<OperationResponse>;

/** Makes the Fastify handler of an operation: of a file operation, a read or a write. */
export function routeHandlers(handlers: Handlers, services: Services): (id: OperationId) => RouteHandlerMethod {
  const writeServices = { db: services.db, running: new Map(), waitTimeout: services.idempotencyWait };
  return (id) => {
    const { method, scope } = operationTable[id];
    // The type Handlers has checked that each handler fits its operation.
    if (scope === null) return fileHandler(id, handlers[id] as Handle<FileContext>, services);
    if (method === 'GET') return readHandler(id, handlers[id] as Handle<ReadContext>, services);
    return writeHandler(id, handlers[id] as Handle<WriteContext>, services, writeServices);
  };
}

function fileHandler(id: OperationId, handle: Handle<FileContext>, services: Services): RouteHandlerMethod {
  const { db, links, storage } = services;
  return async (request, reply) => {
    const now = new Date();
    request.body ??= Readable.from([]); // a file of no bytes
    const contentType = mediaTypeOf(request.headers['content-type']) ?? '';
    const response = await handle(inputOf(request), { db, links, storage, contentType, log: request.log, now });
    return send(reply, serialize(id, response, reply, now, services));
  };
}

function readHandler(id: OperationId, handle: Handle<ReadContext>, services: Services): RouteHandlerMethod {
  const { db } = services;
  const conditional = isConditional(id);
  return async (request, reply) => {
    const now = new Date();
    const accountId = request.getDecorator<string>('accountId');
    const response = await handle(inputOf(request), { accountId, db, now });
    const tagged = conditional ? withEtag(response, request.headers['if-none-match']) : response;
    return send(reply, serialize(id, tagged, reply, now, services));
  };
}

/** The ETag does not depend on signed URLs, which change every few minutes. */
function withEtag({ status, headers, body }: OperationResponse, ifNoneMatch: string | undefined): OperationResponse {
  const etag = etagOf(JSON.stringify(body));
  const tagged = { ...headers, etag, 'cache-control': 'private, no-cache', vary: 'Authorization' };
  if (isMatch(ifNoneMatch, etag)) return { status: 304, headers: tagged, body: undefined };
  return { status, headers: tagged, body };
}

function writeHandler(
  id: OperationId,
  handle: Handle<WriteContext>,
  services: Services,
  writeServices: WriteServices,
): RouteHandlerMethod {
  const { basePath, positionDays, storageBytes, trackingPrefix } = services;
  return async (request, reply) => {
    const now = new Date();
    const accountId = request.getDecorator<string>('accountId');
    const context = { basePath, positionDays, storageBytes, trackingPrefix, accountId, now };
    const key = request.headers['idempotency-key'];
    const write: Write = {
      key: typeof key === 'string' ? key : undefined,
      accountId,
      operation: id,
      path: request.params,
      body: request.body,
      handle: (db) => handle(inputOf(request), { ...context, db }),
      serialize: (response) => serialize(id, response, reply, now, services),
    };
    return send(reply, await executeWrite(write, writeServices));
  };
}

const inputOf = ({ params, query, headers, body }: FastifyRequest): Request<never> =>
  ({ path: params, query, headers, body }) as Request<never>;
