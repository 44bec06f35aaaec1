import { follow } from './bodies.js';

const nameOf = ({ pointer }) => pointer.split('/').at(-1);

/** The values of an enumeration, closed or open. */
export const valuesOf = (schema) => schema.enum ?? schema['x-extensible-enum'];

/** Each value has a description. The compiler checks the other tables, which are typed. */
export function enumDescriptions() {
  return {
    Schema(schema, { location, report }) {
      const table = schema['x-enumDescriptions'];
      if (!table || Object.keys(table).join() === valuesOf(schema)?.join()) return;
      const message = 'List the same values in `x-enumDescriptions` as in the enumeration, in the same order.';
      report({ message, location: location.child('x-enumDescriptions') });
    },
  };
}

/** `x-changes` has each field of `ShipmentChanges`: that of an object itself, or those in it. Others would not change. */
export function changedFields() {
  let listed;
  let changes;
  return {
    Schema(schema, { location }) {
      if (schema['x-changes']) listed = schema['x-changes'].flatMap(({ fields }) => fields);
      if (nameOf(location) === 'ShipmentChanges') changes = { properties: schema.properties, location };
    },
    Root: {
      leave(_, ctx) {
        const fields = Object.entries(changes.properties).flatMap(([name, value]) => {
          const inner = follow(ctx, value, changes.location).node.properties;
          if (listed.includes(`/${name}`) || !inner) return `/${name}`;
          return Object.keys(inner).map((field) => `/${name}/${field}`);
        });
        if (listed.toSorted().join() === fields.toSorted().join()) return;
        const message = `List each field once in x-changes of ShipmentStatus: ${fields.join(', ')}.`;
        ctx.report({ message, location: changes.location });
      },
    },
  };
}
