import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createClient } from '@hey-api/openapi-ts';
import { expect, onTestFinished } from 'vitest';
import { operationIds } from '../fixtures/contract.ts';
import { png } from '../fixtures/images.ts';
import { test } from '../fixtures/test.ts';

const contract = fileURLToPath(import.meta.resolve('@waybill/contract/openapi.json'));
const tsc = fileURLToPath(new URL('../node_modules/.bin/tsc', import.meta.url));
const compilerOptions = {
  ...{ strict: true, module: 'nodenext', target: 'es2022', lib: ['es2024', 'dom', 'dom.iterable'] },
  ...{ types: [], outDir: 'built', noEmitOnError: true },
};

test('a client that hey-api makes from the contract compiles under --strict and completes the journey', async ({
  service,
  account,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-foreign-generators-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  await copyFile(new URL('workflow.ts', import.meta.url), join(folder, 'workflow.ts'));
  await createClient({
    input: contract,
    output: { path: join(folder, 'waybill'), module: { extension: '.js' } },
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
    logs: { level: 'silent' },
  });
  const { stdout } = await promisify(execFile)(tsc, ['--project', folder]).catch((error) => error);
  expect(stdout, 'what the compiler says').toBe('');

  const load = (file: string) => import(pathToFileURL(join(folder, 'built', file)).href);
  expect(Object.keys(await load('waybill/sdk.gen.js')).sort()).toEqual([...operationIds].sort());
  const { journey } = await load('workflow.js');
  const seen = await journey(
    {
      baseUrl: service.baseUrl,
      shipper: await account.keyWith(['shipments:read', 'shipments:write', 'tracking:read']),
      carrier: await account.keyWith(['tracking:read', 'tracking:write']),
    },
    png(),
  );
  expect(seen).toMatchObject({
    status: 'delivered',
    moved: { status: 'in_transit', current_location: { lat: 47.4929, address: null } },
    problem: { code: 'invalid_transition', status: 409, current_status: 'dispatched' },
    route: { data: [{ address: 'I-90 at Issaquah' }, { address: null }], has_more: false },
    delivered: { signed_by: 'Owen Castillo', photos: [expect.stringContaining('/files/')] },
    shipment: { status: 'delivered' },
    list: { data: [{ id: seen.shipment.id }] },
    bytes: png(),
  });
});
