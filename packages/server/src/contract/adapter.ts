import { operations } from '@waybill/contract/operations';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import glue from 'fastify-openapi-glue';
import type { Authenticate } from '../auth/authenticate.ts';
import { clientAddress } from '../http/client-address.ts';
import { Problem } from '../http/problems.ts';
import type { RateLimit } from '../rate-limit/limit.ts';
import { answerers, type Services } from './answer.ts';
import { parseBodies, requireContentType } from './bodies.ts';
import { bodyTypes, routedDocument } from './document.ts';
import type { Handlers, OperationId } from './operations.ts';
import { type RequestSchema, requestValidator } from './validation.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: OperationId;
  }
}

export interface Adapter extends Services {
  handlers: Handlers;
  authenticate: Authenticate;
  limit: RateLimit;
}

/**
 * Makes the contract's operations routes. A request's way: authentication, content type, validation, handler,
 * serialization. The only code that knows how fastify-openapi-glue works.
 * @throws at boot when an operation has no handler
 */
export async function contractRoutes(app: FastifyInstance, adapter: Adapter): Promise<void> {
  app.decorateRequest('accountId', '');
  const answer = answerers(adapter.handlers, adapter);
  const routeOf = (id: string): Pick<RouteOptions, 'onRequest' | 'config' | 'handler'> => {
    if (!isOperation(id) || !adapter.handlers[id]) throw new Error(`The operation ${id} has no handler`);
    // The glue would check security after the body was read and validated; a stranger must learn nothing before.
    return { config: { operation: id }, onRequest: gate(id, adapter), handler: answer(id) };
  };
  parseBodies(app);
  app.addHook('onRoute', compileRoute);
  await app.register(glue, {
    prefix: adapter.basePath,
    specification: routedDocument(),
    operationResolver: (id) => routeOf(id) as RouteOptions, // the glue adds method, url and schema
  });
  refuseOtherMethods(app, adapter.basePath);
}

/**
 * Who may come in: a key that is valid, within its limit, and with the operation's scope. Where the signed URL is the
 * permission, the IP address is counted.
 */
function gate(
  id: OperationId,
  { authenticate, limit }: Adapter,
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  const { scope } = operations[id];
  return async (request, reply) => {
    const address = clientAddress(request);
    if (scope === null) return void reply.headers(await limit.count('address', address));
    const { key, limitHeaders } = await authenticate(request.headers.authorization, address);
    reply.headers(limitHeaders);
    if (!key) throw new Problem('unauthenticated', 'The API key is missing or not good.');
    if (!key.scopes.includes(scope)) throw new Problem('insufficient_scope', `The key lacks the scope ${scope}.`);
    request.setDecorator('accountId', key.accountId);
  };
}

/** Checks are compiled here, not by Fastify, whose own rules coerce bodies and drop unknown fields. */
function compileRoute(route: RouteOptions): void {
  if (!route.schema) return;
  const { operation } = route.config ?? {};
  if (!operation) throw new Error(`Nobody would check what is sent to ${route.url}`);
  const validate = requestValidator(route.schema as RequestSchema);
  const contentTypes = bodyTypes(operation);
  route.schema = { response: route.schema.response };
  if (contentTypes.length > 0) {
    route.preParsing = async (request, _reply, payload) => {
      requireContentType(request.headers['content-type'], contentTypes);
      return payload;
    };
  }
  route.preValidation = async (request) => validate(request);
}

/** An address of the contract with another method is 405, with the methods that it has. */
function refuseOtherMethods(app: FastifyInstance, basePath: string): void {
  for (const path of new Set(Object.values(operations).map(({ path }) => path))) {
    const known = Object.values(operations).flatMap((operation) => (operation.path === path ? operation.method : []));
    app.route({
      method: app.supportedMethods.filter((method) => !known.some((own) => own === method)),
      url: basePath + path.replace(/{(\w+)}/g, ':$1'),
      onRequest: async ({ method }) => {
        const allow = known.join(', ');
        throw new Problem('method_not_allowed', `Use ${allow} here, not ${method}.`, {}, { Allow: allow });
      },
      handler: async () => {},
    });
  }
}

const isOperation = (id: string): id is OperationId => id in operations;
