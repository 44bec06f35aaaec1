import { expect, test } from 'vitest';
import { nodesOf, type Source, sourceOf, sourcesIn } from './sources.ts';

const sources = (await sourcesIn('packages')).filter(({ path }) => path.includes('/src/'));

test('no room is called by what it is not', () => {
  const named = sources.filter(({ path }) => /\/(utils?|helpers?|common|shared|misc|lib)(\/|\.ts$)/.test(path));
  const mend = 'Name the room by its one purpose, or put the code into the room that uses it.';
  expect(
    named.map(({ path }) => path),
    mend,
  ).toEqual([]);
});

const isBarrel = ({ text }: Source): boolean => {
  const program = nodesOf(text)[0]?.node as { body?: { type: string; source?: unknown }[] } | undefined;
  const body = program?.body ?? [];
  return body.length > 0 && body.every(({ type, source }) => type.startsWith('Export') && !!source);
};

test('no file only exports what others export, but the entry of a package', () => {
  const entry = 'packages/client/src/index.ts';
  const barrels = sources.filter(isBarrel).map(({ path }) => path);
  expect(
    barrels.filter((path) => path !== entry),
    'Import from the file that has it.',
  ).toEqual([]);
  expect(isBarrel(sourceOf('a/index.ts', "export * from './b.ts';\nexport { c } from './c.ts';"))).toBe(true);
  expect(isBarrel(sourceOf('a/index.ts', "export { c } from './c.ts';\nexport const d = 1;"))).toBe(false);
});
