/** A table beside an enumeration has one entry for each value. */
export function enumTables() {
  return {
    Schema(schema, { location, report }) {
      const values = schema.enum ?? [];
      for (const table of ['x-enumDescriptions', 'x-problems']) {
        if (!(table in schema) || Object.keys(schema[table]).join() === values.join()) continue;
        const message = `List the same values in \`enum\` and in ${table}, in the same order.`;
        report({ message, location: location.child(table) });
      }
    },
  };
}

const isComponent = (location, name) => location.pointer.endsWith(`/${name}`);

/** `EventType`, the variants of `Event` and the pattern of `TypesParameter` have the same values in the same order. */
export function eventTypes() {
  let types = [];
  let event;
  let parameter;
  return {
    Schema(schema, ctx) {
      if (isComponent(ctx.location, 'EventType')) types = schema.enum;
      if (!isComponent(ctx.location, 'Event')) return;
      const variants = schema.oneOf.map((variant) => ctx.resolve(variant).node?.properties.type.const);
      event = { variants, location: ctx.location.child('oneOf') };
    },
    Parameter(node, { location }) {
      if (isComponent(location, 'TypesParameter')) {
        parameter = { pattern: node.schema.pattern, location: location.child(['schema', 'pattern']) };
      }
    },
    Root: {
      leave(_, { report }) {
        if (event && event.variants.join() !== types.join()) {
          const message = `Add a variant for each value of EventType, in its order: ${types.join(', ')}.`;
          report({ message, location: event.location });
        }
        const value = `(${types.map((type) => type.replaceAll('.', '\\.')).join('|')})`;
        const pattern = `^${value}(,${value}){0,${types.length - 1}}$`;
        if (parameter && parameter.pattern !== pattern) {
          report({ message: `Set the values of EventType: ${pattern}`, location: parameter.location });
        }
      },
    },
  };
}
