import { operationTable } from '@waybill/contract/operations';
import type { Scope } from '@waybill/contract/scopes';
import { requestSchemas } from '@waybill/contract/validation/request-schemas';
import { requestValidator } from '@waybill/contract/validation/request-validator';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler, RouteOptions } from 'fastify';
import openapiGlue from 'fastify-openapi-glue';
import type { Authenticated } from '../auth/authenticate.ts';
import type { StoredKey } from '../auth/queries.ts';
import { requestWeight } from '../http/admission.ts';
import { clientAddress } from '../http/client-address.ts';
import { Problem } from '../http/problems.ts';
import { andThen } from '../rate-limit/and-then.ts';
import { addBodyParsers, requireContentType } from './bodies.ts';
import { routedDocument } from './document.ts';
import type { OperationId } from './handler-types.ts';
import { fastifyHandlers, type Services } from './route-handlers.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: OperationId;
  }
}

/**
 * Makes the routes of the contract. packages/contract has the contract itself; this folder applies it to requests and
 * responses. fastify-openapi-glue turns each operation into a Fastify route. The order of a request:
 *
 * 1. onRequest of the app: observers (http/request-observer.ts), CORS (http/cors.ts), common headers and 404
 *    (http/problem-responses.ts)
 * 2. onRequest of all operations: load shedding (http/load-shedding.ts)
 * 3. onRequest: API key, rate limit and scope (`authorize` below), which sets `request.accountId` of
 *    http/request-observer.ts; then the request waits for its turn (http/admission.ts)
 * 4. preParsing: content type and encoding (`replaceValidation` below)
 * 5. parser: JSON to a value, a file to a stream (contract/bodies.ts)
 * 6. preValidation: path, query, headers, body (packages/contract/validation)
 * 7. handler: reads, writes or transfers a file, and serializes the response (contract/route-handlers.ts)
 * 8. onSend of the app: closes connections while the service stops (http/graceful-shutdown.ts)
 *
 * When a step throws, the app's error handler sends a problem (http/problem-responses.ts).
 * @throws at boot when an operation has no handler
 */
export async function contractRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const fastifyHandlerOf = fastifyHandlers(services);
  addBodyParsers(app);
  // As for GET, a body has no meaning (RFC 9110, section 9.3.5).
  app.addHttpMethod('DELETE', { hasBody: false, overrideExisting: true });
  app.addHook('onRoute', replaceValidation);
  await app.register(openapiGlue, {
    prefix: services.basePath,
    specification: routedDocument(),
    operationResolver: (id) => {
      if (!isOperation(id) || !services.handlers[id]) throw new Error(`The operation ${id} has no handler`);
      const route: Partial<RouteOptions> = {
        config: { operation: id },
        onRequest: authorize(id, services),
        handler: fastifyHandlerOf(id),
      };
      return route as RouteOptions; // openapiGlue adds method, url and schema
    },
  });
  refuseOtherMethods(app, services.basePath);
}

/**
 * Requires a valid key that is within its limit and has the operation's scope. A file operation has a signed URL instead,
 * and its IP address is counted. openapiGlue would check security after the body was read and validated.
 */
function authorize(id: OperationId, { admission, authenticate, limit, transfers }: Services): onRequestHookHandler {
  const { scope } = operationTable[id];
  const entriesOf = listLength(id);
  const admitFile = (request: FastifyRequest, reply: FastifyReply, address: string): void | Promise<void> =>
    andThen(limit.count('address', address), (headers) => {
      reply.headers(headers);
      return transfers.enter(request, reply, address, 1);
    });
  const admitKey = (
    request: FastifyRequest,
    reply: FastifyReply,
    address: string,
    { key, limitHeaders }: Authenticated,
  ): void | Promise<void> => {
    reply.headers(limitHeaders);
    const problem = refusalOf(key, scope);
    if (key) Object.assign(request, { accountId: key.accountId, keyId: key.keyId });
    // Refusals wait for their turn, too: a client that goes on without a pause would occupy the process with them.
    const weight = problem ? 1 : requestWeight(request, entriesOf(request));
    return andThen(admission.enter(request, reply, key?.accountId ?? address, weight), () => {
      if (problem) throw problem;
    });
  };
  // Resolves at once, without a promise, unless a limit is counted by Redis, a key is looked up or the request waits.
  const admit = (request: FastifyRequest, reply: FastifyReply): void | Promise<void> => {
    const address = clientAddress(request);
    if (scope === null) return admitFile(request, reply, address);
    const found = authenticate(request.headers.authorization, address);
    return andThen(found, (authenticated) => admitKey(request, reply, address, authenticated));
  };
  return (request, reply, done) => {
    const waiting = admit(request, reply);
    if (waiting instanceof Promise) waiting.then(() => done(), done);
    else done();
  };
}

/** Why a request must not be handled; undefined when it may. */
function refusalOf(key: StoredKey | undefined, scope: Scope | null): Problem | undefined {
  if (!key) return new Problem('unauthenticated', 'The API key is missing or invalid.');
  if (scope === null || key.scopes.includes(scope)) return undefined;
  return new Problem('insufficient_scope', `The key lacks the scope ${scope}.`);
}

/** Makes the function that returns how many entries of a list a request may read; 0 without a list. */
function listLength(id: OperationId): (request: FastifyRequest) => number {
  const { limit } = requestSchemas(id).query.properties;
  if (!limit) return () => 0;
  const { maximum = 0, default: usual = maximum } = limit;
  return ({ query }) => Math.min(Number((query as { limit?: string }).limit ?? usual) || 0, maximum);
}

/**
 * Replaces Fastify's own validation, which coerces bodies and drops unknown fields: preParsing checks the content type and encoding,
 * preValidation the request. The route's schema retains the responses, which Fastify compiles serializers from.
 */
function replaceValidation(route: RouteOptions): void {
  if (!route.schema) return;
  const { operation } = route.config ?? {};
  if (!operation) throw new Error(`The route ${route.url} has no operation to validate requests by`);
  const validate = requestValidator(operation);
  const { contentTypes } = requestSchemas(operation);
  route.schema = { response: route.schema.response };
  if (contentTypes.length > 0) {
    route.preParsing = (request, _reply, payload, done) => {
      requireContentType(request.headers, contentTypes);
      done(null, payload);
    };
  }
  route.preValidation = (request, _reply, done) => {
    validate(request);
    done();
  };
}

/** Returns 405 for a path of the contract with another method. */
function refuseOtherMethods(app: FastifyInstance, basePath: string): void {
  for (const path of new Set(Object.values(operationTable).map(({ path }) => path))) {
    const methods = Object.values(operationTable).flatMap((operation): string[] =>
      operation.path === path ? [operation.method] : [],
    );
    const allowed = methods.includes('GET') ? [...methods, 'HEAD'] : methods;
    app.route({
      method: app.supportedMethods.filter((method) => !allowed.includes(method)),
      url: basePath + path.replace(/{(\w+)}/g, ':$1'),
      onRequest: async ({ method }) => {
        const allow = allowed.join(', ');
        throw new Problem('method_not_allowed', `Use ${allow} here, not ${method}.`, {}, { Allow: allow });
      },
      handler: async () => {},
    });
  }
}

const isOperation = (id: string): id is OperationId => id in operationTable;
