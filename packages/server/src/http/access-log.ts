import type { FastifyBaseLogger } from 'fastify';
import type { RequestObserver } from './request-observer.ts';

/**
 * Logs one line per request, however it ends. It never logs the URL, because a signed URL grants access, nor headers and
 * bodies.
 * @param traceIdOf returns the id of the trace that the request is recorded in
 */
export const accessLog = (
  log: FastifyBaseLogger,
  traceIdOf?: (request: object) => string | undefined,
): RequestObserver => ({
  end({ request, status, milliseconds, ip, isComplete }) {
    const { url, config } = request.routeOptions;
    const fields = {
      reqId: request.id,
      traceId: traceIdOf?.(request),
      accountId: request.accountId || undefined,
      keyId: request.keyId || undefined,
      ip,
      method: request.method,
      route: url,
      operation: config.operation,
      status,
      ms: Math.round(milliseconds),
    };
    log.info(fields, isComplete ? 'request completed' : 'connection closed early');
  },
});
