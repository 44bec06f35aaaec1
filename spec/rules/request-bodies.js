import { hasType, listsValues, requestSchemas } from './request-schemas.js';

/** Unknown fields of a body are refused, or counted. */
export function closedBodies() {
  return requestSchemas(['RequestBody'], (schema, location, report) => {
    if (!hasType(schema, 'object') && !schema.properties) return;
    const rest = schema.additionalProperties;
    if (rest === false || (typeof rest === 'object' && schema.maxProperties !== undefined)) return;
    report({
      message: 'Give an object in a request body `additionalProperties: false`, or a schema there and `maxProperties`.',
      location,
    });
  });
}

/** Free text is well-formed Unicode without NUL, which PostgreSQL cannot store. */
export function textFormat() {
  return requestSchemas(['RequestBody'], (schema, location, report) => {
    if (!hasType(schema, 'string') || listsValues(schema) || schema.pattern || schema.format) return;
    report({ message: 'Give free text in a request body `format: text`, or a `pattern`.', location });
  });
}
