import { hasType, listsValues, requestSchemas } from './request-schemas.js';

/** Nothing that is sent or answered grows without end. */
export function boundedSchemas() {
  const alternatives = new WeakSet(); // of a string that is bounded as a whole
  return {
    Schema(schema, { location, report }) {
      const bounded = schema.maxLength !== undefined || listsValues(schema) || alternatives.has(schema);
      if (bounded) for (const one of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) alternatives.add(one);
      else if (hasType(schema, 'string')) {
        report({ message: 'Give the string a `maxLength`, or an `enum` or a `const`.', location });
      }
      if (hasType(schema, 'array') && schema.maxItems === undefined) {
        report({ message: 'Give the array `maxItems`.', location });
      }
    },
    ...requestSchemas(['Parameter', 'RequestBody'], (schema, location, report) => {
      // PostgreSQL has no year 0, JavaScript no leap second, and what we answer has four digits for a year.
      if (/^date/.test(schema.format) && !schema.pattern?.startsWith('^[12]')) {
        const message =
          'Give a time in a request the `pattern` that the others have: years 1000 to 2999, no leap second.';
        report({ message, location });
      }
      if (!hasType(schema, 'integer', 'number') || listsValues(schema)) return;
      if (schema.minimum === undefined || schema.maximum === undefined) {
        report({ message: 'Give a number in a request both `minimum` and `maximum`.', location });
      }
    }),
  };
}
