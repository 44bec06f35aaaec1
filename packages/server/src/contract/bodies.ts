import type { FastifyInstance } from 'fastify';
import { Problem } from '../problems.ts';
import { fileTypes } from './document.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Takes JSON as text and everything else as a stream; which types an operation takes is `requireContentType`'s matter.
 * Fastify's own JSON parser would mend broken UTF-8 silently, and what was sent must be what is stored.
 */
export function parseBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request: unknown, bytes: Buffer) => {
    if (bytes.length === 0) return undefined;
    try {
      return JSON.parse(utf8.decode(bytes));
    } catch (error) {
      throw new Problem(
        'malformed_request',
        error instanceof SyntaxError ? 'The body is not valid JSON.' : 'The body is not valid UTF-8.',
      );
    }
  });
  for (const type of fileTypes()) app.addContentTypeParser(type, (_request, stream, done) => done(null, stream));
}

/** @throws {Problem} unsupported_media_type when the operation does not take this type; a missing body passes */
export function requireContentType(header: string | undefined, accepted: string[]): void {
  const type = header?.split(';')[0]?.trim().toLowerCase();
  if (type === undefined || accepted.includes(type)) return;
  throw new Problem('unsupported_media_type', `Send ${accepted.join(' or ')}.`);
}
