import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { checkPackage, createPackageFromTarballData, type Package } from '@arethetypeswrong/core';
import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { build, transform } from 'esbuild';
import { publint } from 'publint';
import { beforeAll, expect } from 'vitest';
import { png } from '../fixtures/images.ts';
import { isLong } from '../fixtures/long-form.ts';
import { chromiumMissing, hasChromium, testInBrowser } from '../fixtures/programs/chromium.ts';
import { pnpm } from '../fixtures/programs/pnpm.ts';
import { test } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';

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

const tsc = (file: string, settings = '', version = 'typescript'): Promise<string> =>
  execute(folder, process.execPath, own(`node_modules/${version}/bin/tsc`), ...(settings.match(/\S+/g) ?? []), file);

/**
 * A program that creates a shipment, uploads a file and handles an error. It is JavaScript and strict TypeScript, and prints
 * `scheduled not_found`.
 */
const programOf = (type: 'module' | 'commonjs', baseUrl: string, apiKey: string): string => `
  ${type === 'module' ? "import { createClient, WaybillError } from '@waybill/client'" : "const { createClient, WaybillError } = require('@waybill/client')"};
  const client = createClient({ ...${JSON.stringify({ baseUrl, apiKey })}, dangerouslyAllowBrowser: true });
  const place = { address: '9 Quarry Road', city: 'Tacoma', state: 'WA', zip: '98402' };
  const pickup_window = { start: new Date(Date.UTC(2026, 2, 2)), end: new Date(Date.UTC(2026, 2, 3)) };
  async function main() {
    const request = { origin: place, destination: place, pickup_window };
    const { tracking_number } = await client.createShipment({ type: 'freight', ...request });
    const bytes = atob('${Buffer.from(png()).toString('base64')}');
    const signature = Uint8Array.from(bytes, (byte) => byte.charCodeAt(0));
    await client.uploadProof({ tracking_number, signature });
    const { status } = await client.trackUntil({ tracking_number, status: 'scheduled' });
    const error = await client.getTracking({ tracking_number: 'FRT-2000-000001' }).catch((error) => error);
    if (!(error instanceof WaybillError)) throw error;
    console.log(status, error.code);
  }
  main();
`;

test('the package has the version of the contract, the licence, the texts and one dependency, and is well-formed', async () => {
  const manifest = JSON.parse(await readFile(installed('package.json'), 'utf8'));
  expect(manifest).toMatchObject({ version: contract.info.version, license: 'MIT' });
  expect(manifest).not.toHaveProperty('private');
  expect(manifest.dependencies).toEqual({ 'openapi-fetch': '0.17.0' });
  const files = await readdir(installed());
  expect(files).toEqual(expect.arrayContaining(['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'src']));
  expect(await readFile(installed('LICENSE'), 'utf8')).toBe(await readFile(own('../LICENSE'), 'utf8'));
  const map = JSON.parse(await readFile(installed('dist/index.js.map'), 'utf8'));
  expect(map.sources).toContain('../src/client.ts');
  expect((await publint({ pkgDir: installed(), strict: true })).messages).toEqual([]);
  const analysis = await checkPackage(packed);
  const problems = 'problems' in analysis ? analysis.problems : ['no types'];
  // Node 10 does not read `exports`: TypeScript finds the types of a subpath, and such a Node not its code.
  expect(problems.filter((problem) => !JSON.stringify(problem).includes('"node10"'))).toEqual([]);
});

test.runIf(isLong)(
  'every entry compiles with TypeScript 5.0 and --moduleResolution node10, and a program as both kinds of module',
  async () => {
    const program = `import { createClient, type Shipment } from '@waybill/client';
    import { handlers } from '@waybill/client/msw';
    import { verifyWebhook, type WaybillEvent } from '@waybill/client/webhooks';
    export const shipment: Promise<Shipment> = createClient({ apiKey: null }).getShipment({ shipment_id: 'ship_1' });
    export const event: Promise<WaybillEvent> = verifyWebhook('', {}, '');
    // @ts-expect-error the option does not exist: the types are not any
    export const made = handlers({ base: '' });
  `;
    await writeFile(join(folder, 'node10.ts'), program);
    const settings = '--strict --noEmit --target es2022';
    const node10 = `${settings} --skipLibCheck --module commonjs --moduleResolution node`;
    await tsc('node10.ts', node10, 'typescript-oldest'); // as of ts-jest and Nest
    // arethetypeswrong resolves the types as every other --moduleResolution does.
    for (const file of ['program.mts', 'program.cts']) {
      await writeFile(join(folder, file), programOf('module', '', ''));
      await tsc(file, `${settings} --types node --typeRoots ${own('node_modules/@types')} --module nodenext`);
    }
  },
);

test('a program runs as a module and as CommonJS', async ({ service, account }) => {
  for (const type of ['module', 'commonjs'] as const) {
    const file = `program.${type === 'module' ? 'mjs' : 'cjs'}`;
    await writeFile(join(folder, file), programOf(type, service.baseUrl, account.key));
    expect(await execute(folder, process.execPath, file), type).toBe('scheduled not_found\n');
  }
});

test.runIf(isLong)(
  'the program of the quickstart runs on every Node, and from tsc and tsx',
  async ({ service, account }) => {
    const user = await mkdtemp(join(folder, 'quickstart-'));
    await writeFile(join(user, 'package.json'), '{}');
    const program = await readFile(own('../packages/docs/samples/quickstart/first.ts'), 'utf8');
    for (const name of ['first.mjs', 'first.ts']) await writeFile(join(user, name), program);
    const env = { WAYBILL_URL: service.baseUrl, WAYBILL_API_KEY: account.key };
    const runs = async (file: string, node = process.execPath) => {
      const { stdout } = await promisify(execFile)(node, [file], { cwd: user, env });
      expect(stdout, node).toMatch(/^FRT-\d{4}-\d{6} is scheduled\n$/);
    };
    const folders = (process.env.PATH ?? '').split(delimiter).map((each) => join(each, 'node'));
    const found = await Promise.all([process.execPath, ...folders].map((each) => realpath(each).catch(() => [])));
    for (const node of new Set(found.flat())) await runs('first.mjs', node);
    // TypeScript 5 with the settings of its `tsc --init`, and 7 without settings.
    const init = '--target es2016 --module commonjs --esModuleInterop --strict --skipLibCheck';
    await tsc(join(user, 'first.ts'), init, 'typescript-api');
    await runs('first.js');
    await tsc(join(user, 'first.ts'));
    await runs('first.js');
    // As tsx does without a "type" in package.json.
    await writeFile(join(user, 'first.js'), (await transform(program, { loader: 'ts', format: 'cjs' })).code);
    await runs('first.js');
    for (const { pickup_window } of (await account.client.listShipments()).data)
      expect(Date.parse(pickup_window.start)).toBeGreaterThan(Date.now());
  },
);

/** The minified bundle of a module for browsers. */
async function bundle(contents: string): Promise<string> {
  const options = { bundle: true, minify: true, platform: 'browser', format: 'esm', write: false } as const;
  const { outputFiles } = await build({ ...options, absWorkingDir: folder, stdin: { contents, resolveDir: folder } });
  return outputFiles[0]?.text ?? '';
}

test.for([
  ['@waybill/client', 10_500],
  ['@waybill/client/webhooks', 1_500],
] as const)('%s has at most %i bytes, minified and compressed', async ([entry, most]) => {
  const code = await bundle(`export * from '${entry}';`);
  expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(most);
});

testInBrowser.skipIf(!hasChromium)(
  `a program runs in a browser${chromiumMissing}`,
  async ({ service, account, browser }) => {
    const page = await browser.newPage();
    const url = `${service.origin}/empty-page`;
    await page.route(url, (route) => route.fulfill({ contentType: 'text/html', body: '<p>' }));
    await page.goto(url);
    const output = page.waitForEvent('console', { predicate: (message) => message.type() === 'log', ...waitTimeout });
    const content = await bundle(programOf('module', service.baseUrl, account.key));
    await page.addScriptTag({ type: 'module', content });
    expect((await output).text()).toBe('scheduled not_found');
    await page.close();
  },
);
