import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createClient } from '@hey-api/openapi-ts';
import { linePattern } from '@waybill/contract/limits';
import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import openapiTypescript, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, expect } from 'vitest';
import { contractOperations, operationIds } from '../../fixtures/contract.ts';
import { png } from '../../fixtures/images.ts';
import { isLong } from '../../fixtures/long-form.ts';
import { test } from '../../fixtures/test.ts';
import { examplesOf } from '../examples/requests.ts';

const input = fileURLToPath(import.meta.resolve('@waybill/contract/openapi.json'));
const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const language = { strict: true, module: 'nodenext', target: 'es2022', lib: ['es2024', 'dom', 'dom.iterable'] };
const compilerOptions = { ...language, types: [], outDir: 'built', noEmitOnError: true, skipLibCheck: true };

let folder: string;
let compilerOutput: string;
const file = (name: string): string => join(folder, name);
const load = (name: string) => import(pathToFileURL(file(`built/${name}`)).href);

/** The generators that integrators use most. */
async function generateCommon(): Promise<void> {
  const output = { path: file('hey-api'), module: { extension: '.js' as const } };
  const plugins = ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'] as const;
  await createClient({ input, output, plugins: [...plugins], logs: { level: 'silent' } });
  await copyFile(here('hey-api-workflow.ts'), file('hey-api-workflow.ts'));
  await writeFile(file('openapi-typescript.ts'), astToString(await openapiTypescript(pathToFileURL(input))));
}

/** The others, in the long form. */
async function generateOthers(): Promise<void> {
  const [{ generateSource }, { generate: orval }, { generateApi }] = await Promise.all([
    import('oazapfts'),
    import('orval'),
    import('swagger-typescript-api'),
  ]);
  await writeFile(file('oazapfts.ts'), await generateSource(input));
  await generateApi({ input, output: folder, fileName: 'swagger-typescript-api.ts', silent: true });
  for (const client of ['fetch', 'zod'] as const) {
    await orval({ input, output: { target: file(`orval-${client}.ts`), client } });
  }
}

// One compiler run for all generated clients.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybill-foreign-generators-'));
  await symlink(here('node_modules'), file('node_modules'), 'junction');
  await writeFile(file('package.json'), '{ "type": "module" }');
  await writeFile(file('tsconfig.json'), JSON.stringify({ compilerOptions }));
  await generateCommon();
  if (isLong) await generateOthers();
  const tsc = here('node_modules/typescript/bin/tsc');
  const run = promisify(execFile)(process.execPath, [tsc, '--project', folder]);
  compilerOutput = (await run.catch((error: { stdout: string }) => error)).stdout;
});

afterAll(() => rm(folder, { recursive: true }));

test('the generated clients compile under --strict, and have each type under the name of the contract', async () => {
  expect(compilerOutput).toBe('');
  const others = isLong ? ['oazapfts.ts', 'swagger-typescript-api.ts', 'orval-fetch.ts'] : [];
  for (const name of ['hey-api/types.gen.ts', ...others]) {
    const types = [...(await readFile(file(name), 'utf8')).matchAll(/export (?:type|interface) (\w+)/g)];
    const names = types.map(([, type = '']) => type);
    expect(names).toContain('ShipmentRequest');
    expect(names.filter((type) => names.includes(type.replace(/\d$/, '')) && /\d$/.test(type))).toEqual([]);
  }
});

test('the client of hey-api completes the workflow', async ({ service, account }) => {
  expect(Object.keys(await load('hey-api/sdk.gen.js')).sort()).toEqual([...operationIds].sort());
  const { runWorkflow } = await load('hey-api-workflow.js');
  const seen = await runWorkflow(service.baseUrl, account.key, png());
  expect(seen).toMatchObject({
    status: 'delivered',
    problem: { code: 'invalid_transition', status: 409, current_status: 'dispatched' },
    route: { data: [{ lat: 47.5301, address: null }, {}, {}], has_more: false },
    delivered: { signed_by: 'Owen Castillo', photos: [expect.stringContaining('/files/')] },
    list: { data: [{ id: seen.shipment.id, status: 'delivered' }] },
    bytes: png(),
  });
});

test.runIf(isLong)('orval sends files as blobs, and its schemas accept the examples and new fields', async () => {
  const client = await readFile(file('orval-fetch.ts'), 'utf8');
  expect(client).toMatch(/putProofFile = async \([^)]*: Blob/);
  expect(client).toMatch(/getProofFileResponse200ImagePng = \{\s+data: Blob/);
  const schemas = await load('orval-zod.js');
  for (const { id, body } of contractOperations) {
    const name = `${id.charAt(0).toUpperCase()}${id.slice(1)}`;
    if (body !== undefined) expect(schemas[`${name}Body`].safeParse(body).error).toBe(undefined);
    for (const value of Object.values(examplesOf(id))) {
      expect(schemas[`${name}Response`].safeParse({ ...value, unknown: 1 }).error).toBe(undefined);
    }
  }
});

test('a pattern that a generator uses without the flag u refuses no text that the contract allows', () => {
  const valid = ['Owen Castillo', 'MC', 'p', 'C', '10001', '张伟', 'José', 'نص', '👷', '-'];
  expect(valid.filter((text) => !new RegExp(linePattern).test(text))).toEqual([]);
});

/** The parts of the contract with their places, such as `/components/schemas/Event`. */
function partsOf(value: unknown, place = ''): [place: string, part: Record<string, unknown>][] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([name, part]) => partsOf(part, `${place}/${name}`));
  return [[place, value as Record<string, unknown>], ...inner];
}

test('generators get no form of a schema that they turn into invalid code or into too much memory', () => {
  const reserved = /\/(default|delete|enum|export|for|function|import|in|new|return|switch)$/;
  const bad = partsOf(contract).filter(
    ([place, { pattern, maxLength, enum: values }]) =>
      (typeof pattern === 'string' && pattern.includes('"')) || // ends the string of `fromRegExp("…")`
      Number(maxLength) > 16 * 1024 * 1024 || // they make an example of this length in memory
      (values !== undefined && reserved.test(place)), // `export enum in`
  );
  expect(bad).toEqual([]);
});
