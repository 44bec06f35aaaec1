import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { maxFileBytes } from '@waybill/contract/limits';

/** Maximum milliseconds for reading them. */
const maxTime = 10_000;

/** Whether a part of the request body has not arrived yet. */
export const hasUnreadBody = ({ headers, complete }: IncomingMessage): boolean =>
  !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0);

/**
 * Makes the response body for a request with an unread body. It is sent at once, but ends only when the rest of the
 * request has been read, up to a limit. Close the connection after it. Closing a socket with unread bytes resets it, and
 * the client may lose the response (RFC 9112, section 9.6).
 * @param time maximum milliseconds for reading the request
 */
export function responseBeforeUnreadBody(request: IncomingMessage, body: string, time: number = maxTime): Readable {
  return Readable.from(
    (async function* () {
      yield Buffer.from(body);
      await discardBody(request, time);
    })(),
    { objectMode: false },
  );
}

/** Reads at most the size of the largest file, so that a client can finish sending it. */
function discardBody(request: IncomingMessage, time: number): Promise<void> {
  return new Promise((resolve) => {
    let remaining = maxFileBytes;
    const timer = setTimeout(resolve, time);
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    request.on('data', (chunk: Buffer) => {
      remaining -= chunk.length;
      if (remaining < 0) end();
    });
    for (const event of ['end', 'error', 'close']) request.once(event, end);
    if (request.complete || request.destroyed) end();
    request.resume();
  });
}
