import { execFile } from 'node:child_process';
import { cp, glob, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import waybill from './plugin.js';
import { fileViolations, violations } from './violations.js';

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
const bundleCases = cases(violations);
const fileCases = cases(fileViolations);
// A document has at most one violation of each rule, each in another place: linting one for each violation is slow.
const combined = Array.from({ length: Math.max(...bundleCases.map(({ index }) => index)) + 1 }, (_, document) =>
  bundleCases.filter(({ index }) => index === document),
);
const documents = [...combined, ...fileCases.map((one) => [one])];

function changeBundle(document, changes) {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const byId = Object.fromEntries(operations.map((operation) => [operation.operationId, operation]));
  for (const change of changes) change({ document, paths: document.paths, operations: byId, ...document.components });
}

async function changeFiles(folder, { copy, edit: [file, before, after] }) {
  if (copy) await cp(join(folder, copy[0]), join(folder, copy[1]));
  const text = await readFile(join(folder, file), 'utf8');
  await writeFile(join(folder, file), text.replace(before, after));
}

/** Splits a bundle into files like those of `spec/`: the rules are for files. */
function layOut({ paths, components: { securitySchemes, ...components }, ...rest }) {
  const file = (path) => path.slice(1).replaceAll('/', '_');
  const refs = Object.keys(paths).map((path) => [path, { $ref: `paths/${file(path)}.yaml` }]);
  const items = Object.entries(paths).map(([path, item]) => [file(path), item]);
  const text = (value) => JSON.stringify(value).replaceAll(/"#\/components\/(\w+\/[^"]+)"/g, '"../$1.yaml"');
  const folders = Object.entries({ ...components, paths: Object.fromEntries(items) });
  return {
    root: text({ ...rest, paths: Object.fromEntries(refs), components: { securitySchemes } }),
    folders: folders.map(([kind, named]) => [kind, Object.entries(named).map(([name, value]) => [name, text(value)])]),
  };
}

async function write(folder, { root, folders }) {
  await mkdir(folder);
  await writeFile(join(folder, 'openapi.yaml'), root);
  for (const [kind, files] of folders) {
    await mkdir(join(folder, kind));
    await Promise.all(files.map(([name, text]) => writeFile(join(folder, kind, `${name}.yaml`), text)));
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

  const roots = [];
  for (const [index, cases] of documents.entries()) {
    const document = JSON.parse(json);
    const changes = cases.map(({ change }) => change);
    changeBundle(
      document,
      changes.filter((one) => typeof one === 'function'),
    );
    const folder = join(temp, String(index));
    await write(folder, layOut(document));
    for (const change of changes.filter((one) => typeof one !== 'function')) await changeFiles(folder, change);
    roots.push(join(folder, 'openapi.yaml'));
  }
  const output = await redocly('lint', '--format=json', 'openapi.yaml', ...roots);
  results = JSON.parse(`[${output.replaceAll('\n}{\n', '\n},{\n')}]`).map(({ problems }) => problems);
});

afterAll(() => rm(temp, { recursive: true }));

test('the rules find no problem in the contract', () => {
  expect(results[0]).toEqual([]);
});

test.each(documents.flatMap((cases, index) => cases.map((one) => ({ ...one, index }))))(
  '$rule reports $violation',
  ({ rule, index }) => expect(results[index + 1].map(({ ruleId }) => ruleId)).toContain(rule),
);

test.each(documents.entries().toArray())('no other rule finds a problem in document %i', (index, cases) => {
  const found = new Set(results[index + 1].map(({ ruleId }) => ruleId));
  found.delete('no-unresolved-refs'); // the URL of waybill/local-refs does not exist
  expect([...found].sort()).toEqual(cases.map(({ rule }) => rule).sort());
});

test('every rule of Waybill has a violation', async () => {
  const config = await readFile(join(spec, 'redocly.yaml'), 'utf8');
  const rules = [...Object.keys(waybill().configs.all.oas3_1Rules), ...(config.match(/\brule\/[a-z-]+/g) ?? [])];
  expect(rules.filter((rule) => !(rule in violations) && !(rule in fileViolations))).toEqual([]);
});

test('the bundle has no shorthand and every response has the common headers', () => {
  const { paths, components } = JSON.parse(json);
  expect(json).not.toContain('"allOf"');
  const items = Object.values(paths);
  expect(items.filter(({ parameters }) => parameters)).toEqual([]);
  const responses = items.flatMap((item) => Object.values(item)).flatMap(({ responses }) => Object.entries(responses));
  for (const [status, response] of responses) {
    const { headers } = response.$ref ? components.responses[response.$ref.split('/').at(-1)] : response;
    const isBelow500 = Number(status) < 500;
    expect(headers).toHaveProperty('X-Request-Id');
    expect('RateLimit' in headers).toBe(isBelow500);
    expect('RateLimit-Policy' in headers).toBe(isBelow500);
  }
});

test('README.md has a table of exactly the specification extensions in use', async () => {
  const used = new Set();
  for await (const file of glob('**/*.yaml', { cwd: spec, exclude: ['node_modules'] })) {
    const text = await readFile(join(spec, file), 'utf8');
    for (const [, name] of text.matchAll(/(?:^|[\s{,])(x-[A-Za-z-]+):/gm)) used.add(name);
  }
  const readme = await readFile(join(spec, 'README.md'), 'utf8');
  const documented = [...readme.matchAll(/^\| `(x-[A-Za-z-]+)` +\|/gm)].map(([, name]) => name);
  expect(documented.toSorted()).toEqual([...used].sort());
});
