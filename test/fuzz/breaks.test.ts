import { fieldErrorCodes } from '@waybill/contract/field-error-codes';
import { expect, test } from 'vitest';
import { breaksOf } from './breaks.ts';
import { contractParts } from './parts.ts';

test('the fuzzer breaks every keyword that a request of the contract can break', () => {
  const written = new Set(contractParts.flatMap(({ schema }) => wordsIn(schema)));
  const breakable = Object.keys(fieldErrorCodes).filter((keyword) => written.has(keyword));
  const broken = contractParts
    .flatMap((part) => breaksOf(part.schema, part.in !== 'body'))
    .map(({ keyword }) => keyword);
  expect(breakable.filter((keyword) => !broken.includes(keyword))).toEqual([]);
  expect(breakable).toEqual(expect.arrayContaining(['type', 'x-after', 'x-not-before', 'x-max-ahead']));
});

function wordsIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return [...Object.keys(node), ...Object.values(node).flatMap(wordsIn)];
}
