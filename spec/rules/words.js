const words = [
  ...['x-after', 'x-not-before', 'x-max-ahead', 'x-max-age', 'x-max-before-previous'],
  ...[
    'x-open-enum',
    'x-enumDescriptions',
    'x-transitions',
    'x-problems',
    'x-keywords',
    'x-signed',
    'x-expiry-of',
    'x-positions',
  ],
];

/** A misspelt word of ours would be a rule that nobody enforces. */
export function knownWords() {
  return {
    Schema(schema, { location, report }) {
      for (const word of Object.keys(schema)) {
        if (!word.startsWith('x-') || words.includes(word)) continue;
        const message = `Nothing reads ${word}. Use one of ${words.join(', ')}; a new word is added in spec/rules/words.js.`;
        report({ message, location: location.child(word).key() });
      }
    },
  };
}

/** A table beside an enumeration has a row for each of its values. */
export function enumTables() {
  return {
    Schema(schema, { location, report }) {
      const values = schema.enum ?? [];
      for (const word of ['x-enumDescriptions', 'x-problems']) {
        if (!(word in schema) || Object.keys(schema[word]).join() === values.join()) continue;
        const message = `List the same values in \`enum\` and in ${word}, in the same order.`;
        report({ message, location: location.child(word) });
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
