import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

/** How much of a refused request is still read: the largest file, so that a client can send what it has begun. */
const maxBytes = 10 * 1024 * 1024;
/** And how long, in milliseconds. */
const maxTime = 10_000;

/** Whether a request has a body of which a part has not arrived yet. */
export const hasUnreadBody = ({ headers, complete }: IncomingMessage): boolean =>
  !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0);

/**
 * A response to a request with an unread body. It is sent at once and ends when the rest of the request has been
 * read, up to a bound; then the connection must be closed. A socket that is closed with unread bytes is reset, and the
 * client may lose the response (RFC 9112, section 9.6).
 */
export function beforeUnreadBody(request: IncomingMessage, body: string, time: number = maxTime): Readable {
  return Readable.from(
    (async function* () {
      yield Buffer.from(body);
      await discardBody(request, time);
    })(),
    { objectMode: false },
  );
}

function discardBody(request: IncomingMessage, time: number): Promise<void> {
  return new Promise((resolve) => {
    let left = maxBytes;
    const timer = setTimeout(resolve, time);
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    request.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) end();
    });
    for (const event of ['end', 'error', 'close']) request.once(event, end);
    if (request.complete || request.destroyed) end();
    request.resume();
  });
}
