import type { IncomingHttpHeaders } from 'node:http';
import { hasContentCoding, mediaTypeOf } from '@waybill/contract/request-headers';
import { jsonLimits, parseJson } from '@waybill/contract/validation/parse-json';
import { requestSchemas } from '@waybill/contract/validation/request-schemas';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../http/problems.ts';
import { fileTypes, operationIds } from './document.ts';

/**
 * Parses JSON, and passes files on as streams. Fastify's own JSON parser would replace invalid UTF-8 silently, and the
 * service must store what was sent.
 */
export function addBodyParsers(app: FastifyInstance): void {
  const limits = new Map(operationIds.map((id) => [id, jsonLimits(requestSchemas(id).body ?? {})]));
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, bytes: Buffer) => {
      const { operation } = request.routeOptions.config;
      const allowed = operation && limits.get(operation);
      if (!allowed) throw new Error(`The body of ${request.routeOptions.url} has no limits`);
      return bytes.length === 0 ? undefined : parseJson(bytes, allowed);
    },
  );
  for (const type of fileTypes()) app.addContentTypeParser(type, (_request, stream, done) => done(null, stream));
}

/**
 * @throws {Problem} unsupported_media_type when the operation does not accept the type, or the body is compressed; missing
 * headers pass
 */
export function requireContentType(
  { 'content-type': contentType, 'content-encoding': encoding }: IncomingHttpHeaders,
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
