import { follow } from './follow.js';

const withSchema = ['items', 'additionalProperties'];
const withSchemas = ['properties', 'patternProperties', 'prefixItems', 'anyOf', 'oneOf'];

function* children(schema) {
  for (const [keyword, value] of Object.entries(schema)) {
    if (withSchema.includes(keyword)) yield [[keyword], value];
    if (withSchemas.includes(keyword)) for (const [key, child] of Object.entries(value)) yield [[keyword, key], child];
  }
}

/**
 * Visitors that call `check(schema, location, report)` for every schema that the `positions` (such as
 * `Parameter` or `Response`) of operations reach; webhooks are requests of the service itself. Redocly visits a schema only once, at its first use, whatever that is.
 */
export function reachedSchemas(positions, check) {
  const seen = new Set();
  const visit = (value, from, ctx) => {
    const { node: schema, location } = follow(ctx, value, from);
    if (typeof schema !== 'object' || seen.has(schema)) return;
    seen.add(schema);
    check(schema, location, ctx.report);
    for (const [path, child] of children(schema)) visit(child, location.child(path), ctx);
  };
  const Schema = (schema, ctx) => visit(schema, ctx.location, ctx);
  return { Paths: Object.fromEntries(positions.map((position) => [position, { Schema }])) };
}

export const hasType = (schema, ...types) => [schema.type].flat().some((type) => types.includes(type));
export const listsValues = (schema) => 'enum' in schema || 'const' in schema;
