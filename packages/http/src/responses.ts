import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import { isMatch, isStrongMatch } from '@waybill/contract/request-headers';
import type { FastifyInstance, FastifyReply } from 'fastify';
import Negotiator from 'negotiator';
import type { cachingOf, SerializedResponse } from './operations.ts';
import { Problem } from './problems.ts';
import type { SendStreamed } from './streamed-body.ts';

/** Headers of every response. */
export const commonHeaders = (requestId: string): Record<string, string> => ({
  'x-request-id': requestId,
  'x-content-type-options': 'nosniff',
});

/** Adds the headers of every response to those of an app. */
export function addCommonHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(commonHeaders(request.id));
    done();
  });
}

/** Serializes a body by the response schema of its route (`serializerOf` in routes.ts). */
export function jsonResponse(
  status: number,
  headers: Record<string, string>,
  body: unknown,
  reply: FastifyReply,
): SerializedResponse {
  const text = reply.serializeInput(body as Record<string, unknown>, String(status), 'application/json');
  return { status, headers: { 'content-type': 'application/json; charset=utf-8', ...headers }, body: text as string };
}

/** Makes a strong ETag of a representation (RFC 9110, section 8.8.3): 128 bits of its SHA-256. */
export const etagOf = (representation: string | Uint8Array): string =>
  `"${hash('sha256', representation, 'buffer').subarray(0, 16).toString('base64url')}"`;

/**
 * Requires that the version of a resource is one of those that a request may change.
 * @throws {Problem} precondition_failed
 */
export function requireMatch(ifMatch: string, etag: string): void {
  if (!isStrongMatch(ifMatch, etag))
    throw new Problem('precondition_failed', 'No ETag in If-Match is the current one.');
}

/**
 * Says how a response may be cached. With an ETag, it becomes 304 when the request has the same.
 * @param versionOf makes the ETag
 */
export function withCaching(
  response: SerializedResponse,
  caching: ReturnType<typeof cachingOf>,
  versionOf: () => string,
  { request }: FastifyReply,
): SerializedResponse {
  if (caching === undefined) return response;
  const { headers } = response;
  if (caching === 'no-store') return { ...response, headers: { ...headers, 'cache-control': 'no-store' } };
  const etag = versionOf();
  const tag = {
    etag: encodedTag(etag, codingOf(response.body, request.raw)),
    'cache-control': 'private, no-cache',
    vary: 'Authorization, Origin, Accept-Encoding',
  };
  if (isMatch(request.headers['if-none-match'], etag)) return { status: 304, headers: tag, body: undefined };
  return { ...response, headers: { ...headers, ...tag } };
}

/** Sends a response. @param sendStreamed sends a body that is made while it is sent */
export function sendResponse(
  reply: FastifyReply,
  { status, headers, body }: SerializedResponse,
  sendStreamed?: SendStreamed,
): FastifyReply {
  const coding = codingOf(body, reply.request.raw);
  if (coding && typeof body === 'string') return sendEncoded(reply.code(status).headers(headers), body, coding);
  if (typeof body !== 'function' || !sendStreamed) return reply.code(status).headers(headers).send(body);
  const { log, method } = reply.request;
  reply.hijack(); // Fastify would buffer the parts
  reply.raw.writeHead(status, { ...(reply.getHeaders() as Record<string, string>), ...headers });
  if (method === 'HEAD') reply.raw.end();
  else sendStreamed(reply.raw, body).catch((error) => log.error({ err: error }, 'a stream failed'));
  return reply;
}

function sendEncoded(reply: FastifyReply, body: string, coding: Coding): FastifyReply {
  const encoded = encode(body, coding);
  reply.header('content-encoding', coding);
  if (!(encoded instanceof Promise)) return reply.send(encoded);
  encoded.then(
    (bytes) => reply.send(bytes),
    (error) => reply.removeHeader('content-encoding').send(error),
  );
  return reply;
}

/** Makes a signal that aborts when the client has closed the connection. */
export function closeSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  if (raw.closed) controller.abort();
  else raw.once('close', () => controller.abort());
  return controller.signal;
}

/** Smaller bodies fit into one packet. */
const minEncodedLength = 1024;
/** Larger bodies are compressed by another thread, which costs two to three times the CPU. */
const maxLengthEncodedAtOnce = 128 * 1024;

/** The lowest levels: higher ones take two to five times as long and save a tenth of the bytes. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const deflate = { level: 1 };

type Done = (error: Error | null, bytes: Buffer) => void;
interface Encoder {
  sync(text: string): Buffer;
  async(text: string, done: Done): void;
}
type Coding = 'br' | 'gzip';

const encoders: Record<Coding, Encoder> = {
  br: {
    sync: (text) => brotliCompressSync(text, brotli),
    async: (text, done) => brotliCompress(text, brotli, done),
  },
  gzip: {
    sync: (text) => gzipSync(text, deflate),
    async: (text, done) => gzip(text, deflate, done),
  },
};

/** The coding of a body, if it is long enough and the client asks for one. */
const codingOf = (body: SerializedResponse['body'], request: IncomingMessage): Coding | undefined =>
  typeof body === 'string' && body.length >= minEncodedLength ? acceptedCoding(request) : undefined;

/** Characters of a list in a header that are read. Thousands of entries would take milliseconds. */
const maxListLength = 1000;

/** The coding that a client asks for (RFC 9110, section 12.5.3). */
export function acceptedCoding({ headers }: IncomingMessage): Coding | undefined {
  const accepted = headers['accept-encoding']?.slice(0, maxListLength);
  if (!accepted) return undefined;
  const chosen = new Negotiator({ headers: { 'accept-encoding': accepted } }).encoding(['br', 'gzip', 'identity']);
  return chosen === 'br' || chosen === 'gzip' ? chosen : undefined;
}

/** The strong ETag of an encoded representation: each coding needs another one (RFC 9110, section 8.8.3.3). */
const encodedTag = (etag: string, coding: Coding | undefined): string =>
  coding ? etag.replace(/"$/, `-${coding}"`) : etag;

/** Encodes a body: at once if it is short, otherwise it resolves later. */
function encode(body: string, coding: Coding): Buffer | Promise<Buffer> {
  const { sync, async } = encoders[coding];
  if (body.length <= maxLengthEncodedAtOnce) return sync(body);
  return new Promise((resolve, reject) => {
    async(body, (error, bytes) => (error ? reject(error) : resolve(bytes)));
  });
}
