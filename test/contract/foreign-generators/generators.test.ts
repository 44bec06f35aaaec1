import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createClient } from '@hey-api/openapi-ts';
import { linePattern } from '@waybill/contract/limits';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, expect } from 'vitest';
import { operationIds } from '../../fixtures/contract/contract.ts';
import { png } from '../../fixtures/images.ts';
import { isLong } from '../../fixtures/long-form.ts';
import { sha256 } from '../../fixtures/requests/valid-requests.ts';
import { test } from '../../fixtures/test.ts';

const input = fileURLToPath(import.meta.resolve('@waybill/contract/openapi.json'));
const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const language = { strict: true, module: 'nodenext', target: 'es2022', lib: ['es2024', 'dom', 'dom.iterable'] };
const compilerOptions = { ...language, types: [], outDir: 'built', noEmitOnError: true, skipLibCheck: true };

let folder: string;
let compilerOutput: string;
const file = (name: string): string => join(folder, name);
const load = (name: string) => import(pathToFileURL(file(`built/${name}`)).href);

async function generateCommon(): Promise<void> {
  const output = { path: file('hey-api'), module: { extension: '.js' as const } };
  const plugins = ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'] as const;
  await createClient({ input, output, plugins: [...plugins], logs: { level: 'silent' } });
  await copyFile(here('hey-api-workflow.ts'), file('hey-api-workflow.ts'));
  await writeFile(file('openapi-typescript.ts'), astToString(await openapiTypescript(pathToFileURL(input))));
}

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
  expect(await runWorkflow(service.baseUrl, account.key, png(), sha256(png()))).toMatchObject({
    status: 'scheduled',
    problem: { code: 'invalid_transition', status: 409, current_status: 'scheduled' },
    uploaded: 204,
    list: { data: [{ status: 'scheduled' }] },
  });
});

test('a pattern that a generator uses without the flag u refuses no text that the contract allows', () => {
  const valid = ['Owen Castillo', 'MC', 'p', 'C', '10001', '张伟', 'José', 'نص', '👷', '-'];
  expect(valid.filter((text) => !new RegExp(linePattern).test(text))).toEqual([]);
});
