const extensions = [
  ...['x-after', 'x-not-before', 'x-max-ahead', 'x-max-age', 'x-max-before-previous'],
  ...['x-open-enum', 'x-enumDescriptions', 'x-transitions', 'x-problems', 'x-keywords', 'x-positions'],
];

/** A misspelt extension would have no effect. */
export function knownExtensions() {
  return {
    Schema(schema, { location, report }) {
      for (const extension of Object.keys(schema)) {
        if (!extension.startsWith('x-') || extensions.includes(extension)) continue;
        const message = `Nothing reads ${extension}. Use one of ${extensions.join(', ')}, or add it in spec/rules/extensions.js.`;
        report({ message, location: location.child(extension).key() });
      }
    },
  };
}

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
      for (const [keyword, code] of Object.entries(schema['x-keywords'] ?? {})) {
        if (values.includes(code)) continue;
        report({
          message: `Add ${code} to \`enum\`, or use a code of it.`,
          location: location.child(['x-keywords', keyword]),
        });
      }
    },
  };
}
