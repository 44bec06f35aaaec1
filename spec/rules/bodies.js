import { hasType, listsValues, reachedSchemas } from './reached-schemas.js';

/** Request bodies reject unknown fields, or limit their number. */
export function closedBodies() {
  return reachedSchemas(['RequestBody'], (schema, location, report) => {
    if (!hasType(schema, 'object') && !schema.properties) return;
    const rest = schema.additionalProperties;
    if (rest === false || (typeof rest === 'object' && schema.maxProperties !== undefined)) return;
    report({
      message: 'Set `additionalProperties: false`, or `additionalProperties` to a schema and `maxProperties`.',
      location,
    });
  });
}

/** Responses may get new fields. */
export function openResponses() {
  return reachedSchemas(['Response'], (schema, location, report) => {
    if (schema.additionalProperties !== false) return;
    const message =
      'Use a schema without `additionalProperties: false` in responses, such as Address beside AddressRequest.';
    report({ message, location });
  });
}

/** Text has a visible character and none that turns or ends what is around it. PostgreSQL cannot store NUL. */
export function textPattern() {
  return reachedSchemas(['RequestBody'], (schema, location, report) => {
    if (!hasType(schema, 'string') || listsValues(schema) || schema.pattern || schema.format) return;
    const message =
      'Refer to `Line` or `Text` of common.yaml, or add a `pattern`: the string is part of a request body.';
    report({ message, location });
  });
}

/** An error shows the example of a pattern that a value does not match. One that lists values or is for text needs none. */
export function patternExamples() {
  return reachedSchemas(['RequestBody'], (schema, location, report) => {
    if (!schema.pattern || schema.format || schema.examples || /^\^\(|\\p{/.test(schema.pattern)) return;
    report({ message: 'Add `examples` beside the `pattern`: errors show the first one.', location });
  });
}

/** API clients fill in the examples of optional parameters, too: a stored response, no match, or a page of another list. */
export function parameterExamples() {
  return {
    Parameter({ required, example, examples, schema }, { location, report }) {
      if (required || [example, examples, schema?.example, schema?.examples].every((each) => each === undefined))
        return;
      report({ message: 'Remove the example: the parameter is optional, and API clients would send it.', location });
    },
  };
}
