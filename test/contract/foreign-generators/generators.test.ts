import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createClient } from '@hey-api/openapi-ts';
import { linePattern } from '@waybill/contract/limits';
import { generateSource } from 'oazapfts';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { generate as orval } from 'orval';
import { generateApi } from 'swagger-typescript-api';
import { afterAll, beforeAll, expect } from 'vitest';
import { contractOperations, operationIds } from '../../fixtures/contract.ts';
import { png } from '../../fixtures/images.ts';
import { test } from '../../fixtures/test.ts';

const contract = fileURLToPath(import.meta.resolve('@waybill/contract/openapi.json'));
const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const compilerOptions = {
  strict: true,
  module: 'nodenext',
  target: 'es2022',
  lib: ['es2024', 'dom', 'dom.iterable'],
  types: [],
  outDir: 'built',
  noEmitOnError: true,
  skipLibCheck: true,
};

let folder: string;
let compilerOutput: string;
const read = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');
const load = (name: string) => import(pathToFileURL(join(folder, 'built', name)).href);

// One compiler run for all generated clients.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybill-foreign-generators-'));
  await symlink(here('node_modules'), join(folder, 'node_modules'), 'junction');
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  for (const program of ['hey-api-workflow.ts', 'oazapfts-workflow.ts']) {
    await copyFile(here(program), join(folder, program));
  }
  await createClient({
    input: contract,
    output: { path: join(folder, 'hey-api'), module: { extension: '.js' } },
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
    logs: { level: 'silent' },
  });
  await writeFile(join(folder, 'oazapfts.ts'), await generateSource(contract));
  await writeFile(join(folder, 'openapi-typescript.ts'), astToString(await openapiTypescript(pathToFileURL(contract))));
  await generateApi({ input: contract, output: folder, fileName: 'swagger-typescript-api.ts', silent: true });
  for (const client of ['fetch', 'zod'] as const) {
    await orval({ input: contract, output: { target: join(folder, `orval-${client}.ts`), client } });
  }
  const tsc = here('node_modules/typescript/bin/tsc');
  const run = promisify(execFile)(process.execPath, [tsc, '--project', folder]);
  compilerOutput = (await run.catch((error: { stdout: string }) => error)).stdout;
});

afterAll(() => rm(folder, { recursive: true }));

test('the clients of all generators compile under --strict', () => {
  expect(compilerOutput).toBe('');
});

test('no generator renames a type because two have the same name', async () => {
  for (const name of ['hey-api/types.gen.ts', 'oazapfts.ts', 'swagger-typescript-api.ts', 'orval-fetch.ts']) {
    const types = [...(await read(name)).matchAll(/export (?:type|interface) (\w+)/g)].map(([, type = '']) => type);
    expect(types).toContain('ShipmentRequest');
    expect(types.filter((type) => types.includes(type.replace(/\d$/, '')) && /\d$/.test(type))).toEqual([]);
  }
});

test('the upload and the download of a file have a body in the client of orval', async () => {
  const client = await read('orval-fetch.ts');
  expect(client).toMatch(/putProofFile = async \([^)]*: Blob/);
  expect(client).toMatch(/getProofFileResponse200ImagePng = \{\s+data: Blob/);
});

test('the Zod schemas of orval accept the examples of the contract, and new fields in responses', async () => {
  const schemas = await load('orval-zod.js');
  const checked = [];
  for (const { id, body, responses } of contractOperations) {
    const name = `${id.charAt(0).toUpperCase()}${id.slice(1)}`;
    if (body !== undefined) {
      expect(schemas[`${name}Body`].safeParse(body).error).toBe(undefined);
    }
    const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
    for (const { value } of Object.values(success?.content?.['application/json']?.examples ?? {})) {
      expect(schemas[`${name}Response`].safeParse({ ...(value as object), unknown: 1 }).error).toBe(undefined);
      checked.push(id);
    }
  }
  expect(checked).toContain('getTracking');
});

test('the client of hey-api completes the workflow', async ({ service, account }) => {
  expect(Object.keys(await load('hey-api/sdk.gen.js')).sort()).toEqual([...operationIds].sort());
  const { runWorkflow } = await load('hey-api-workflow.js');
  const seen = await runWorkflow(service.baseUrl, account.key, png());
  expect(seen).toMatchObject({
    status: 'delivered',
    moved: { accepted: 1 },
    problem: { code: 'invalid_transition', status: 409, current_status: 'dispatched' },
    route: { data: [{ address: 'I-90 at Issaquah' }, { address: null }], has_more: false },
    delivered: { signed_by: 'Owen Castillo', photos: [expect.stringContaining('/files/')] },
    shipment: { status: 'delivered' },
    list: { data: [{ id: seen.shipment.id }] },
    events: { data: [{ type: 'shipment.created' }, { type: 'proof_of_delivery.submitted' }], has_more: false },
    bytes: png(),
  });
});

test('the client of oazapfts completes the workflow', async ({ service, account }) => {
  const { runWorkflow } = await load('oazapfts-workflow.js');
  expect(await runWorkflow(service.baseUrl, account.key, png())).toMatchObject({
    shipment: { status: 200, data: { status: 'delivered' } },
    problem: { status: 404, data: { code: 'not_found' } },
    bytes: png(),
  });
});

test('a Zod schema of orval, which ignores the flag u, refuses no text that the contract allows', () => {
  const text = new RegExp(linePattern);
  for (const valid of ['Owen Castillo', 'MC', 'p', 'C', '10001', '张伟', 'José', 'نص', '👷', '-'])
    expect(text.test(valid), valid).toBe(true);
});
