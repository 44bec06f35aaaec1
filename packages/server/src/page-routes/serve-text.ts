import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { isMatch } from '@waybill/contract/request-headers';
import { acceptedCoding, etagOf } from '@waybill/http/responses';
import type { FastifyInstance } from 'fastify';

/** A higher quality takes most of a second and saves 2 % of the bytes. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

const encoders = {
  br: (text: string) => promisify(brotliCompress)(text, brotli),
  gzip: (text: string) => promisify(gzip)(text),
};

/** Serves a text that stays the same. Another thread compresses it once for each coding, because requests need no key. */
export function serveText(app: FastifyInstance, path: string, text: string, headers: Record<string, string>): void {
  const identity = Buffer.from(text);
  const encoded: Partial<Record<keyof typeof encoders, Promise<Buffer>>> = {};
  // Encodings need different strong ETags (RFC 9110, section 8.8.3.3).
  const tags = { identity: etagOf(text), br: etagOf(`br ${text}`), gzip: etagOf(`gzip ${text}`) };

  app.get(path, async (request, reply) => {
    const coding = acceptedCoding(request.raw);
    const etag = tags[coding ?? 'identity'];
    reply.headers({ ...headers, etag });
    if (isMatch(request.headers['if-none-match'], etag)) return reply.code(304).send();
    if (!coding) return reply.send(identity);
    encoded[coding] ??= encoders[coding](text);
    return reply.header('content-encoding', coding).send(await encoded[coding]);
  });
}
