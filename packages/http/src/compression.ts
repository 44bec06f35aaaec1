import type { IncomingMessage } from 'node:http';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import Negotiator from 'negotiator';
import type { SerializedResponse } from './operations.ts';

/** Smaller bodies fit into one packet. */
const minLength = 1024;
/** Larger bodies are compressed by another thread, which costs two to three times the CPU. */
const maxSyncLength = 128 * 1024;

/** The lowest levels: higher ones take two to five times as long and save a tenth of the bytes. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const deflate = { level: 1 };

type Done = (error: Error | null, bytes: Buffer) => void;
interface Encoder {
  sync(text: string): Buffer;
  async(text: string, done: Done): void;
}
export type Coding = 'br' | 'gzip';

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

/** The coding of a body, if it is long enough and the client asks for one (RFC 9110, section 12.5.3). */
export function codingOf(body: SerializedResponse['body'], request: IncomingMessage): Coding | undefined {
  if (typeof body !== 'string' || body.length < minLength || !request.headers['accept-encoding']) return undefined;
  const chosen = new Negotiator(request).encoding(['br', 'gzip', 'identity']);
  return chosen === 'br' || chosen === 'gzip' ? chosen : undefined;
}

/** The strong ETag of an encoded representation: each coding needs another one (RFC 9110, section 8.8.3.3). */
export const encodedTag = (etag: string, coding: Coding | undefined): string =>
  coding ? etag.replace(/"$/, `-${coding}"`) : etag;

/** Encodes a body: at once if it is short, otherwise it resolves later. */
export function encode(body: string, coding: Coding): Buffer | Promise<Buffer> {
  const { sync, async } = encoders[coding];
  if (body.length <= maxSyncLength) return sync(body);
  return new Promise((resolve, reject) => {
    async(body, (error, bytes) => (error ? reject(error) : resolve(bytes)));
  });
}
