import { Readable } from 'node:stream';
import { operationTable } from '@waybill/contract/operations';
import { mediaTypeOf } from '@waybill/contract/request-headers';
import { isConditional } from '@waybill/http/document';
import type { Links } from '@waybill/http/files/signed-urls';
import type { OperationId, OperationResponse, SerializedResponse } from '@waybill/http/operations';
import type { ResponseCheck } from '@waybill/http/response-check';
import { jsonResponse, sendResponse, withEtag } from '@waybill/http/responses';
import type { SendStreamed, StreamedBody } from '@waybill/http/streamed-body';
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import type { Authenticate } from '../auth/authenticate.ts';
import type { Readers } from '../auth/reader-limits.ts';
import type { PooledDatabase } from '../database/connect.ts';
import type { EventFeed } from '../event-feed/feed.ts';
import type { Notifications } from '../event-feed/notifications.ts';
import type { Admission } from '../http/admission.ts';
import { within } from '../http/within.ts';
import {
  executeWrite,
  type GroupResult,
  type PreparedResponse,
  type WriteRequest,
} from '../idempotency/execute-write.ts';
import type { RunningRequests } from '../idempotency/running-requests.ts';
import type { RateLimit } from '../rate-limit/limit.ts';
import type { Storage } from '../storage/storage.ts';
import type {
  FileContext,
  GroupContext,
  GroupHandlers,
  Handlers,
  OperationRequest,
  Precheck,
  Prechecks,
  ReadContext,
  WriteContext,
} from './handler-types.ts';
import { revealBody } from './reveal-body.ts';

/** What the routes of operations need. */
export interface Services
  extends Pick<WriteContext, 'basePath' | 'positionDays' | 'storageBytes' | 'trackingPrefix' | 'webhooks'> {
  admission: Admission;
  /** For requests that transfer files. */
  transfers: Admission;
  authenticate: Authenticate;
  /** Set when CHECK_RESPONSES is true. */
  checkResponse?: ResponseCheck | undefined;
  db: PooledDatabase;
  eventFeed: EventFeed;
  /** How long a request waits for the database altogether, in milliseconds. */
  executionTimeout: number;
  groupHandlers: GroupHandlers;
  handlers: Handlers;
  /** How long a repeated request waits for the first, in milliseconds. */
  idempotencyWait: number;
  limit: RateLimit;
  links: Links;
  notifications: Notifications;
  openReader: Readers['open'];
  prechecks: Prechecks;
  sendStreamed: SendStreamed;
  storage: Storage;
  /** Seconds after which a stream of events ends. */
  streamSeconds: number;
}

/** The handler of an operation that is not known here (`never`). The type Handlers has checked that it fits its operation. */
type AnyHandler<Context> = (request: OperationRequest<never>, context: Context) => Promise<OperationResponse>;

type AnyGroupHandler = (request: OperationRequest<never>, context: GroupContext<never>) => Promise<GroupResult>;

/** Wraps the handler of an operation for Fastify: that of a file operation, a read or a write. */
export function fastifyHandlers(services: Services): (id: OperationId) => RouteHandlerMethod {
  const { handlers } = services;
  const running: RunningRequests = new Map();
  return (id) => {
    if (!handlers[id]) throw new Error(`The operation ${id} has no handler`);
    const { method, scope } = operationTable[id];
    if (scope === null) return forFile(id, handlers[id] as AnyHandler<FileContext>, services);
    if (method === 'GET') return forRead(id, handlers[id] as AnyHandler<ReadContext>, services);
    return forWrite(id, handlers[id] as AnyHandler<WriteContext>, services, running);
  };
}

function forFile(id: OperationId, handler: AnyHandler<FileContext>, services: Services): RouteHandlerMethod {
  const { db, links, storage } = services;
  return async (request, reply) => {
    const now = new Date();
    request.body ??= Readable.from([]); // a file of no bytes
    const contentType = mediaTypeOf(request.headers['content-type']) ?? '';
    const response = await handler(operationRequest(request), {
      db,
      links,
      storage,
      contentType,
      log: request.log,
      now,
    });
    return sendResponse(reply, serialize(id, response, reply, now, services));
  };
}

function forRead(id: OperationId, handler: AnyHandler<ReadContext>, services: Services): RouteHandlerMethod {
  const { db, eventFeed: feed, executionTimeout, openReader, sendStreamed, streamSeconds } = services;
  const conditional = isConditional(id);
  return async (request, reply) => {
    const { accountId, keyId, log } = request;
    const now = new Date();
    const context: ReadContext = {
      ...{ accountId, database: db, db: db.ofAccount(accountId), feed, log, now, streamSeconds },
      openReader() {
        const reader = openReader(keyId);
        if (reply.raw.closed) reader.close();
        else reply.raw.once('close', reader.close);
        return reader;
      },
      untilDisconnected: () => closeSignal(reply),
      endTurn: () => request.endTurn?.(),
    };
    const waiting = 1000 * Number((request.query as { wait?: number }).wait ?? 0);
    if (waiting > 0) request.socket.setTimeout(waiting + executionTimeout * 2); // there is no traffic meanwhile
    const response = await within(handler(operationRequest(request), context), executionTimeout + waiting);
    const serialized = serialize(id, response, reply, now, services, conditional);
    if (typeof serialized.body === 'function') request.endTurn?.(); // a stream waits for events most of the time
    return sendResponse(reply, serialized, sendStreamed);
  };
}

function closeSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => controller.abort());
  return controller.signal;
}

function forWrite(
  id: OperationId,
  handler: AnyHandler<WriteContext>,
  services: Services,
  running: RunningRequests,
): RouteHandlerMethod {
  const { basePath, db, groupHandlers, notifications, positionDays, storageBytes, trackingPrefix, webhooks } = services;
  const { executionTimeout, idempotencyWait: waitTimeout } = services;
  const groupHandler = groupHandlers[id] as AnyGroupHandler | undefined;
  const precheck = services.prechecks[id] as Precheck<never> | undefined;
  return async (request, reply) => {
    const now = new Date();
    const accountId = request.accountId;
    const context = { basePath, positionDays, storageBytes, trackingPrefix, webhooks, accountId, now };
    const key = request.headers['idempotency-key'];
    const serializeResponse = (response: OperationResponse) => serialize(id, response, reply, now, services);
    const prepareResponse = (response: OperationResponse): PreparedResponse => ({
      response,
      serialized: serializeResponse(response),
    });
    const write: WriteRequest = {
      key: typeof key === 'string' ? key : undefined,
      accountId,
      operation: id,
      path: request.params,
      body: request.body,
      precheck: precheck && (() => precheck(operationRequest(request), { ...context, db: db.ofAccount(accountId) })),
      runHandler: (transaction) => handler(operationRequest(request), { ...context, ...transaction }),
      serialize: serializeResponse,
      runInGroup:
        groupHandler &&
        ((keyedRequest) => groupHandler(operationRequest(request), { ...context, db, keyedRequest, prepareResponse })),
    };
    const response = await executeWrite(write, { db, running, waitTimeout, executionTimeout });
    notifications.notify(accountId);
    return sendResponse(reply, response);
  };
}

const operationRequest = ({ params, query, headers, body }: FastifyRequest): OperationRequest<never> =>
  ({ path: params, query, headers, body }) as OperationRequest<never>;

/**
 * Signs the URLs of a handler's response, decrypts its secret and turns its body into JSON by the contract's schema.
 * @param conditional whether the response has an ETag and becomes 304 when the request has the same
 * @throws {ContractViolation} when responses are checked and it is not in the contract
 */
function serialize(
  id: OperationId,
  response: OperationResponse,
  reply: FastifyReply,
  now: Date,
  { links, checkResponse, webhooks }: Services,
  conditional = false,
): SerializedResponse {
  const { status, headers = {}, body } = response;
  const accountId = reply.request.accountId; // '' for a file operation, which signs nothing
  const revealed = revealBody(id, body, {
    sign: (purpose, uploadId) => links.sign(purpose, accountId, uploadId, now),
    decrypt: webhooks.secrets.decrypt,
  });
  const isJson = revealed !== undefined && !(revealed instanceof Readable) && typeof revealed !== 'function';
  const sent = isJson
    ? jsonResponse(status, headers, revealed, reply)
    : { status, headers, body: revealed as StreamedBody };
  // The ETag does not depend on signed URLs, which change every few minutes.
  const final = conditional
    ? withEtag(sent, revealed === body ? String(sent.body) : JSON.stringify(body), reply)
    : sent;
  // After the timeout, a 503 is sent instead, and the reply has its headers.
  const check = reply.sent ? undefined : checkResponse;
  check?.(id, {
    status: final.status,
    headers: { ...reply.getHeaders(), ...final.headers },
    body: final.body === undefined ? undefined : revealed,
  });
  return final;
}
