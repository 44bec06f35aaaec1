import { Readable } from 'node:stream';
import { operations } from '@waybill/contract/operations';
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import type { Database } from '../database/connect.ts';
import type { Loaders } from '../database/loaders.ts';
import type { Links } from '../files/links.ts';
import type { Storage } from '../files/storage.ts';
import type { FileContext, Handlers, OperationId, ReadContext, Request, WriteContext } from './operations.ts';
import type { ResponseCheck } from './response-check.ts';

/** What handlers work with. */
export interface Services {
  /** The path of the base URL, such as `/v1`. */
  basePath: string;
  /** Left out in production. */
  check?: ResponseCheck | undefined;
  db: Database;
  links: Links;
  load: Loaders;
  storage: Storage;
  trackingPrefix: string;
}

interface Answer {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}
/** What goes out: JSON is text by now, a file a stream. */
interface Sealed {
  status: number;
  headers: Record<string, string>;
  payload: unknown;
}
type Common = 'links' | 'now';
type Run = (context: object) => Promise<Sealed>;

/** The Fastify handler of one operation: runs the typed handler in the context that its kind of operation has. */
export function answerer(id: OperationId, handlers: Handlers, services: Services): RouteHandlerMethod {
  const perform = performer(id, services);
  // What one handler takes and answers is checked where the table of handlers is made.
  const handle = handlers[id] as (request: Request<never>, context: unknown) => Promise<Answer>;
  return async (request, reply) => {
    const { params: path, query, headers, body } = request;
    const now = new Date();
    const { status, ...sealed } = await perform(request, async (context) => {
      const input = { path, query, headers, body } as Request<never>;
      return seal(reply, id, await handle(input, { ...context, links: services.links, now }), services.check);
    });
    return reply.code(status).headers(sealed.headers).send(sealed.payload);
  };
}

/** Reads run on the pool; a write runs in a transaction, and its answer is sealed before the commit. */
function performer(id: OperationId, services: Services): (request: FastifyRequest, run: Run) => Promise<Sealed> {
  const { basePath, db, load, storage, trackingPrefix } = services;
  const { method, scope } = operations[id];
  if (scope === null) {
    return (request, run) => {
      request.body ??= Readable.from([]); // a file of no bytes
      const [contentType = ''] = request.headers['content-type']?.split(';') ?? [];
      return run({ db, storage, contentType } satisfies Omit<FileContext, Common>);
    };
  }
  return (request, run) => {
    const account = request.getDecorator<string>('account');
    if (method === 'GET') return run({ account, db, load } satisfies Omit<ReadContext, Common>);
    return db
      .transaction()
      .execute((trx) => run({ account, basePath, db: trx, trackingPrefix } satisfies Omit<WriteContext, Common>));
  };
}

/** Serializes by the contract's schema and, where it is asked for, checks the answer against the contract. */
function seal(reply: FastifyReply, id: OperationId, answer: Answer, check: ResponseCheck | undefined): Sealed {
  const { status, body } = answer;
  const json = body !== undefined && !(body instanceof Readable);
  const headers = { ...(json && { 'content-type': 'application/json; charset=utf-8' }), ...answer.headers };
  check?.(id, { status, headers: { ...reply.getHeaders(), ...headers }, body });
  const payload = json ? reply.serializeInput(Object(body), String(status), 'application/json') : body;
  return { status, headers, payload };
}
