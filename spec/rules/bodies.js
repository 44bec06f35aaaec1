/*
 * Redocly visits a schema only once, at its first use, and no assertion reaches the schemas inside another. So these rules
 * follow the references of a body themselves.
 */

/** The target of `value` if it is a reference, else `value`, with its location. */
export function follow(ctx, value, location) {
  return value?.$ref ? ctx.resolve(value, location.source.absoluteRef) : { node: value, location };
}

const withSchema = ['items', 'additionalProperties'];
const withSchemas = ['properties', 'patternProperties', 'prefixItems', 'anyOf', 'oneOf'];

function* children(schema) {
  for (const [keyword, value] of Object.entries(schema)) {
    if (withSchema.includes(keyword)) yield [[keyword], value];
    if (withSchemas.includes(keyword)) for (const [key, child] of Object.entries(value)) yield [[keyword, key], child];
  }
}

/**
 * Reports every schema that the `positions` (such as `Parameter` or `Response`) of operations reach and that is `invalid`.
 * Webhooks are requests of the service itself.
 */
function forbid(positions, message, invalid) {
  const seen = new Set();
  const visit = (value, from, ctx) => {
    const { node: schema, location } = follow(ctx, value, from);
    if (typeof schema !== 'object' || seen.has(schema)) return;
    seen.add(schema);
    if (invalid(schema)) ctx.report({ message, location });
    for (const [path, child] of children(schema)) visit(child, location.child(path), ctx);
  };
  const Schema = (schema, ctx) => visit(schema, ctx.location, ctx);
  return { Paths: Object.fromEntries(positions.map((position) => [position, { Schema }])) };
}

const hasType = (schema, type) => [schema.type].flat().includes(type);

/** Request bodies reject unknown fields, or limit their number. */
export function closedBodies() {
  const message = 'Set `additionalProperties: false`, or `additionalProperties` to a schema and `maxProperties`.';
  return forbid(['RequestBody'], message, (schema) => {
    if (!hasType(schema, 'object') && !schema.properties) return false;
    const rest = schema.additionalProperties;
    return rest !== false && !(typeof rest === 'object' && schema.maxProperties !== undefined);
  });
}

/** Responses may get new fields. */
export function openResponses() {
  const message =
    'Use a schema without `additionalProperties: false` in responses, such as Address beside AddressRequest.';
  return forbid(['Response'], message, (schema) => schema.additionalProperties === false);
}

/** Text has a visible character and none that turns or ends what is around it. PostgreSQL cannot store NUL. */
export function textPattern() {
  const message = 'Refer to `Line` or `Text` of common.yaml, or add a `pattern`: the string is part of a request body.';
  return forbid(['RequestBody'], message, (schema) => {
    const { enum: values, const: value, pattern, format } = schema;
    return hasType(schema, 'string') && !(values || value || pattern || format);
  });
}

/** PostgreSQL has no year 0, JavaScript has no leap seconds, and responses have years of four digits. */
export function requestTimestamps() {
  const message = 'Use RequestTimestamp of schemas/common.yaml, or a `pattern` for the years 1000 to 2999.';
  return forbid(
    ['Parameter', 'RequestBody'],
    message,
    ({ format, pattern }) => /^date/.test(format) && !pattern?.startsWith('^[12]'),
  );
}
