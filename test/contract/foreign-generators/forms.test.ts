import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** The parts of the contract with their places, such as `components/schemas/Event`. */
function* partsOf(value: unknown, place = ''): Generator<[place: string, part: Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return;
  yield [place, value as Record<string, unknown>];
  for (const [name, part] of Object.entries(value)) yield* partsOf(part, `${place}/${name}`);
}

const reserved = ['default', 'delete', 'enum', 'export', 'for', 'function', 'import', 'in', 'new', 'return', 'switch'];
/** Generators make an example of this length in memory. */
const longest = 16 * 1024 * 1024;

test('generators get no form of a schema that they turn into invalid code or into too much memory', async () => {
  const contract = JSON.parse(
    await readFile(fileURLToPath(import.meta.resolve('@waybill/contract/openapi.json')), 'utf8'),
  );
  const parts = [...partsOf(contract)];
  expect(parts.length).toBeGreaterThan(1_000);
  const bad = parts.flatMap(([place, { pattern, maxLength, enum: values }]) => {
    const hasQuote = typeof pattern === 'string' && pattern.includes('"'); // ends the string of `fromRegExp("…")`
    const isLong = typeof maxLength === 'number' && maxLength > longest;
    const isReserved = values !== undefined && reserved.includes(place.split('/').at(-1) ?? ''); // `export enum in`
    return hasQuote || isLong || isReserved ? [place] : [];
  });
  expect(bad).toEqual([]);
});
