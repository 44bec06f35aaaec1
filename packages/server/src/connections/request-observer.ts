import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { clientIp } from './client-address.ts';

/** A request that has ended, in whatever way. */
export interface EndedRequest {
  request: FastifyRequest;
  reply: FastifyReply;
  /** 499 when the client disconnected before a response was sent. */
  status: number;
  milliseconds: number;
  ip: string | undefined;
  /** Whether the whole response was sent. */
  isComplete: boolean;
}

/** Observes requests for metrics, traces and the log. Its functions must not throw. */
export interface RequestObserver {
  start?(request: FastifyRequest, ip: string | undefined): void;
  end(ended: EndedRequest): void;
}

/** The status of a request whose client disconnects before a response is sent. HTTP has none; proxies log 499. */
export const clientClosedStatus = 499;

/** Calls the observers at the start and the end of every request. Call it before other `onRequest` hooks are added. */
export function observeRequests(app: FastifyInstance, observers: RequestObserver[]): void {
  app.addHook('onRequest', (request, reply, done) => {
    const ip = clientIp(request); // a closed connection has no address
    for (const observer of observers) observer.start?.(request, ip);
    reply.raw.once('close', () => {
      const { writableFinished, headersSent } = reply.raw;
      const status = headersSent ? reply.statusCode : clientClosedStatus;
      const milliseconds = reply.elapsedTime;
      const ended = { request, reply, status, milliseconds, ip, isComplete: writableFinished };
      for (const observer of observers) observer.end(ended);
    });
    done();
  });
}

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
