import type { IncomingMessage } from 'node:http';
import { maxFieldErrors } from '@waybill/contract/limits';
import { hasContentCoding, mediaTypeOf } from '@waybill/contract/request-headers';
import { encodingError } from '@waybill/contract/validation/field-errors';
import { invalidFields } from '@waybill/contract/validation/invalid-request';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import { withChunkLimit } from './chunk-limit.ts';
import { isBodyOptional } from './operations.ts';
import { jsonLimits, parseJson } from './parse-json.ts';
import { undecodableParameters } from './percent-encoding.ts';
import { Problem } from './problems.ts';

/** The media types of JSON bodies. That of a merge patch has the same rules (RFC 7396). */
export const jsonTypes: string[] = ['application/json', 'application/merge-patch+json'];

/** The form in which fastify-openapi-glue gives the schemas of a body. */
interface BodySchema {
  content: Record<string, { schema: object }>;
}

/**
 * Parses JSON, and passes files on as streams. Fastify's own JSON parser would replace invalid UTF-8 silently, and the
 * service must store what was sent. `bodyLimit` (server.ts) limits the bytes.
 * @param fileTypes media types of files
 */
export function addBodyParsers(app: FastifyInstance, fileTypes: Iterable<string>): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(jsonTypes, { parseAs: 'buffer' }, async (request: FastifyRequest, bytes: Buffer) => {
    const { jsonLimits: limits } = request.routeOptions.config;
    if (!limits) throw new Error(`The body of ${request.routeOptions.url} has no limits`);
    return parseJson(bytes, limits);
  });
  for (const type of fileTypes) app.addContentTypeParser(type, (_request, stream, done) => done(null, stream));
}

/**
 * Adds the checks of a route that Fastify and fastify-openapi-glue lack: the content type and coding before the body is
 * read, an empty or missing body, query parameters that are not UTF-8, and unknown ones of an operation without any.
 */
export function addRequestChecks(route: RouteOptions): void {
  const { content } = (route.schema?.body ?? { content: {} }) as BodySchema;
  const accepted = Object.keys(content);
  if (['POST', 'PUT', 'PATCH'].includes(String(route.method))) {
    route.preParsing = async (request, _reply, payload) => {
      if (!isFile(request.headers, accepted)) await removeEmptyBody(request.raw);
      if (accepted.length > 0) requireContentType(request.headers, accepted);
      return isFile(request.headers, accepted) ? payload : withChunkLimit(request.raw, payload);
    };
  }
  if (!route.schema) return;
  route.schema.querystring ??= { type: 'object', properties: {} };
  const json = content['application/json'];
  const isOptional = route.config?.operation !== undefined && isBodyOptional(route.config.operation);
  if (json) route.config = { ...route.config, jsonLimits: jsonLimits(json.schema) };
  route.preValidation = (request, _reply, done) => {
    const undecodable = undecodableParameters(request.raw.url ?? '');
    if (undecodable.length > 0) throw invalidFields(undecodable.slice(0, maxFieldErrors).map(encodingError));
    // Fastify would skip the validation of a missing body.
    if (accepted.length > 0 && request.body === undefined) {
      if (!isOptional) throw invalidPath(request) ?? missingBody();
      request.body = {};
    }
    done();
  };
}

/** Whether a body is a file, which may be empty. */
const isFile = ({ 'content-type': type }: FastifyRequest['headers'], accepted: string[]): boolean =>
  accepted.includes(mediaTypeOf(type) ?? '') && !jsonTypes.includes(mediaTypeOf(type) ?? '');

/**
 * Removes the headers about a body of 0 bytes. Clients send them with no body, such as `Content-Length: 0` with the type of
 * a form. Of a chunked body, only its first chunk shows whether it is empty.
 */
async function removeEmptyBody(request: IncomingMessage): Promise<void> {
  const { headers } = request;
  if (headers['transfer-encoding'] !== undefined) await firstChunk(request);
  else if (Number(headers['content-length'] ?? 0) > 0) return;
  if (request.readableLength > 0) return;
  for (const name of ['content-type', 'content-encoding', 'content-length', 'transfer-encoding']) delete headers[name];
}

/** Resolves when content of a request has arrived, or its end. Rejects when the client closes the connection before. */
function firstChunk(request: IncomingMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (error?: Error): void => {
      request.off('readable', end).off('error', end);
      if (error) reject(error);
      else resolve();
    };
    if (request.readableLength > 0 || request.complete) resolve();
    else if (request.errored) reject(request.errored);
    else request.on('readable', end).on('error', end);
  });
}

const missingBody = (): Error => invalidFields([{ in: 'body', pointer: '', code: 'required', detail: 'is required' }]);

/** What is wrong with the path, which Fastify has not validated yet. */
function invalidPath(request: FastifyRequest): Error | undefined {
  const result: unknown = request.getValidationFunction('params')?.(request.params);
  return typeof result === 'object' && result !== null && 'error' in result ? (result.error as Error) : undefined;
}

/**
 * @throws {Problem} unsupported_media_type when the operation does not accept the type, or the body is compressed; missing
 * headers pass
 */
function requireContentType(
  { 'content-type': contentType, 'content-encoding': encoding }: FastifyRequest['headers'],
  accepted: string[],
): void {
  if (hasContentCoding(encoding)) {
    const headers = { 'Accept-Encoding': 'identity' };
    throw new Problem('unsupported_media_type', 'Send the body without a Content-Encoding.', {}, headers);
  }
  const type = mediaTypeOf(contentType);
  if (type === undefined || accepted.includes(type)) return;
  throw new Problem('unsupported_media_type', `Send ${accepted.join(' or ')}.`);
}
