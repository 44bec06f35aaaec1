import { createServer, type RequestListener, type Server } from 'node:http';
import { limitConnectionsPerAddress } from './connections-per-address.ts';
import { endMalformed, trackResponse } from './malformed.ts';
import { Problem } from './problems.ts';
import { protocolError } from './protocol.ts';
import { refuseRequest } from './refusal.ts';

export interface ConnectionLimits {
  /** How long a request may take to arrive, in milliseconds; its head may take a quarter of that. */
  requestTimeout: number;
  /** Further connections are closed at once. */
  maxConnections: number;
  /** The same for the connections of one IP address. */
  maxConnectionsPerAddress: number;
  /** Whether an IP address is that of a trusted proxy. */
  isTrusted: (address: string) => boolean;
}

/** How long a connection may be idle between two requests, in milliseconds: longer than a load balancer's usual 60 s. */
const keepAliveTimeout = 72_000;

/** Makes the HTTP server that Fastify runs on. It refuses what HTTP itself does not allow. */
export const httpServer =
  ({ requestTimeout, maxConnections, maxConnectionsPerAddress, isTrusted }: ConnectionLimits) =>
  (handle: RequestListener): Server => {
    const server = createServer({
      connectionsCheckingInterval: requestTimeout / 4,
      headersTimeout: requestTimeout / 4,
      keepAliveTimeout,
      requestTimeout,
      requireHostHeader: false, // checked below: Node's own response is not a problem
    });
    server.maxConnections = maxConnections;
    limitConnectionsPerAddress(server, maxConnectionsPerAddress, isTrusted);
    server.timeout = 2 * requestTimeout; // without a byte in either direction: a client does not read its response
    server.on('request', (request, response) => {
      trackResponse(response);
      const detail = protocolError(request);
      if (detail === undefined) handle(request, response);
      else refuseRequest(request, response, new Problem('malformed_request', detail));
    });
    server.on('checkExpectation', (request, response) => {
      trackResponse(response);
      refuseRequest(request, response, new Problem('expectation_failed', 'Expect can only be 100-continue.'));
    });
    server.on('clientError', endMalformed);
    return server;
  };
