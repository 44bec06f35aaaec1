import { readdirSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../fixtures/process.ts';
import { nodesOf, root, type Source, sourcesIn } from './sources.ts';

const folder = 'packages/contract/';
const generated = readdirSync(join(root, folder, 'generated'));

/** Every text that a source writes out. */
const texts = ({ text }: Source): unknown[] =>
  nodesOf(text).flatMap(({ node }) => (node.type === 'Literal' ? [node.value] : []));

test('everything in generated/ is what the contract makes', async () => {
  const path = [join(root, folder, 'node_modules/.bin'), dirname(process.execPath), process.env.PATH];
  const { code, stderr } = await run(new URL(`../../${folder}generate.ts`, import.meta.url), ['--check'], {
    PATH: path.join(delimiter), // where the generator finds the contract's bundler
  });
  expect(code, stderr).toBe(0); // it says how to mend it
});

// The check passes over files that the generator does not make.
test('everything in generated/ is made by the generator and says so', async () => {
  const made = (await sourcesIn(folder)).flatMap(texts);
  const strange = generated.filter((name) => !made.includes(name));
  expect(strange, 'Let packages/contract/generate.ts make the file, or delete it.').toEqual([]);
  const silent = generated.filter((name) => {
    const head = readFileSync(join(root, folder, 'generated', name), 'utf8').split('\n')[0] ?? '';
    return !name.endsWith('.json') && !/^\/\/ Made from .*Do not edit\.$/.test(head);
  });
  expect(silent, 'Begin the file with the banner, so that nobody edits it.').toEqual([]);
});

test('nobody formats or lints what is generated', () => {
  const { files } = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'));
  expect(files.includes).toContain('!**/generated');
});
