/** A table beside an enumeration has one entry for each value. */
export function enumTables() {
  return {
    Schema(schema, { location, report }) {
      const values = schema.enum ?? [];
      for (const table of ['x-enumDescriptions', 'x-problems', 'x-event-data']) {
        if (!(table in schema) || Object.keys(schema[table]).join() === values.join()) continue;
        const message = `List the same values in \`enum\` and in ${table}, in the same order.`;
        report({ message, location: location.child(table) });
      }
    },
  };
}
