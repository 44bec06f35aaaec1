import { createServer, type RequestListener, type Server } from 'node:http';
import { handleClientError, trackResponse } from './client-errors.ts';
import { limitConnectionsPerAddress } from './connections-per-address.ts';
import { Problem } from './problems.ts';
import { protocolError } from './protocol.ts';
import { refuseRequest } from './refusal.ts';

export interface ConnectionLimits {
  /** Milliseconds in which a request must arrive; its head must arrive in a quarter of that time. */
  requestTimeout: number;
  /** Further connections are closed. */
  maxConnections: number;
  /** Further connections of the same IP address are closed. */
  maxConnectionsPerAddress: number;
  /** Whether an IP address is that of a trusted proxy. */
  isTrusted: (address: string) => boolean;
}

/** Milliseconds for which a connection may be idle: longer than the usual 60 s of load balancers. */
const keepAliveTimeout = 72_000;

/** Makes the server factory for Fastify. The server rejects requests that violate HTTP. */
export const httpServerFactory =
  ({ requestTimeout, maxConnections, maxConnectionsPerAddress, isTrusted }: ConnectionLimits) =>
  (handle: RequestListener): Server => {
    const server = createServer({
      connectionsCheckingInterval: requestTimeout / 4,
      headersTimeout: requestTimeout / 4,
      keepAliveTimeout,
      requestTimeout,
      requireHostHeader: false, // checked below, because the response of Node is not a problem (RFC 9457)
    });
    server.maxConnections = maxConnections;
    limitConnectionsPerAddress(server, maxConnectionsPerAddress, isTrusted);
    server.timeout = 2 * requestTimeout; // without traffic in either direction, as when a client does not read its response
    server.on('request', (request, response) => {
      trackResponse(response);
      const detail = protocolError(request);
      if (detail === undefined) handle(request, response);
      else refuseRequest(request, response, new Problem('malformed_request', detail));
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
