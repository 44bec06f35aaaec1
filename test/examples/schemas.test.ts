import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import '../fixtures/quality.ts';
import { allExamples } from './all-examples.ts';

interface Place {
  parentData: Record<string, string>;
}

/** An Ajv that has the whole bundle, so that it finds schemas by pointer, and the rules across fields. */
const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });
addFormats.default(ajv);
ajv.addFormat('text', (text) => text.isWellFormed() && !text.includes('\0'));
ajv.addKeyword({
  keyword: 'x-after',
  validate: (other: string, value: string, _schema: unknown, place?: Place) =>
    Date.parse(value) > Date.parse(place?.parentData[other] ?? ''),
});
// The members of the bundle's root and the other specification extensions do not restrict examples.
const words = new Set([...Object.keys(contract), ...(JSON.stringify(contract).match(/(?<=")x-[\w-]+(?=":)/g) ?? [])]);
ajv.addVocabulary([...words].filter((word) => !ajv.getKeyword(word)));
ajv.addSchema(contract, 'contract');

const examples = allExamples();

test('every example has a schema and a value', ({ task }) => {
  const lost = examples.filter(({ schema, value }) => schema === undefined || value === undefined);
  const places = lost.map(({ place }) => place);
  expect(places, 'Add a `value` or `schema`, or remove an unused example').toEqual([]);
  task.meta.measurements = { 'valid examples in the contract': String(examples.length) };
});

test.each(examples)('the example $place is valid against its schema', ({ schema, value }) => {
  const validate = ajv.getSchema(`contract#${encodeURI(schema ?? '')}`);
  expect(validate, 'there is a schema').toBeDefined();
  validate?.(value);
  expect(ajv.errorsText(validate?.errors)).toBe('No errors');
});
