import type { FastifyInstance } from 'fastify';
import { type Deprecation, type OperationId, operationIds, operationObject, type Schema } from './operations.ts';

/**
 * Adds the headers of deprecations to responses (RFC 9745, RFC 8594): to each response of a deprecated operation, and to
 * those of valid requests with a deprecated parameter, field or value. Of several, the earliest sunset counts.
 * @param docs the URL of the docs, if there are any
 */
export function announceDeprecations(app: FastifyInstance, docs: string | undefined): void {
  const headersOf = (id: OperationId, { since, sunset }: Deprecation): Record<string, string> => ({
    deprecation: `@${Date.parse(since) / 1000}`,
    sunset: new Date(sunset).toUTCString(),
    ...(docs !== undefined && { link: `<${docs}/reference/${id}>; rel="deprecation"; type="text/html"` }),
  });
  const deprecated = operationIds.flatMap((id) => {
    const { 'x-deprecation': deprecation } = operationObject(id);
    return deprecation ? [[id, headersOf(id, deprecation)] as const] : [];
  });
  const ofOperations = new Map(deprecated);
  if (deprecated.length > 0)
    app.addHook('onRequest', ({ routeOptions: { config } }, reply, done) => {
      reply.headers((config.operation && ofOperations.get(config.operation)) ?? {});
      done();
    });
  app.addHook('onRoute', (route) => {
    const id = route.config?.operation;
    const finders = id ? findersOf(requestSchema(id)) : [];
    if (!id || finders.length === 0) return;
    route.preHandler = (request, reply, done) => {
      const found = finders.flatMap((find) => find(request));
      const [first] = found.toSorted((a, b) => a.sunset.localeCompare(b.sunset));
      if (first) reply.headers(headersOf(id, first));
      done();
    };
  });
}

/** Finds what is deprecated in a valid value. */
type Find = (value: unknown) => Deprecation[];

/** One function for each deprecated part of a schema. */
function findersOf({ properties = {}, items, anyOf = [], oneOf = [], ...schema }: Schema): Find[] {
  const { 'x-deprecation': deprecation, 'x-enumDeprecations': ofValues = {} } = schema;
  const finders: Find[] = [...anyOf, ...oneOf].flatMap(findersOf);
  if (deprecation) finders.push(() => [deprecation]);
  for (const [name, each] of Object.entries(ofValues)) finders.push((value) => (value === name ? [each] : []));
  for (const [name, property] of Object.entries(properties))
    for (const find of findersOf(property)) finders.push((value) => (hasField(value, name) ? find(value[name]) : []));
  for (const find of items ? findersOf(items) : [])
    finders.push((value) => (Array.isArray(value) ? value.flatMap(find) : []));
  return finders;
}

const hasField = (value: unknown, name: string): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && name in value;

/** A request as the schema of what Fastify parses of it. */
function requestSchema(id: OperationId): Schema {
  const { parameters = [], requestBody, 'x-deprecation': deprecation } = operationObject(id);
  const part = (place: string): Schema => ({
    properties: Object.fromEntries(
      parameters
        .filter((parameter) => parameter.in === place)
        .map(({ name, schema, ...parameter }) => [
          place === 'header' ? name.toLowerCase() : name,
          { ...schema, 'x-deprecation': parameter['x-deprecation'] },
        ]),
    ),
  });
  const body = requestBody?.content['application/json']?.schema ?? {};
  return {
    properties: { params: part('path'), query: part('query'), headers: part('header'), body },
    'x-deprecation': deprecation,
  };
}
