import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defects, fileDefects } from './defects.js';
import house from './plugin.js';

const spec = fileURLToPath(new URL('..', import.meta.url));
const redocly = (...args) =>
  new Promise((resolve) => {
    const cli = join(spec, 'node_modules/@redocly/cli/bin/cli.js');
    execFile(process.execPath, [cli, ...args], { cwd: spec, maxBuffer: 2 ** 26 }, (_, stdout) => resolve(stdout));
  });

const cases = (table) =>
  Object.entries(table).flatMap(([rule, plants]) =>
    Object.entries(plants).map(([what, plant]) => ({ rule, what, plant })),
  );
const planted = [...cases(defects), ...cases(fileDefects)];

function plantInBundle(document, plant) {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const byId = Object.fromEntries(operations.map((operation) => [operation.operationId, operation]));
  plant({ document, paths: document.paths, operations: byId, ...document.components });
}

async function plantInFiles(folder, { copy: [from, to], edit: [file, before, after] }) {
  await cp(join(folder, from), join(folder, to));
  const text = await readFile(join(folder, file), 'utf8');
  await writeFile(join(folder, file), text.replace(before, after));
}

/** A bundle laid out as `spec/` is, because the rules must find in files what is planted in a bundle. */
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

/** Folders that are the same in `base` become links to it: thousands of files are slow to write. */
async function write(folder, { root, folders }, base) {
  await mkdir(folder);
  await writeFile(join(folder, 'openapi.yaml'), root);
  for (const [index, [kind, files]] of folders.entries()) {
    if (isDeepStrictEqual(base?.folders[index], folders[index])) {
      await symlink(join(base.folder, kind), join(folder, kind));
      continue;
    }
    await mkdir(join(folder, kind));
    await Promise.all(files.map(([name, text]) => writeFile(join(folder, kind, `${name}.yaml`), text)));
  }
  return { folder, folders };
}

let temp;
let results; // what the rules say about the contract, then about each planted defect

// One run over all documents, because starting Redocly takes longer than linting.
beforeAll(async () => {
  temp = await mkdtemp(join(tmpdir(), 'waybill-rules-'));
  const bundle = join(temp, 'openapi.json');
  await redocly('bundle', 'waybill', '--output', bundle);
  const json = await readFile(bundle, 'utf8');

  const sound = await write(join(temp, 'sound'), layOut(JSON.parse(json)));
  for (const [index, { plant }] of planted.entries()) {
    const document = JSON.parse(json);
    const folder = join(temp, String(index));
    if (typeof plant === 'function') {
      plantInBundle(document, plant);
      await write(folder, layOut(document), sound);
    } else {
      await write(folder, layOut(document));
      await plantInFiles(folder, plant);
    }
  }
  const roots = planted.map((_, index) => join(temp, String(index), 'openapi.yaml'));
  const output = await redocly('lint', '--format=json', 'openapi.yaml', ...roots);
  results = JSON.parse(`[${output.replaceAll('\n}{\n', '\n},{\n')}]`).map(({ problems }) => problems);
});

afterAll(() => rm(temp, { recursive: true }));

test('the contract breaks no rule', () => {
  expect(results[0]).toEqual([]);
});

test.each(planted.map((defect, index) => ({ ...defect, index })))('$rule finds $what', ({ rule, index }) => {
  const found = new Set(results[index + 1].map(({ ruleId }) => ruleId));
  if (rule === 'house/local-refs') found.delete('no-unresolved-refs'); // there is no network behind the address
  expect([...found]).toEqual([rule]);
});

test('every house rule has a defect that it finds', async () => {
  const config = await readFile(join(spec, 'redocly.yaml'), 'utf8');
  const rules = [...Object.keys(house().configs.all.oas3_1Rules), ...(config.match(/\brule\/[a-z-]+/g) ?? [])];
  expect(rules.filter((rule) => !(rule in defects))).toEqual([]);
});
