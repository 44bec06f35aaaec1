import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { maxBodyBytes } from '@waybill/contract/body-limit';
import { requestIdOf } from '@waybill/contract/request-headers';
import type { FastifyServerOptions } from 'fastify';
import { refuseConnection, refuseRequest, sendProblem } from './problem-responses.ts';
import { Problem } from './problems.ts';

interface ConnectionLimits {
  /** Milliseconds in which a request must arrive; its head must arrive in a quarter of that time. */
  requestTimeout: number;
  /** Milliseconds for which a connection may be idle between two requests; 72,000 by default. */
  keepAliveTimeout?: number;
  /** Further connections are closed. */
  maxConnections: number;
}

/** The options of an app that serves the contract. */
export const serverOptions = (limits: ConnectionLimits): FastifyServerOptions => ({
  bodyLimit: maxBodyBytes,
  clientErrorHandler: () => {}, // `handleClientError` handles them
  frameworkErrors: (error, request, reply) => sendProblem(error, request, reply),
  genReqId: ({ headers }) => requestIdOf(headers['x-request-id']),
  routerOptions: { maxParamLength: 500 },
  serverFactory: httpServerFactory(limits),
});

/** Makes the server factory for Fastify. The server rejects requests that violate HTTP. */
export const httpServerFactory =
  ({ requestTimeout, keepAliveTimeout = 72_000, maxConnections }: ConnectionLimits) =>
  (handle: RequestListener): Server => {
    const server = createServer({
      connectionsCheckingInterval: requestTimeout / 4,
      headersTimeout: requestTimeout / 4,
      keepAliveTimeout,
      requestTimeout,
      requireHostHeader: false, // checked below, because the response of Node is not a problem (RFC 9457)
    });
    server.maxConnections = maxConnections;
    server.timeout = 2 * requestTimeout; // without traffic in either direction, as when a client does not read its response
    server.on('request', (request, response) => {
      trackResponse(response);
      const problem = protocolProblem(request);
      if (problem === undefined) handle(request, response);
      else refuseRequest(request, response, problem);
    });
    server.on('checkExpectation', (request, response) => {
      trackResponse(response);
      refuseRequest(
        request,
        response,
        new Problem('expectation_failed', 'The only supported Expect header is 100-continue.'),
      );
    });
    server.on('clientError', handleClientError);
    return server;
  };

/** Headers with a single value. Of two, Node uses the first or joins them, and a proxy may use the other. */
const singleValued = new Set(['authorization', 'content-type', 'host', 'idempotency-key']);
const validHost = /^(\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]+)(:\d*)?$/i;

/** The methods that a path can have, or refuse with 405. Others have no meaning here (RFC 9110, section 9.1). */
const implemented = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']);

/** The problem of a request head that the server refuses; undefined for others. */
function protocolProblem(request: IncomingMessage): Problem | undefined {
  const detail = protocolError(request);
  if (detail !== undefined) return new Problem('malformed_request', detail);
  if (!implemented.has(request.method ?? '')) {
    return new Problem('not_implemented', `The service implements no ${request.method}.`);
  }
  // Node decodes chunks only, whatever coding is before them (RFC 9112, section 6.1). It refuses what does not end with them.
  return /,\s*chunked\s*$/i.test(request.headers['transfer-encoding'] ?? '')
    ? new Problem('not_implemented', 'The only supported Transfer-Encoding is chunked.')
    : undefined;
}

/** Returns how a request head violates HTTP, as a sentence; undefined when it does not. */
function protocolError({ headers, httpVersion, rawHeaders }: IncomingMessage): string | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'Send the request with HTTP/1.1.';
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? '';
    if (!singleValued.has(name)) continue;
    if (seen.has(name)) return `Send the header ${name} only once.`;
    seen.add(name);
  }
  // A request needs a valid Host (RFC 9112, section 3.2); HTTP/1.0 requests can omit it.
  const isValid = headers.host === undefined ? httpVersion === '1.0' : validHost.test(headers.host);
  return isValid ? undefined : 'Send a valid Host header.';
}

/** The last response of each connection. */
const responses = new WeakMap<Socket, ServerResponse>();

/** Connections that are closed after their current response. */
const closing = new WeakSet<Socket>();

/** Records the current response of a connection. Call it for every request. */
function trackResponse(response: ServerResponse): void {
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
function handleClientError(error: Error & { code?: string }, socket: Socket): void {
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
