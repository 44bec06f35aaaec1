import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import document from '@waybill/contract/openapi.json' with { type: 'json' };
import { defaultBaseUrl, operationTable } from '@waybill/contract/operations';
import { scopes } from '@waybill/contract/scopes';
import { type KeyError, scopeProblem } from '@waybill/http/authorization';
import { allowOrigins } from '@waybill/http/cors';
import { methods, requestHeaders, responseHeaders } from '@waybill/http/operations';
import { handleProblems, refuseUnknownUrls } from '@waybill/http/problem-responses';
import { addCommonHeaders } from '@waybill/http/responses';
import { operationRoutes } from '@waybill/http/routes';
import { serverOptions } from '@waybill/http/server';
import { type FastifyInstance, fastify } from 'fastify';
import type { Mock, MockOptions } from './options.ts';
import { loadPrism } from './prism/engine.ts';
import { mockHandlers } from './respond.ts';
import { removeSelection } from './selection.ts';

export type { Mock, MockOptions } from './options.ts';

/** The path of the major version, such as `/v1`. */
const basePath: string = new URL(defaultBaseUrl).pathname;

/**
 * Starts a server that returns the responses of the contract. Prism chooses and makes them; `Prefer` selects one, such as
 * `Prefer: code=404`, `Prefer: example=ShipmentDelivered` and `Prefer: dynamic=true`. The mock refuses the requests that
 * the service refuses.
 * @throws the error of the system, for example `EADDRINUSE` when the port is in use
 */
export async function startMock(options: MockOptions = {}): Promise<Mock> {
  const { port = 0, host = '127.0.0.1' } = options;
  const closing = new AbortController();
  const app = await buildApp(options, closing.signal);
  await app.listen({ port, host });
  const { port: actualPort } = app.server.address() as AddressInfo;
  const name = host.includes(':') ? `[${host}]` : host;
  return {
    url: `http://${name}:${actualPort}${basePath}`,
    async close() {
      closing.abort();
      app.server.closeAllConnections();
      await app.close();
    },
  };
}

async function buildApp(options: MockOptions, closing: AbortSignal): Promise<FastifyInstance> {
  const { delay: [least, most] = [0, 0], log, errors = 0, streamSeconds = 300 } = options;
  const prism = await loadPrism();
  const app = fastify({
    ...serverOptions({ requestTimeout: 120_000, maxConnections: 1000 }),
    return503OnClosing: false,
  });
  handleProblems(app);
  if (log) logRequests(app, log);
  // Pages of every origin may call the mock, also with Prefer.
  const corsHeaders = { requestHeaders: [...requestHeaders, 'Prefer'], responseHeaders };
  await allowOrigins(app, { origins: [], openPaths: ['/'], methods, ...corsHeaders });
  addCommonHeaders(app);
  if (most > 0)
    app.addHook('onRequest', () => setTimeout(least + Math.random() * (most - least), undefined, { signal: closing }));
  refuseUnknownUrls(app);
  await operationRoutes(app, {
    basePath,
    admit: (id) => (request, reply, done) => {
      reply.headers(limitHeaders);
      removeSelection(request);
      if (operationTable[id].scope === null) return done();
      done(scopeProblem(scopesOf(request.headers.authorization), operationTable[id].scope));
    },
    handlerOf: mockHandlers({ prism, basePath, errors, streamSeconds, closing }),
  });
  return app;
}

const { RateLimit, 'RateLimit-Policy': policy } = document.components.headers;
const limitHeaders = { ratelimit: RateLimit.example, 'ratelimit-policy': policy.example };

/**
 * The scopes of a key: those that it names, as in `wbk_mock_tracking:read,events:read`; all for every other key.
 * @returns why there is no key, if there is none
 */
function scopesOf(authorization: string | undefined): string[] | KeyError {
  if (authorization === undefined) return 'missing';
  const [, key] = /^Bearer (\S+)$/i.exec(authorization) ?? [];
  if (key === undefined) return 'malformed';
  const [, named] = /^wbk_mock_(.+)$/.exec(key) ?? [];
  return named === undefined ? Object.keys(scopes) : named.split(',');
}

function logRequests(app: FastifyInstance, log: (line: string) => void): void {
  app.addHook('onRequest', (request, { raw }, done) => {
    const start = performance.now();
    raw.once('close', () => {
      const status = raw.writableFinished ? raw.statusCode : 'disconnected';
      log(`${request.method} ${request.url} ${status} ${Math.round(performance.now() - start)} ms`);
    });
    done();
  });
}
