import { follow } from './follow.js';

const single = ['items', 'additionalProperties'];
const several = ['properties', 'patternProperties', 'prefixItems', 'anyOf', 'oneOf'];

function* children(schema) {
  for (const [word, value] of Object.entries(schema)) {
    if (single.includes(word)) yield [[word], value];
    if (several.includes(word)) for (const [key, child] of Object.entries(value)) yield [[word, key], child];
  }
}

/**
 * Visitors that call `check(schema, location, report)` for every schema that the `positions` (`Parameter`,
 * `RequestBody`) reach. Redocly's own walk cannot tell: it visits a schema once, wherever it meets it first.
 */
export function requestSchemas(positions, check) {
  const seen = new Set();
  const walk = (value, from, ctx) => {
    const { node: schema, location } = follow(ctx, value, from);
    if (typeof schema !== 'object' || seen.has(schema)) return;
    seen.add(schema);
    check(schema, location, ctx.report);
    for (const [path, child] of children(schema)) walk(child, location.child(path), ctx);
  };
  const Schema = (schema, ctx) => walk(schema, ctx.location, ctx);
  return Object.fromEntries(positions.map((position) => [position, { Schema }]));
}

export const hasType = (schema, ...types) => [schema.type].flat().some((type) => types.includes(type));
export const listsValues = (schema) => 'enum' in schema || 'const' in schema;
