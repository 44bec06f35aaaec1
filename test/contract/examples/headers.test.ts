import { dereferenced } from '@waybill/contract/dereferenced';
import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { expect, test } from 'vitest';
import { newAjv } from '../../fixtures/ajv.ts';

const headers = Object.entries(contract.components.headers);

// `redocly lint` validates the examples of bodies, parameters and schemas, but not those of headers.
test.for(headers)('the example of the header %s is valid against its schema', ([, { schema, example }]) => {
  const ajv = newAjv(false);
  ajv.validate(dereferenced(schema) as object, example);
  expect(ajv.errorsText()).toBe('No errors');
});
