import type { IncomingMessage } from 'node:http';
import { type Readable, Transform } from 'node:stream';
import { Problem } from './problems.ts';

/** Bytes that a connection may receive beside a body: its head, and what is read ahead. */
const freeBytes = 131_072;
/** The sizes of its chunks (RFC 9112, section 7.1), as a part of a body. More are small chunks, which cost a microsecond each. */
const maxFraming = 0.02;

interface Received {
  socket: { bytesRead: number };
}

/** Counts the bytes of a body from now on. Call the result with each piece: it returns whether the chunks so far are too small. */
export function chunkLimit({ socket }: Received): (piece: Uint8Array) => boolean {
  const readBefore = socket.bytesRead;
  let size = 0;
  return (piece) => {
    size += piece.length;
    return socket.bytesRead - readBefore > size * (1 + maxFraming) + freeBytes;
  };
}

export const smallChunks = (): Problem => new Problem('malformed_request', 'The body has too many small chunks.');

/** Passes on the body of a request. It fails with malformed_request when its chunks are too small. */
export function withChunkLimit(request: IncomingMessage, body: Readable): Readable {
  if (request.headers['transfer-encoding'] === undefined) return body;
  const areTooSmall = chunkLimit(request);
  const checked = new Transform({
    transform: (piece: Buffer, _encoding, done) => (areTooSmall(piece) ? done(smallChunks()) : done(null, piece)),
  });
  checked.on('error', () => {}); // also when nobody reads it any more
  return body.on('error', (error) => checked.destroy(error)).pipe(checked);
}
