import { hash } from 'node:crypto';
import { isMatch, isStrongMatch } from '@waybill/contract/request-headers';
import type { FastifyReply } from 'fastify';
import { type Coding, codingOf, encode, encodedTag } from './compression.ts';
import type { cachingOf } from './document.ts';
import type { SerializedResponse } from './operations.ts';
import { Problem } from './problems.ts';
import type { SendStreamed } from './streamed-body.ts';

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
export const etagOf = (representation: string): string =>
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
    ...{ 'cache-control': 'private, no-cache', vary: 'Authorization, Origin, Accept-Encoding' },
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
  raw.once('close', () => controller.abort());
  return controller.signal;
}
