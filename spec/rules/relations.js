import { follow } from './follow.js';

const extensions = ['x-after', 'x-not-before'];

/** `x-after` and `x-not-before` name a property of the same object or a query parameter of the same operation. */
export function relations() {
  const found = new Map();
  const placed = new Set();

  const check = (ctx, value, from, siblings) => {
    const { node: schema, location } = follow(ctx, value, from);
    for (const extension of extensions) {
      if (schema?.[extension] === undefined) continue;
      placed.add(schema);
      if (siblings.includes(schema[extension])) continue;
      const message = `Use one of the fields beside it: ${siblings.join(', ')}.`;
      ctx.report({ message, location: location.child(extension) });
    }
  };

  return {
    Schema(schema, ctx) {
      if (extensions.some((extension) => extension in schema)) found.set(schema, ctx.location);
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
          report({ message: 'Move it to a property or a query parameter: it is enforced only there.', location });
        }
      },
    },
  };
}
