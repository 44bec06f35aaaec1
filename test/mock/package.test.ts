import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createClient } from '@waybill/client';
import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { expect, onTestFinished, test } from 'vitest';
import { collect } from '../fixtures/collect.ts';
import { pnpm } from '../fixtures/pnpm.ts';
import { startProgram } from '../fixtures/process.ts';

const execute = promisify(execFile);
const packageDir = dirname(dirname(fileURLToPath(import.meta.resolve('@waybill/mock'))));

test('the tarball of the mock runs beside Prism and its pagination ends', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-mock-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  // pnpm writes the versions of the catalog. The tests run after the build: another one would change files they read.
  const [file = '', ...args] = [...pnpm, '--config.ignore-scripts=true', 'pack', '--pack-destination', folder];
  await execute(file, args, { cwd: packageDir });
  const [tarball = ''] = await readdir(folder);
  await execute('tar', ['-xzf', tarball], { cwd: folder });
  const modules = join(folder, 'node_modules');
  const installed = join(modules, '@waybill/mock');
  await mkdir(dirname(installed), { recursive: true });
  await rename(join(folder, 'package'), installed);
  // In place of an installation, which needs a registry.
  await symlink(join(packageDir, 'node_modules/@stoplight'), join(modules, '@stoplight'));
  await writeFile(join(folder, 'package.json'), '{}');

  const { version, bin, dependencies } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
  expect(version).toBe(contract.info.version);
  expect(dependencies).toEqual({ '@stoplight/prism-http': '5.16.0' });
  const files = await readdir(installed, { recursive: true });
  expect(files, 'pnpm --filter @waybill/mock build').toEqual(
    expect.arrayContaining(['LICENSE', 'README.md', 'dist/LICENSES.txt', 'dist/main.js']),
  );

  const command = pathToFileURL(join(installed, bin['waybill-mock']));
  await using mock = startProgram(command, ['--port', '0', '--quiet']);
  const [baseUrl] = await mock.waitForOutput(/http:\S+/);
  const shipments = await collect(createClient({ baseUrl, apiKey: 'wbk_mock' }).listShipments());
  expect(shipments.map(({ tracking_number }) => tracking_number)).toEqual(['FRT-2026-000142', 'FRT-2026-000141']);

  const script =
    "const mock = await (await import('@waybill/mock')).startMock(); console.log(mock.url); await mock.close();";
  const module = await execute(process.execPath, ['--input-type=module', '-e', script], { cwd: folder });
  expect(module.stdout).toMatch(/^http:.*\/v1$/m);
});
