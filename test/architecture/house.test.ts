import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodesOf, root, type Source, sourceOf, sourcesIn } from './sources.ts';

const packages = await sourcesIn('packages');
const tools = await sourcesIn('tools');
const inSrc = packages.filter(({ path }) => path.includes('/src/'));

/** Reads settings of the start command, or hands the environment on to programs that it starts. */
const environmentOfTools = [
  'tools/start/',
  'tools/chaos/child.ts',
  'tools/defects/suite.ts',
  'tools/postgres/programs.ts',
  'tools/postgres/postgres.test.ts',
  'tools/simulate/main.ts',
];

const readers = (sources: Source[]): string[] =>
  sources.flatMap(({ path, environment }) => environment.map((written) => `${path}: ${written}`));

test('nothing but config.ts knows the environment; the command hands it over as a whole', () => {
  const mend = 'Add the variable to the table in packages/server/src/config.ts, and take it from the config.';
  // The samples are programs of somebody who has the client.
  const ours = packages.filter(({ path }) => !path.startsWith('packages/docs/samples/'));
  expect(readers(ours), mend).toEqual([]);
  const others = tools.filter(({ path }) => !environmentOfTools.some((place) => path.startsWith(place)));
  expect(readers(others), 'Let tools/start read it, or name the place in test/architecture/house.test.ts.').toEqual([]);
});

test.for([
  ['process.env.PORT', 1],
  ["process['env']", 1],
  ['process?.env', 1],
  ['globalThis.process.env', 1],
  ['const { env } = process;', 1],
  ["import { env } from 'node:process';", 1],
  ["import process from 'process';", 1],
  ['readConfig(process.env, []);', 0],
  ['readConfig(process.env.PORT);', 1],
  ['readConfig({ ...process.env });', 1],
  ['// process.env', 0],
  ["const text = 'process.env';", 0],
  ['process.exitCode = 1;', 0],
] as const)('the finder counts the environment in `%s`: %i', ([text, count]) => {
  expect(sourceOf('packages/a.ts', text).environment).toHaveLength(count);
});

const folder = 'packages/contract/';
const generated = readdirSync(join(root, folder, 'generated'));

/** Every text that a source writes out. */
const texts = ({ text }: Source): unknown[] =>
  nodesOf(text).flatMap(({ node }) => (node.type === 'Literal' ? [node.value] : []));

// What is generated is up to date: `pnpm check` sees to it. But it passes over files that it does not make.
test('everything in generated/ is made by the generator and says so', () => {
  const made = packages.filter(({ path }) => path.startsWith(folder)).flatMap(texts);
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

test('no room is called by what it is not', () => {
  const named = inSrc.filter(({ path }) => /\/(utils?|helpers?|common|shared|misc|lib)(\/|\.ts$)/.test(path));
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
  const barrels = inSrc.filter(isBarrel).map(({ path }) => path);
  expect(
    barrels.filter((path) => path !== entry),
    'Import from the file that has it.',
  ).toEqual([]);
  expect(isBarrel(sourceOf('a/index.ts', "export * from './b.ts';\nexport { c } from './c.ts';"))).toBe(true);
  expect(isBarrel(sourceOf('a/index.ts', "export { c } from './c.ts';\nexport const d = 1;"))).toBe(false);
});
