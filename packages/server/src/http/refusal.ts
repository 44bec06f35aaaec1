import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { requestIdOf } from '@waybill/contract/request-headers';
import { commonHeaders, type Problem, problemType } from './problems.ts';
import { hasUnreadBody, responseBeforeUnreadBody } from './unread-body.ts';

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
