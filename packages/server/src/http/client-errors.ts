import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Problem } from './problems.ts';
import { refuseConnection } from './refusal.ts';

/** The last response of each connection. */
const responses = new WeakMap<Socket, ServerResponse>();

/** Connections that are closed after their current response. */
const closing = new WeakSet<Socket>();

/** Records the current response of a connection. Call it for every request. */
export function trackResponse(response: ServerResponse): void {
  responses.set(response.req.socket, response);
}

const problemArguments: Record<string, ConstructorParameters<typeof Problem>> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The request headers are larger than 16 KiB in total.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [
    'payload_too_large',
    'The chunk extensions of the body are larger than 16 KiB in total.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request was not received in time.'],
};

/**
 * Handles `clientError` events: closes a connection that sent invalid HTTP or nothing in time. A complete request that
 * arrived before gets its response first.
 */
export function handleClientError(error: Error & { code?: string }, socket: Socket): void {
  const response = responses.get(socket);
  const isRunning = response !== undefined && !response.closed;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
  } else if (isRunning && response.req.complete) {
    if (!closing.has(socket)) response.once('close', () => handleClientError(error, socket));
    closing.add(socket);
  } else if (isRunning && response.headersSent) {
    socket.destroySoon(); // the client would read a second response as part of the first
  } else {
    const problem = problemArguments[error.code ?? ''] ?? ['malformed_request', 'The request is not valid HTTP.'];
    refuseConnection(socket, new Problem(...problem));
  }
}
