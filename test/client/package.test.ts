import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { checkPackage, createPackageFromTarballData, type Package } from '@arethetypeswrong/core';
import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { operationTable } from '@waybill/contract/operations';
import { build, transform } from 'esbuild';
import { publint } from 'publint';
import ts from 'typescript-api';
import { beforeAll, describe, expect } from 'vitest';
import { chromiumMissing, hasChromium, launchChromium } from '../fixtures/chromium.ts';
import { pnpm } from '../fixtures/pnpm.ts';
import { newAccount, test } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { tutorial } from './tutorial.ts';

const source = new URL('../../packages/client/', import.meta.url);
const own = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Runs a command with this Node. The error of a failed one contains its output. */
async function execute(cwd: string | URL, file: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) };
  const ended = promisify(execFile)(file, args, { cwd, env, shell: process.platform === 'win32' });
  const { stdout } = await ended.catch((error) => Promise.reject(new Error(`${error.message}${error.stdout}`)));
  return stdout;
}

/** A user's folder, in which npm has installed the package. */
let folder: string;
let packed: Package;

beforeAll(async () => {
  const parent = await mkdtemp(join(tmpdir(), 'waybill-client-'));
  const pack = async (from: string | URL, ...command: string[]): Promise<string> => {
    const destination = await mkdtemp(join(parent, 'packed-'));
    const [file = '', ...args] = command;
    await execute(from, file, ...args, '--pack-destination', destination);
    return join(destination, (await readdir(destination))[0] ?? '');
  };
  // pnpm writes the versions of the catalog into the tarball. The tests run after the build.
  const tarball = await pack(source, ...pnpm, '--config.ignore-scripts=true', 'pack');
  packed = createPackageFromTarballData(await readFile(tarball));
  // Without a registry, npm takes the dependencies from the tarballs beside it.
  const library = await realpath(fileURLToPath(new URL('node_modules/openapi-fetch', source)));
  const libraries = [library, join(library, '../openapi-typescript-helpers')];
  const dependencies = await Promise.all(libraries.map((from) => pack(from, 'npm', 'pack', '--ignore-scripts')));
  folder = join(parent, 'user');
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await execute(folder, 'npm', 'install', '--offline', '--no-audit', '--no-fund', tarball, ...dependencies);
  return () => rm(parent, { recursive: true });
});

const installed = (...path: string[]): string => join(folder, 'node_modules/@waybill/client', ...path);

test('the package has the version of the contract, the licence, the texts and one dependency', async () => {
  const manifest = JSON.parse(await readFile(installed('package.json'), 'utf8'));
  const url = 'https://github.com/waybill-freight/waybill';
  expect(manifest).toMatchObject({ version: contract.info.version, license: 'MIT', bugs: `${url}/issues` });
  expect(manifest.repository.url).toBe(`git+${url}.git`);
  expect(manifest).not.toHaveProperty('private');
  expect(manifest.dependencies).toEqual({ 'openapi-fetch': '0.17.0' });
  const files = await readdir(installed());
  expect(files).toEqual(expect.arrayContaining(['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'src']));
  expect(await readFile(installed('LICENSE'), 'utf8')).toBe(await readFile(own('../LICENSE'), 'utf8'));
  const map = JSON.parse(await readFile(installed('dist/index.js.map'), 'utf8'));
  expect(map.sources).toContain('../src/client.ts');
});

test('the package has no error of publint or arethetypeswrong', async () => {
  expect((await publint({ pkgDir: installed(), strict: true })).messages).toEqual([]);
  const analysis = await checkPackage(packed);
  const problems = 'problems' in analysis ? analysis.problems : ['no types'];
  // Node 10 does not read `exports`: TypeScript finds the types of a subpath, and such a Node not its code.
  const isNode10 = (problem: (typeof problems)[number]) => JSON.stringify(problem).includes('"node10"');
  expect(problems.filter((problem) => !isNode10(problem))).toEqual([]);
});

test('every entry compiles with TypeScript 5.0 and --moduleResolution node10, as of ts-jest and Nest', async () => {
  const program = `import { createClient, type Shipment } from '@waybill/client';
    import { handlers } from '@waybill/client/msw';
    import { verifyWebhook, type WaybillEvent } from '@waybill/client/webhooks';
    export const shipment: Promise<Shipment> = createClient({ apiKey: null }).getShipment({ shipment_id: 'ship_1' });
    export const event: Promise<WaybillEvent> = verifyWebhook('', {}, '');
    // @ts-expect-error the option does not exist: the types are not any
    export const made = handlers({ base: '' });
  `;
  await writeFile(join(folder, 'node10.ts'), program);
  const settings = ['--strict', '--noEmit', '--skipLibCheck', '--target', 'es2022', '--module', 'commonjs'];
  const tsc = own('node_modules/typescript-oldest/bin/tsc');
  await execute(folder, process.execPath, tsc, ...settings, '--moduleResolution', 'node', 'node10.ts');
});

test('the tutorial runs as a module and as CommonJS', async ({ service }) => {
  const account = await newAccount(service);
  for (const type of ['module', 'commonjs'] as const) {
    const file = `tutorial.${type === 'module' ? 'mjs' : 'cjs'}`;
    await writeFile(join(folder, file), tutorial(type, service.baseUrl, account.key));
    expect(await execute(folder, process.execPath, file), type).toBe('delivered not_found\n');
  }
});

test('the program of the quickstart runs on every Node of the machine as first.mjs, and as first.ts of tsc and tsx', async ({
  service,
}) => {
  const account = await newAccount(service);
  const env = { WAYBILL_URL: service.baseUrl, WAYBILL_API_KEY: account.key };
  const runs = (node: string, file: string) => promisify(execFile)(node, [file], { cwd: user, env });
  const user = await mkdtemp(join(folder, 'quickstart-'));
  await writeFile(join(user, 'package.json'), '{}');
  const program = await readFile(own('../packages/docs/samples/quickstart/first.ts'), 'utf8');
  for (const name of ['first.mjs', 'first.ts']) await writeFile(join(user, name), program);

  const folders = (process.env.PATH ?? '').split(delimiter).map((each) => join(each, 'node'));
  const found = await Promise.all([process.execPath, ...folders].map((each) => realpath(each).catch(() => [])));
  for (const node of new Set(found.flat())) {
    const { stdout } = await runs(node, 'first.mjs');
    expect(stdout, node).toMatch(/^FRT-\d{4}-\d{6} is scheduled\n$/);
  }
  // TypeScript 7 without settings, and 5 with those of its `tsc --init`.
  const init = ['--target', 'es2016', '--module', 'commonjs', '--esModuleInterop', '--strict', '--skipLibCheck'];
  for (const [version, settings] of [
    ['typescript', []],
    ['typescript-api', init],
  ] as const) {
    const tsc = own(`node_modules/${version}/bin/tsc`);
    await execute(user, process.execPath, tsc, ...settings, 'first.ts');
    expect((await runs(process.execPath, 'first.js')).stdout, version).toContain('is scheduled');
  }
  // As tsx does without a "type" in package.json.
  const { code } = await transform(program, { loader: 'ts', format: 'cjs' });
  await writeFile(join(user, 'first.js'), code);
  expect((await runs(process.execPath, 'first.js')).stdout).toContain('is scheduled');
  const { data } = await account.client.listShipments();
  expect(data.length).toBeGreaterThan(3);
  for (const { pickup_window } of data) expect(Date.parse(pickup_window.start)).toBeGreaterThan(Date.now());
});

// arethetypeswrong resolves the types as every other --moduleResolution does.
test('the tutorial compiles with --strict as a module and as CommonJS', async () => {
  const files = ['tutorial.mts', 'tutorial.cts'];
  const text = tutorial('module', 'http://localhost:3000/v1', 'wbk_a_b');
  for (const file of files) await writeFile(join(folder, file), text);
  const types = own('node_modules/@types');
  const args = ['--strict', '--noEmit', '--target', 'es2022', '--types', 'node', '--typeRoots', types];
  const tsc = own('node_modules/typescript/bin/tsc');
  await execute(folder, process.execPath, tsc, ...args, '--module', 'nodenext', ...files);
});

/** The minified bundle of a module for browsers. */
async function bundle(contents: string): Promise<string> {
  const options = { bundle: true, minify: true, platform: 'browser', format: 'esm', write: false } as const;
  const { outputFiles } = await build({ ...options, absWorkingDir: folder, stdin: { contents, resolveDir: folder } });
  return outputFiles[0]?.text ?? '';
}

test.for([
  ['@waybill/client', 10_000],
  ['@waybill/client/webhooks', 1_500],
] as const)('%s has at most %i bytes, minified and compressed', async ([entry, most]) => {
  const code = await bundle(`export * from '${entry}';`);
  expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(most);
});

test.skipIf(!hasChromium)(`the tutorial runs in a browser${chromiumMissing}`, async ({ service, account }) => {
  await using stack = new AsyncDisposableStack();
  const browser = await launchChromium();
  stack.defer(() => browser.close());
  const page = await browser.newPage();
  const url = `${service.origin}/empty-page`;
  await page.route(url, (route) => route.fulfill({ contentType: 'text/html', body: '<p>' }));
  await page.goto(url);
  const output = page.waitForEvent('console', { predicate: (message) => message.type() === 'log', ...waitTimeout });
  const content = await bundle(tutorial('module', service.baseUrl, account.key));
  await page.addScriptTag({ type: 'module', content });
  expect((await output).text()).toBe('delivered not_found');
});

describe('in an editor', () => {
  test('every exported type and every member of it has documentation', () => {
    const file = join(folder, 'editor.mts');
    const program = languageService(file, "import * as client from '@waybill/client';").getProgram();
    const checker = program?.getTypeChecker();
    const declarations = program?.getSourceFile(installed('dist/index.d.ts'));
    if (!checker || !declarations) throw new Error('The package has no declarations.');
    const module = checker.getSymbolAtLocation(declarations);
    if (!module) throw new Error('The declarations are no module.');
    const missing: string[] = [];
    let seen = 0;
    const check = (symbol: ts.Symbol, name: string) => {
      seen++;
      if (symbol.getDocumentationComment(checker).length === 0) missing.push(name);
    };
    for (const exported of checker.getExportsOfModule(module)) {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      check(symbol, symbol.name);
      if (symbol.name === 'paths') continue; // its members have those of `operations`
      const type = checker.getDeclaredTypeOfSymbol(symbol);
      for (const member of type.flags & ts.TypeFlags.Object ? type.getProperties() : []) {
        const isOwn = member.declarations?.some((node) => node.getSourceFile().fileName.includes('@waybill/client'));
        if (isOwn && !/^(name|.*#private)$/.test(member.name)) check(member, `${symbol.name}.${member.name}`);
      }
    }
    expect(seen).toBeGreaterThan(300);
    expect(missing).toEqual([]);
  });

  test('every method has an example that compiles', () => {
    const file = join(folder, 'editor.mts');
    const head = "import { createClient } from '@waybill/client';\nconst client = createClient();\n";
    const methods = languageService(file, `${head}client.`)
      .getCompletionsAtPosition(file, head.length + 'client.'.length, {})
      ?.entries.map(({ name }) => name);
    expect(methods).toEqual(
      expect.arrayContaining([...Object.keys(operationTable), 'followEvents', 'trackUntil', 'uploadProof']),
    );
    const uses = (methods ?? []).map((name) => `client.${name};\n`);
    const all = languageService(file, head + uses.join(''));
    const examples = (methods ?? []).map((name, index) => {
      const start = head.length + uses.slice(0, index).join('').length;
      const tags = all.getQuickInfoAtPosition(file, start + 'client.'.length)?.tags;
      const example = tags?.find((tag) => tag.name === 'example');
      expect(example, name).toBeDefined();
      return ts.displayPartsToString(example?.text);
    });
    const values =
      "const tracking_number = 'FRT-2026-000142';\nconst bytes = new Uint8Array();\nconst file = new Blob([]);\n";
    const service = languageService(file, head + values + examples.map((example) => `{ ${example} }`).join('\n'));
    const errors = [...service.getSyntacticDiagnostics(file), ...service.getSemanticDiagnostics(file)];
    expect(errors.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
  });
});

/** Keeps parsed libraries for all language services. */
const registry = ts.createDocumentRegistry();

function languageService(file: string, text: string): ts.LanguageService {
  const options: ts.CompilerOptions = {
    strict: true,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
    module: ts.ModuleKind.NodeNext,
  };
  const { readFile, fileExists, directoryExists } = ts.sys;
  const host: ts.LanguageServiceHost = {
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: (name) => (name === file ? text : ''),
    getScriptSnapshot: (name) => {
      const content = name === file ? text : readFile(name);
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
    getCurrentDirectory: () => dirname(file),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    readFile,
    fileExists: (name) => name === file || fileExists(name),
    directoryExists,
  };
  return ts.createLanguageService(host, registry);
}
