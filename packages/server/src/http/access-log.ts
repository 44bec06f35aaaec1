import type { FastifyInstance } from 'fastify';

/**
 * The status that is logged for a request whose client has closed the connection before a response was sent. HTTP has
 * no such status; 499 is the one that proxies log.
 */
const clientClosed = 499;

/** Logs one line for each request, however it ends. Never its URL: a signed one is a permission. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.once('close', () => {
      const { writableFinished, headersSent } = reply.raw;
      const fields = {
        method: request.method,
        route: request.routeOptions.url,
        status: headersSent ? reply.statusCode : clientClosed,
        ms: Math.round(reply.elapsedTime),
      };
      request.log.info(fields, writableFinished ? 'answered' : 'the connection was closed early');
    });
    done();
  });
}
