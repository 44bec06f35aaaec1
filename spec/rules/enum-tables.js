/** A table beside an enumeration has one entry for each value. */
export function enumTables() {
  return {
    Schema(schema, { location, report }) {
      const values = schema.enum ?? [];
      for (const table of ['x-enumDescriptions', 'x-problems', 'x-exceptions']) {
        if (!(table in schema) || Object.keys(schema[table]).join() === values.join()) continue;
        const message = `List the same values in \`enum\` and in ${table}, in the same order.`;
        report({ message, location: location.child(table) });
      }
    },
  };
}

const isComponent = (location, name) => location.pointer.endsWith(`/${name}`);

/** The pattern of values of an enumeration, separated by commas. */
function listPattern(values) {
  const value = `(${values.map((each) => each.replaceAll('.', '\\.')).join('|')})`;
  return `^${value}(,${value}){0,${values.length - 1}}$`;
}

/** Parameter → the enumeration of which it takes several values. */
const lists = { StatusParameter: 'ShipmentStatus', TypesParameter: 'EventType' };

/** The pattern of a parameter that takes several values of an enumeration has these in the same order. */
export function listParameters() {
  const values = {};
  const parameters = [];
  return {
    Schema(schema, { location }) {
      for (const name of Object.values(lists)) if (isComponent(location, name)) values[name] = schema.enum;
    },
    Parameter(node, { location }) {
      const [, enumeration] = Object.entries(lists).find(([name]) => isComponent(location, name)) ?? [];
      if (enumeration) parameters.push({ enumeration, pattern: node.schema.pattern, location });
    },
    Root: {
      leave(_, { report }) {
        for (const { enumeration, pattern, location } of parameters) {
          const expected = listPattern(values[enumeration] ?? []);
          if (pattern === expected) continue;
          const message = `Set the values of ${enumeration}: ${expected}`;
          report({ message, location: location.child(['schema', 'pattern']) });
        }
      },
    },
  };
}

/** `EventType` and the variants of `Event` have the same values in the same order. */
export function eventTypes() {
  let types = [];
  let event;
  return {
    Schema(schema, ctx) {
      if (isComponent(ctx.location, 'EventType')) types = schema.enum;
      if (!isComponent(ctx.location, 'Event')) return;
      const variants = schema.oneOf.map((variant) => ctx.resolve(variant).node?.properties.type.const);
      event = { variants, location: ctx.location.child('oneOf') };
    },
    Root: {
      leave(_, { report }) {
        if (event && event.variants.join() !== types.join()) {
          const message = `Add a variant for each value of EventType, in its order: ${types.join(', ')}.`;
          report({ message, location: event.location });
        }
      },
    },
  };
}
