import { Readable } from 'node:stream';
import { operations } from '@waybill/contract/operations';
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import type { Database } from '../database/connect.ts';
import { etagOf, isMatch } from '../http/conditional.ts';
import { fingerprintOf, idempotent, replayed } from '../idempotency/idempotency.ts';
import type { Loaders } from '../loaders.ts';
import type { Links } from '../storage/signed-urls.ts';
import type { Storage } from '../storage/storage.ts';
import { mediaTypeOf } from './bodies.ts';
import { isConditional } from './document.ts';
import type { FileContext, Handlers, OperationId, ReadContext, Request, WriteContext } from './operations.ts';
import type { ResponseCheck } from './response-check.ts';
import { signer } from './signing.ts';

/** What handlers work with. */
export interface Services {
  /** The path of the base URL, such as `/v1`. */
  basePath: string;
  /** Left out in production. */
  check?: ResponseCheck | undefined;
  db: Database;
  /** How long a repeated request waits for the first, in milliseconds. */
  idempotencyWait: number;
  links: Links;
  load: Loaders;
  /** For how many days positions are retained. */
  positionDays: number;
  storage: Storage;
  /** How many bytes the files of an account may have together. */
  storageBytes: number;
  trackingPrefix: string;
}

/** What a handler says, URLs still unsigned: the form that is hashed and stored. */
interface Answer {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}
/** What goes out: JSON is text by now, a file a stream. */
interface Sealed extends Answer {
  sent: { status: number; headers: Record<string, string>; payload: unknown };
}
type Seal = (answer: Answer) => Sealed;
type Perform = (request: FastifyRequest, seal: Seal, handle: (context: object) => Promise<Answer>) => Promise<Sealed>;

/** Makes the Fastify handlers of operations: each runs the typed handler in the context that its kind has. */
export function answerers(handlers: Handlers, services: Services): (id: OperationId) => RouteHandlerMethod {
  const write = writes(services);
  return (id) => {
    const { method, scope } = operations[id];
    const perform = scope === null ? files(services) : method === 'GET' ? reads(id, services) : write(id);
    const present = signer(id);
    // What one handler takes and answers is checked where the table of handlers is made.
    const handler = handlers[id] as (request: Request<never>, context: unknown) => Promise<Answer>;

    return async (request, reply) => {
      const { params: path, query, headers, body } = request;
      const now = new Date();
      const accountId = request.getDecorator<string>('accountId');
      const seal: Seal = (answer) => {
        const signed =
          present && answer.body !== undefined
            ? present(answer.body, (purpose, upload) => services.links.sign(purpose, accountId, upload, now))
            : answer.body;
        return { ...answer, sent: serialized(reply, id, { ...answer, body: signed }, services.check) };
      };
      const input = { path, query, headers, body } as Request<never>;
      const { sent } = await perform(request, seal, (context) => handler(input, { ...context, now }));
      return reply.code(sent.status).headers(sent.headers).send(sent.payload);
    };
  };
}

function files({ db, links, storage }: Services): Perform {
  return async (request, seal, handle) => {
    request.body ??= Readable.from([]); // a file of no bytes
    const contentType = mediaTypeOf(request.headers['content-type']) ?? '';
    return seal(await handle({ db, links, storage, contentType, log: request.log } satisfies Omit<FileContext, 'now'>));
  };
}

function reads(id: OperationId, { db, load }: Services): Perform {
  const conditional = isConditional(id);
  return async (request, seal, handle) => {
    const accountId = request.getDecorator<string>('accountId');
    const answer = await handle({ accountId, db, load } satisfies Omit<ReadContext, 'now'>);
    if (!conditional) return seal(answer);
    const etag = etagOf(JSON.stringify(answer.body));
    const headers = { ...answer.headers, etag, 'cache-control': 'private, no-cache', vary: 'Authorization' };
    const isKnown = isMatch(request.headers['if-none-match'], etag);
    return seal(isKnown ? { status: 304, headers, body: undefined } : { ...answer, headers });
  };
}

/** A write runs in a transaction, and its answer is sealed before the commit: what cannot be sent has no effect. */
function writes({
  basePath,
  db,
  idempotencyWait,
  positionDays,
  storageBytes,
  trackingPrefix,
}: Services): (id: OperationId) => Perform {
  const once = idempotent(db, idempotencyWait);
  const context = { basePath, positionDays, storageBytes, trackingPrefix };
  return (id) => async (request, seal, handle) => {
    const accountId = request.getDecorator<string>('accountId');
    const effect = async (trx: WriteContext['db']): Promise<Sealed> =>
      seal(await handle({ ...context, accountId, db: trx } satisfies Omit<WriteContext, 'now'>));
    const key = request.headers['idempotency-key'];
    if (typeof key !== 'string') return db.transaction().execute(effect);
    const fingerprint = fingerprintOf(id, request.params, request.body);
    const result = await once({ accountId, key, fingerprint }, effect);
    return 'first' in result ? result.first : seal(replayed(result.replay));
  };
}

/** Serializes by the contract's schema and, where it is asked for, checks the answer against the contract. */
function serialized(
  reply: FastifyReply,
  id: OperationId,
  { status, headers: own, body }: Answer,
  check: ResponseCheck | undefined,
): Sealed['sent'] {
  const json = body !== undefined && !(body instanceof Readable);
  const headers = { ...(json && { 'content-type': 'application/json; charset=utf-8' }), ...own };
  check?.(id, { status, headers: { ...reply.getHeaders(), ...headers }, body });
  const payload = json ? reply.serializeInput(Object(body), String(status), 'application/json') : body;
  return { status, headers, payload };
}
