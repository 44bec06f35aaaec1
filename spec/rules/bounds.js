import { hasType, listsValues, reachedSchemas } from './reached-schemas.js';

/** Every string, array and number has a bound. */
export function boundedSchemas() {
  return {
    Schema(schema, { location, report }) {
      const boundedByBranches = schema.anyOf ?? schema.oneOf;
      const isStream = schema.contentMediaType === 'text/event-stream';
      const bounded = schema.maxLength !== undefined || listsValues(schema) || boundedByBranches || isStream;
      if (hasType(schema, 'string') && !bounded) {
        report({ message: 'Add `maxLength`, `enum` or `const` to the string.', location });
      }
      if (hasType(schema, 'array') && schema.maxItems === undefined) {
        report({ message: 'Add `maxItems` to the array.', location });
      }
    },
    ...reachedSchemas(['Parameter', 'RequestBody'], (schema, location, report) => {
      // PostgreSQL has no year 0, JavaScript has no leap seconds, and responses have years of four digits.
      if (/^date/.test(schema.format) && !schema.pattern?.startsWith('^[12]')) {
        const message = 'Use RequestTimestamp of schemas/common.yaml, or a `pattern` for the years 1000 to 2999.';
        report({ message, location });
      }
      if (!hasType(schema, 'integer', 'number') || listsValues(schema)) return;
      if (schema.minimum === undefined || schema.maximum === undefined) {
        report({ message: 'Add `minimum` and `maximum` to the number: it is part of a request.', location });
      }
    }),
  };
}
