import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type { TracerProvider } from '@opentelemetry/sdk-trace';
import { problemFromError } from '@waybill/http/problems';
import type { FastifyInstance, FastifyRequest, onRequestHookHandler, RouteHandlerMethod, RouteOptions } from 'fastify';
import type { RequestObserver } from '../connections/request-observer.ts';
import type { DatabaseObserver } from '../database/driver.ts';
import { isTemporary } from '../database/errors.ts';
import { statementAttributes, statementError } from './statement-attributes.ts';

/**
 * Records requests of operations as spans: HTTP → operation → SQL. Attributes never hold URLs, headers, bodies or
 * parameters. A request that the sampler leaves out costs only its decision.
 */
export interface Tracing extends DatabaseObserver {
  requestObserver: RequestObserver;
  /** Returns the id of the trace that a request is recorded in. */
  traceIdOf(request: object): string | undefined;
  /** Adds spans to the routes of operations that are registered after this call. */
  traceOperations(app: FastifyInstance): void;
}

const propagator = new W3CTraceContextPropagator();
const headerOf = { keys: Object.keys, get: (headers: FastifyRequest['headers'], name: string) => headers[name] };
const childOf = (span: Span): Context => trace.setSpan(ROOT_CONTEXT, span);

/**
 * Makes the tracing of one service. It creates its spans itself: libraries that patch modules find none in the bundle. The
 * current span is stored per asynchronous context while an operation runs.
 */
export function createTracing(provider: TracerProvider): Tracing {
  const tracer = provider.getTracer('waybill');
  const current = new AsyncLocalStorage<Span | undefined>();
  const requestSpans = new WeakMap<object, Span>();

  /** Runs work as a span, which ends when the work does. */
  const runAs = <Result>(span: Span, work: () => Promise<Result>): Promise<Result> =>
    current.run(span, async () => {
      try {
        return await work();
      } catch (error) {
        setError(span, error);
        throw error;
      } finally {
        span.end();
      }
    });

  const tracedHandler = (operation: string, handler: RouteHandlerMethod): RouteHandlerMethod =>
    function (request, reply) {
      const parent = requestSpans.get(request);
      if (!parent) return handler.call(this, request, reply);
      const span = tracer.startSpan(operation, {}, childOf(parent));
      return runAs(span, async () => handler.call(this, request, reply));
    };
  const tracedOnRequest = (onRequest: onRequestHookHandler): onRequestHookHandler =>
    function (request, reply, done) {
      const span = requestSpans.get(request);
      if (!span) return onRequest.call(this, request, reply, done);
      return current.run(span, () => onRequest.call(this, request, reply, done));
    };
  const traced = new WeakSet<object>();
  const traceRoute = (route: RouteOptions): void => {
    const { operation } = route.config ?? {};
    if (!operation || traced.has(route.handler)) return; // a HEAD route has the handler of its GET route
    route.handler = tracedHandler(operation, route.handler);
    traced.add(route.handler);
    if (typeof route.onRequest === 'function') route.onRequest = tracedOnRequest(route.onRequest);
  };

  return {
    requestObserver: {
      start(request, ip) {
        const { config, url = '' } = request.routeOptions;
        if (!config.operation) return;
        const { method, headers, id } = request;
        const parent = headers.traceparent ? propagator.extract(ROOT_CONTEXT, headers, headerOf) : ROOT_CONTEXT;
        const span = tracer.startSpan(`${method} ${url}`, { kind: SpanKind.SERVER }, parent);
        if (!span.isRecording()) return;
        // Set after the sampler's decision: most requests may be left out.
        span.setAttributes({
          'http.request.method': method,
          'http.route': url,
          'client.address': ip,
          'waybill.request_id': id,
        });
        requestSpans.set(request, span);
      },
      end({ request, status }) {
        const span = requestSpans.get(request);
        if (!span) return;
        span.setAttribute('http.response.status_code', status);
        if (request.accountId) span.setAttribute('waybill.account_id', request.accountId);
        if (request.keyId) span.setAttribute('waybill.key_id', request.keyId);
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', String(status));
        span.end();
      },
    },
    traceIdOf: (request) => requestSpans.get(request)?.spanContext().traceId,
    traceOperations: (app) => void app.addHook('onRoute', traceRoute),
    startStatement(text) {
      const parent = current.getStore();
      if (!parent) return () => {};
      const { name, attributes } = statementAttributes(text);
      const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, childOf(parent));
      return (error) => {
        if (error !== undefined) {
          span.setStatus({ code: SpanStatusCode.ERROR }).setAttributes(statementError(error));
        }
        span.end();
      };
    },
    callerOf: () => current.getStore(),
    runBatch(name, callers, run) {
      const [first, ...others] = new Set(callers.filter((caller) => caller !== undefined) as Span[]);
      if (!first) return current.run(undefined, run);
      const span = tracer.startSpan(
        `batch ${name}`,
        { attributes: { 'waybill.batch.items': callers.length }, links: others.map(linkTo) },
        childOf(first),
      );
      for (const other of others) other.addLink(linkTo(span));
      return runAs(span, run);
    },
  };
}

const linkTo = (span: Span) => ({ context: span.spanContext() });

/** Marks the span of work that failed through an error of the service. A problem below 500 is the client's. */
function setError(span: Span, error: unknown): void {
  const { status, code } = problemFromError(error, isTemporary);
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', code);
}
