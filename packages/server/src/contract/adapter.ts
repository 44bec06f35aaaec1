import { operations } from '@waybill/contract/operations';
import type { Scope } from '@waybill/contract/scopes';
import type { FastifyInstance, RouteOptions } from 'fastify';
import glue from 'fastify-openapi-glue';
import { Problem } from '../problems.ts';
import { answerer, type Services } from './answer.ts';
import { parseBodies, requireContentType } from './bodies.ts';
import { document } from './document.ts';
import type { Handlers, OperationId } from './operations.ts';
import { type RequestSchema, requestValidator } from './validation.ts';

export interface Adapter extends Services {
  handlers: Handlers;
  /** Header and scope → account; throws the problem. */
  authenticate: (authorization: string | undefined, scope: Scope) => Promise<string>;
}

/**
 * Makes the contract's operations routes. A request's way: authentication, content type, validation, handler,
 * serialization. The only code that knows how fastify-openapi-glue works.
 * @throws at boot when an operation has no handler
 */
export async function contractRoutes(app: FastifyInstance, adapter: Adapter): Promise<void> {
  app.decorateRequest('account', '');
  parseBodies(app);
  app.addHook('onRoute', compileRoute);
  await app.register(glue, {
    prefix: adapter.basePath,
    specification: structuredClone(document),
    operationResolver: (id) => routeOf(id, adapter) as RouteOptions, // the glue adds method, url and schema
  });
  refuseOtherMethods(app, adapter.basePath);
}

function routeOf(id: string, adapter: Adapter): Pick<RouteOptions, 'onRequest' | 'config' | 'handler'> {
  if (!isOperation(id) || !adapter.handlers[id]) throw new Error(`The operation ${id} has no handler`);
  const { scope } = operations[id];
  return {
    config: { operation: id },
    // The glue would check security after the body was read and validated; a stranger must learn nothing before.
    ...(scope && {
      onRequest: async (request) => {
        request.setDecorator('account', await adapter.authenticate(request.headers.authorization, scope));
      },
    }),
    handler: answerer(id, adapter.handlers, adapter),
  };
}

/** Checks are compiled here, not by Fastify, whose own rules coerce bodies and drop unknown fields. */
function compileRoute(route: RouteOptions): void {
  if (!route.schema) return;
  const { validate, contentTypes } = requestValidator(route.schema as RequestSchema);
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
