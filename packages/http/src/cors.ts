import cors, { type FastifyCorsOptions } from '@fastify/cors';
import type { FastifyInstance, FastifyRequest } from 'fastify';

interface Cors {
  /** Origins of web pages that may call the API. */
  origins: string[];
  /** Beginnings of the paths that pages of every origin may request. */
  openPaths: string[];
  methods: string[];
  requestHeaders: string[];
  /** Response headers that pages may read. */
  responseHeaders: string[];
}

/** Seconds for which browsers may store the response to a preflight request; none store it longer. */
const maxAge = 7200;

/**
 * Permits web pages of other origins to send requests and to read the responses, also of errors (CORS, Fetch Standard).
 * Call it before hooks are added that may refuse a request: a preflight request has no API key, and problems need its
 * headers.
 */
export async function allowOrigins(app: FastifyInstance, rules: Cors): Promise<void> {
  const { methods, requestHeaders, responseHeaders } = rules;
  const common = { methods, exposedHeaders: responseHeaders, maxAge };
  await app.register(
    cors,
    () => (request: FastifyRequest, done: (error: null, options: FastifyCorsOptions) => void) => {
      // Another OPTIONS request returns 405 or 404 like every request without an operation.
      const preflight = request.headers['access-control-request-method'] !== undefined;
      const allowedHeaders = [...requestHeaders, ...otherHeaders(request)];
      done(null, { ...common, allowedHeaders, origin: originFor(request, rules), preflight });
    },
  );
}

/**
 * What a page asks to send beside the headers of the contract, such as `traceparent`, `baggage` or those of a library that traces
 * it. Each has another name, and none has an effect on an operation.
 */
const otherHeaders = ({ headers }: FastifyRequest): string[] =>
  String(headers['access-control-request-headers'] ?? '').match(/(?<![^\s,])[\w-]+(?![^\s,])/g) ?? [];

function originFor({ headers: { origin }, url }: FastifyRequest, { origins, openPaths }: Cors): string | false {
  if (openPaths.some((path) => url.startsWith(path))) return '*';
  return origin !== undefined && origins.includes(origin) && origin;
}
