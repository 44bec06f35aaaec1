import type { FastifyInstance } from 'fastify';

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
export function allowOrigins(app: FastifyInstance, rules: Cors): void {
  const { origins, openPaths, methods, requestHeaders, responseHeaders } = rules;
  const ofPreflight = {
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': requestHeaders.join(', '),
    'access-control-max-age': String(maxAge),
  };
  const exposed = responseHeaders.join(', ');
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('vary', 'Origin'); // also without one: a cache must not return that response to a page
    const { origin, 'access-control-request-method': requested } = request.headers;
    const isOpen = openPaths.some((path) => request.url.startsWith(path));
    const allowed = isOpen ? '*' : origin;
    if (allowed === undefined || !(isOpen || origins.includes(allowed))) return done();
    reply.header('access-control-allow-origin', allowed);
    reply.header('access-control-expose-headers', exposed);
    // Another OPTIONS request returns 405 or 404 like every request without an operation.
    if (request.method !== 'OPTIONS' || origin === undefined || requested === undefined) return done();
    reply.code(204).headers(ofPreflight).send();
  });
}
