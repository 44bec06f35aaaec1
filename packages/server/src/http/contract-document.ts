import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import Negotiator from 'negotiator';
import { etagOf, isMatch } from './conditional.ts';

/** Better brotli takes most of a second for 2 % fewer bytes. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** Serves the contract at /openapi.json. All work is done once, at the start. */
export function contractDocument(app: FastifyInstance, text: string): void {
  const identity = { body: Buffer.from(text), etag: etagOf(text), headers: {} };
  const encoded = (encoding: string, body: Buffer) => ({
    body,
    etag: etagOf(`${encoding} ${text}`), // a strong ETag differs between encodings (RFC 9110, section 8.8.3.3)
    headers: { 'content-encoding': encoding },
  });
  const representations = {
    br: encoded('br', brotliCompressSync(text, brotli)),
    gzip: encoded('gzip', gzipSync(text)),
  };

  app.get('/openapi.json', (request, reply) => {
    const accepted = new Negotiator(request.raw).encoding(['br', 'gzip', 'identity']);
    const { body, etag, headers } = accepted === 'br' || accepted === 'gzip' ? representations[accepted] : identity;
    reply.headers({ etag, 'cache-control': 'public, max-age=60', vary: 'Accept-Encoding' });
    if (isMatch(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return reply.headers(headers).type('application/json; charset=utf-8').send(body);
  });
}
