import { isDeepStrictEqual } from 'node:util';

/*
 * Preprocessors: what `spec/` may abbreviate and the bundle writes out in full. fastify-openapi-glue ignores path-level
 * parameters and keywords beside `$ref`, and the response check closes every object, which `allOf` does not survive.
 */

/** Adds the parameters of a path to each of its operations. */
export function pathParameters() {
  return {
    PathItem(item) {
      const { parameters, ...operations } = item;
      if (!parameters) return;
      delete item.parameters;
      for (const operation of Object.values(operations)) {
        operation.parameters = [...structuredClone(parameters), ...(operation.parameters ?? [])];
      }
    },
  };
}

/** Adds `X-Request-Id` to every response, and the rate limit to those below 500. */
export function commonHeaders() {
  return {
    Responses: {
      Response(response, { key }) {
        const names = key < '500' ? ['X-Request-Id', 'RateLimit-Policy', 'RateLimit'] : ['X-Request-Id'];
        const common = Object.fromEntries(names.map((name) => [name, { $ref: `../headers/${name}.yaml` }]));
        response.headers = { ...common, ...response.headers };
      },
    },
  };
}

const recording = 'recordTrackingEvent';

/** Sets the values of EventStatus: the statuses that `recordTrackingEvent` leads to, in the order of `x-transitions`. */
export function eventStatuses() {
  let transitions = [];
  let eventStatus = {};
  return {
    Schema(schema, { location }) {
      if (schema['x-transitions']) transitions = schema['x-transitions'];
      if (/\/EventStatus(\.yaml)?$/.test(location.absolutePointer)) eventStatus = schema;
    },
    Root: {
      leave() {
        eventStatus.enum = [...new Set(transitions.filter((each) => each.operation === recording).map(({ to }) => to))];
      },
    },
  };
}

/** Sets the pattern of TypesParameter: values of EventType, separated by commas. */
export function typesPattern() {
  let values = [];
  let parameter;
  return {
    Schema(schema, { location }) {
      if (/\/EventType(\.yaml)?$/.test(location.absolutePointer)) values = schema.enum;
    },
    Parameter(node, { location }) {
      if (/\/TypesParameter(\.yaml)?$/.test(location.absolutePointer)) parameter = node;
    },
    Root: {
      leave() {
        if (!parameter) return;
        const value = `(${values.map((type) => type.replaceAll('.', '\\.')).join('|')})`;
        parameter.schema.pattern = `^${value}(,${value}){0,${values.length - 1}}$`;
      },
    },
  };
}

const annotations = ['description', 'examples'];
const merges = {
  properties: (own, base) => ({ ...own, ...base, ...own }),
  required: (own, base) => [...own, ...base],
};

/** Merges `allOf`, and the keywords beside a `$ref`, into one schema. */
export function mergedSchemas() {
  const merged = ({ $ref, allOf = [], ...schema }, ctx, location) => {
    for (const part of $ref ? [{ $ref }, ...allOf] : allOf) {
      const target = part.$ref ? ctx.resolve(part, location.source.absoluteRef) : { node: part, location };
      if (!target.node) continue;
      const base = merged(structuredClone(target.node), ctx, target.location); // the bundler rewrites each `$ref`
      for (const [keyword, value] of Object.entries(base)) {
        if (!(keyword in schema)) schema[keyword] = value;
        else if (merges[keyword]) schema[keyword] = merges[keyword](schema[keyword], value);
        else if (!annotations.includes(keyword) && !isDeepStrictEqual(schema[keyword], value)) {
          ctx.report({ message: `Two parts of this schema have different values of \`${keyword}\`.`, location });
        }
      }
    }
    return schema;
  };
  const merge = (schema, ctx) => {
    const result = merged(schema, ctx, ctx.location);
    for (const keyword of Object.keys(schema)) delete schema[keyword];
    Object.assign(schema, result);
  };
  return {
    ref(ref, ctx) {
      if (ctx.type.name === 'Schema' && Object.keys(ref).length > 1) merge(ref, ctx);
    },
    Schema: {
      leave(schema, ctx) {
        if (schema.allOf) merge(schema, ctx);
      },
    },
  };
}
