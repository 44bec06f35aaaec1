import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { commonHeaders, problemType } from './headers.ts';
import type { Problem } from './problems.ts';
import { requestId } from './request-id.ts';
import { beforeUnreadBody, hasUnreadBody } from './unread-body.ts';

/** How long a connection may stay half-open after its last response, in milliseconds. */
const lingerTimeout = 1000;

/** Refuses a request before Fastify sees it, and ends the connection. */
export function refuseRequest(request: IncomingMessage, response: ServerResponse, problem: Problem): void {
  const [path = ''] = request.url?.split('?') ?? [];
  const { headers, body } = composed(problem, path, requestId(request));
  response.writeHead(problem.status, headers);
  if (hasUnreadBody(request)) beforeUnreadBody(request, body).pipe(response);
  else response.end(body);
}

/** Writes a problem to a connection on which there is no request to respond to, and ends it. */
export function refuseConnection(socket: Socket, problem: Problem): void {
  const { headers, body } = composed(problem, '/', randomUUID());
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const status = `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n`;
  socket.end(`${status}${lines.join('')}\r\n${body}`);
  socket.setTimeout(lingerTimeout, () => socket.destroy());
}

function composed(problem: Problem, path: string, id: string): { headers: Record<string, string>; body: string } {
  const body = JSON.stringify(problem.document(path, id));
  const length = String(Buffer.byteLength(body));
  const own = { 'content-type': problemType, 'content-length': length, connection: 'close' };
  return { headers: { ...commonHeaders(id), ...own }, body };
}
