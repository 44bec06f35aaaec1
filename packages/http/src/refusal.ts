import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { maxFileBytes } from '@waybill/contract/limits';
import { requestIdOf } from '@waybill/contract/request-headers';
import { type Problem, problemType } from './problems.ts';
import { commonHeaders } from './responses.ts';

/** Milliseconds for which a connection may stay half-closed after its last response. */
const halfClosedTimeout = 1000;

/** Rejects a request before Fastify handles it, and closes the connection. */
export function refuseRequest(request: IncomingMessage, response: ServerResponse, problem: Problem): void {
  const [path = ''] = request.url?.split('?') ?? [];
  const { headers, body } = serializeProblem(problem, path, requestIdOf(request.headers['x-request-id']));
  response.writeHead(problem.status, headers);
  if (hasUnreadBody(request)) responseBeforeUnreadBody(request, body).pipe(response);
  else response.end(body);
}

/** Writes a problem to a connection without a request to respond to, and closes it. */
export function refuseConnection(socket: Socket, problem: Problem): void {
  const { headers, body } = serializeProblem(problem, '/', randomUUID());
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const status = `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n`;
  socket.end(`${status}${lines.join('')}\r\n${body}`);
  socket.setTimeout(halfClosedTimeout, () => socket.destroy());
}

function serializeProblem(
  problem: Problem,
  path: string,
  id: string,
): { headers: Record<string, string>; body: string } {
  const body = JSON.stringify(problem.document(path, id));
  const length = String(Buffer.byteLength(body));
  const headers = { 'content-type': problemType, 'content-length': length, connection: 'close' };
  return { headers: { ...commonHeaders(id), ...headers }, body };
}

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
