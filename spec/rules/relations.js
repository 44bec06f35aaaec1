import { follow } from './follow.js';

const words = ['x-after', 'x-not-before'];

/** A rule across fields names a field beside its own: a property of the same object, a query parameter of the same operation. */
export function relations() {
  const found = new Map();
  const placed = new Set();

  const check = (ctx, value, from, siblings) => {
    const { node: schema, location } = follow(ctx, value, from);
    for (const word of words) {
      if (schema?.[word] === undefined) continue;
      placed.add(schema);
      if (siblings.includes(schema[word])) continue;
      ctx.report({ message: `Name one of its neighbours: ${siblings.join(', ')}.`, location: location.child(word) });
    }
  };

  return {
    Schema(schema, ctx) {
      if (words.some((word) => word in schema)) found.set(schema, ctx.location);
      const properties = schema.properties ?? {};
      for (const [name, property] of Object.entries(properties)) {
        check(ctx, property, ctx.location.child(['properties', name]), Object.keys(properties));
      }
    },
    Operation({ parameters = [] }, ctx) {
      const query = parameters
        .map((parameter, index) => follow(ctx, parameter, ctx.location.child(['parameters', index])))
        .filter(({ node }) => node?.in === 'query');
      const names = query.map(({ node }) => node.name);
      for (const { node, location } of query) check(ctx, node.schema, location.child('schema'), names);
    },
    Root: {
      leave(_, { report }) {
        for (const [schema, location] of found) {
          if (placed.has(schema)) continue;
          report({ message: 'Move it to a property or a query parameter: only there is it enforced.', location });
        }
      },
    },
  };
}
