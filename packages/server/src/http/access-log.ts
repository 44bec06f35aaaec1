import type { FastifyInstance } from 'fastify';

/** The status logged when the client disconnects before a response is sent. HTTP has none; proxies log 499. */
const clientClosedStatus = 499;

/** Logs one line per request, however it ends. It never logs the URL, because a signed URL grants access. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.once('close', () => {
      const { writableFinished, headersSent } = reply.raw;
      const fields = {
        reqId: request.id,
        method: request.method,
        route: request.routeOptions.url,
        status: headersSent ? reply.statusCode : clientClosedStatus,
        ms: Math.round(reply.elapsedTime),
      };
      app.log.info(fields, writableFinished ? 'request completed' : 'connection closed early');
    });
    done();
  });
}
