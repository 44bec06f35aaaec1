import { hasType, listsValues, requestSchemas } from './request-schemas.js';

/** Request bodies reject unknown fields, or limit their number. */
export function closedBodies() {
  return requestSchemas(['RequestBody'], (schema, location, report) => {
    if (!hasType(schema, 'object') && !schema.properties) return;
    const rest = schema.additionalProperties;
    if (rest === false || (typeof rest === 'object' && schema.maxProperties !== undefined)) return;
    report({
      message: 'Set `additionalProperties: false`, or `additionalProperties` to a schema and `maxProperties`.',
      location,
    });
  });
}

/** Free text is well-formed Unicode without NUL, which PostgreSQL cannot store. */
export function textFormat() {
  return requestSchemas(['RequestBody'], (schema, location, report) => {
    if (!hasType(schema, 'string') || listsValues(schema) || schema.pattern || schema.format) return;
    report({ message: 'Add `format: text` or a `pattern` to the string: it is part of a request body.', location });
  });
}
