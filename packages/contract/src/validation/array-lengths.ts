import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

interface Schema {
  items?: Schema;
  maxItems?: number;
  properties?: Record<string, Schema>;
}

/** Stops at the first array that is too long. */
const ajv = new Ajv2020({ strict: false, meta: false, validateSchema: false });

/** Compiles the check of array lengths alone. It runs first, so that items of an array that is too long cost nothing. */
export const compileArrayLengths = (schema: object): ValidateFunction => ajv.compile(arrayLengthsOf(schema));

function arrayLengthsOf({ items, maxItems, properties = {} }: Schema): Schema {
  const entries = Object.entries(properties).map(([name, property]) => [name, arrayLengthsOf(property)] as const);
  return {
    properties: Object.fromEntries(entries),
    ...(maxItems !== undefined && { maxItems }),
    ...(items && { items: arrayLengthsOf(items) }),
  };
}
