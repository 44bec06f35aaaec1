import { dereferenced } from '@waybill/contract/dereferenced';
import document from '@waybill/contract/openapi.json' with { type: 'json' };
import { operationTable } from '@waybill/contract/operations';
import { partValidator, type RequestPart } from '@waybill/contract/validation/part-validator';
import fastJsonStringify from 'fast-json-stringify';
import type { FastifyInstance, onRequestHookHandler, RouteHandlerMethod, RouteOptions } from 'fastify';
import openapiGlue from 'fastify-openapi-glue';
import { announceDeprecations } from './deprecations.ts';
import { fileTypes, type OperationId } from './operations.ts';
import type { JsonLimits } from './parse-json.ts';
import { methodNotAllowed, Problem } from './problems.ts';
import { addBodyParsers, addRequestChecks, jsonTypes } from './request-checks.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: OperationId;
    /** Limits of the structure of the JSON body. */
    jsonLimits?: JsonLimits;
  }
}

interface OperationRoutes {
  /** The path of the base URL, such as `/v1`. */
  basePath: string;
  /** The URL of the docs, to which responses link; undefined without docs. */
  docs?: string | undefined;
  /** Makes the hook that decides whether a request is handled, before its body is read. */
  admit(id: OperationId): onRequestHookHandler;
  /** Makes the handler of an operation. Its request is valid. */
  handlerOf(id: OperationId): RouteHandlerMethod;
}

/**
 * Makes the routes of the contract: fastify-openapi-glue turns each operation into a Fastify route with the schemas of its
 * parameters, bodies and responses. packages/server/src/README.md lists what a request passes.
 *
 * When a step throws, or a validator returns an error, the app's error handler sends a problem. The first invalid part
 * determines it.
 */
export async function operationRoutes(app: FastifyInstance, routes: OperationRoutes): Promise<void> {
  const { basePath, docs, admit, handlerOf } = routes;
  addBodyParsers(app, fileTypes());
  ignoreResponseTypes(app);
  // As for GET, a body has no meaning (RFC 9110, section 9.3.5).
  app.addHttpMethod('DELETE', { hasBody: false, overrideExisting: true });
  app.setValidatorCompiler(({ schema, httpPart, contentType }) => validatorOf(schema, httpPart, contentType));
  app.setSerializerCompiler(serializerOf);
  app.addHook('onRoute', addRequestChecks);
  announceDeprecations(app, docs);
  await app.register(openapiGlue, {
    prefix: basePath,
    specification,
    operationResolver: (id) => {
      if (!isOperation(id)) throw new Error(`The operation ${id} is not in the table of operations`);
      // The glue would check security after the body is read and validated.
      const route: Partial<RouteOptions> = {
        config: { operation: id },
        onRequest: admit(id),
        handler: handlerOf(id),
      };
      return route as RouteOptions; // the glue adds method, url and schema
    },
  });
  refuseOtherMethods(app, basePath);
}

const isOperation = (id: string): id is OperationId => id in operationTable;

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
        throw methodNotAllowed(method, allowed);
      },
      handler: async () => {},
    });
  }
}

/** The glue warns about media types of responses that no parser reads. No operation accepts them. */
function ignoreResponseTypes(app: FastifyInstance): void {
  for (const type of ['application/problem+json', 'text/event-stream']) {
    app.addContentTypeParser(type, (_request, _stream, done) => done(new Problem('unsupported_media_type')));
  }
}

/** Validates a part by the Ajv of the contract. Fastify's own would convert values in bodies and drop unknown fields. */
function validatorOf(schema: unknown, part = '', contentType = 'application/json') {
  if (!jsonTypes.includes(contentType)) return () => true; // a file
  const check = partValidator(part as RequestPart, schema as object);
  return (value: unknown) => {
    const error = check(value);
    return error ? { error } : true; // Fastify passes an error on as it is, and adds only properties that it lacks
  };
}

interface Response {
  $ref?: string;
  description?: string;
  content?: Record<string, { schema: { $ref: string } }>;
}

/**
 * The contract with the names of the schemas of responses in their place: the glue copies the schemas of all responses at
 * every start.
 */
const specification: object = JSON.parse(
  JSON.stringify(document, (key, value) => (key === 'responses' ? withSchemaNames(value) : value)),
);

function withSchemaNames(responses: Record<string, Response>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      const components: Record<string, object> = document.components.responses;
      const { description, content = {} } = (response.$ref ? components[nameOf(response.$ref)] : response) as Response;
      const types = Object.entries(content).map(([type, { schema }]) => [
        type,
        { schema: { title: nameOf(schema.$ref) } },
      ]);
      return [status, { description, content: Object.fromEntries(types) }];
    }),
  );
}

/** The name of the component that a reference leads to. */
function nameOf(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}

type SchemaName = keyof typeof document.components.schemas;
const serializers = new Map<SchemaName, (value: unknown) => string>();

/** Compiles a serializer for each schema of the contract once, at the start. `jsonResponse` (responses.ts) calls it. */
function serializerOf({ schema }: { schema: unknown }): (value: unknown) => string {
  const { title: name } = schema as { title: SchemaName };
  let serialize = serializers.get(name);
  if (!serialize) {
    serialize = fastJsonStringify(withoutUnions(dereferenced(document.components.schemas[name])) as object);
    serializers.set(name, serialize);
  }
  return serialize;
}

/**
 * Leaves no union, whose validation fast-json-stringify would compile for the first response and run for each one.
 * `JSON.stringify` serializes events: as in streams and webhooks, they have what is stored.
 */
function withoutUnions(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutUnions);
  if (typeof node !== 'object' || node === null) return node;
  const { oneOf, anyOf, ...schema } = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, withoutUnions(value)]),
  ) as { oneOf?: object[]; anyOf?: { type?: string }[] };
  if (oneOf) return {};
  const [value, nothing] = anyOf ?? [];
  if (nothing?.type === 'null') return { ...value, nullable: true };
  return { ...schema, ...(anyOf && { anyOf }) };
}
