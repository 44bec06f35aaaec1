import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Problem } from './problems.ts';
import { refuseConnection } from './refusal.ts';

/** The last response of each connection. */
const responses = new WeakMap<Socket, ServerResponse>();

/** Connections that end after a response which is under way. */
const ending = new WeakSet<Socket>();

export function trackResponse(response: ServerResponse): void {
  responses.set(response.req.socket, response);
}

const kinds: Record<string, ConstructorParameters<typeof Problem>> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The headers of the request are over 16 KiB together.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['payload_too_large', 'The chunk extensions of the body are over 16 KiB together.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request was not received in time.'],
};

/**
 * Ends a connection on which something other than HTTP arrived, or nothing in time. Complete requests before that still
 * get their responses first.
 */
export function endMalformed(error: Error & { code?: string }, socket: Socket): void {
  const response = responses.get(socket);
  const isUnderWay = response !== undefined && !response.closed;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
  } else if (isUnderWay && response.req.complete) {
    if (!ending.has(socket)) response.once('close', () => endMalformed(error, socket));
    ending.add(socket);
  } else if (isUnderWay && response.headersSent) {
    socket.destroySoon(); // a second response would be taken for a part of the first
  } else {
    const kind = kinds[error.code ?? ''] ?? ['malformed_request', 'The request is not valid HTTP.'];
    refuseConnection(socket, new Problem(...kind));
  }
}
