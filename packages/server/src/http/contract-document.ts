import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { isMatch } from '@waybill/contract/request-headers';
import { etagOf } from '@waybill/http/responses';
import type { FastifyInstance } from 'fastify';
import Negotiator from 'negotiator';

/** A higher quality takes most of a second and saves 2 % of the bytes. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** Serves the contract at /openapi.json. It is compressed once, at start. @param text the OpenAPI document as JSON */
export function serveContract(app: FastifyInstance, text: string): void {
  const identity = { body: Buffer.from(text), etag: etagOf(text), headers: {} };
  const representation = (encoding: string, body: Buffer) => ({
    body,
    etag: etagOf(`${encoding} ${text}`), // encodings need different strong ETags (RFC 9110, section 8.8.3.3)
    headers: { 'content-encoding': encoding },
  });
  const representations = {
    br: representation('br', brotliCompressSync(text, brotli)),
    gzip: representation('gzip', gzipSync(text)),
  };

  app.get('/openapi.json', (request, reply) => {
    const accepted = new Negotiator(request.raw).encoding(['br', 'gzip', 'identity']);
    const { body, etag, headers } = accepted === 'br' || accepted === 'gzip' ? representations[accepted] : identity;
    reply.headers({ etag, 'cache-control': 'public, max-age=60', vary: 'Accept-Encoding' });
    if (isMatch(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return reply.headers(headers).type('application/json; charset=utf-8').send(body);
  });
}
