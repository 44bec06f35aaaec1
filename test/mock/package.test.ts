import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createClient } from '@waybill/client';
import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { expect, onTestFinished, test } from 'vitest';
import { startProgram } from '../fixtures/process.ts';

const execute = promisify(execFile);
const packageDir = dirname(dirname(fileURLToPath(import.meta.resolve('@waybill/mock'))));

test('the tarball of the mock runs in an empty folder and its pagination ends', { timeout: 120_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-mock-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const npm = (cwd: string, ...args: string[]) =>
    execute('npm', [...args, '--offline', '--no-audit', '--no-fund', '--cache', join(folder, 'cache')], { cwd });

  // The tests run after the build. Another one would change files that other tests read.
  const { stdout } = await npm(packageDir, 'pack', '--ignore-scripts', '--json', '--pack-destination', folder);
  const [{ filename, version, files }] = JSON.parse(stdout.slice(stdout.indexOf('[')));
  expect(version).toBe(contract.info.version);
  const paths = (files as { path: string }[]).map(({ path }) => path);
  expect(paths, 'pnpm --filter @waybill/mock build').toEqual(
    expect.arrayContaining(['LICENSE', 'README.md', 'dist/LICENSES.txt', 'dist/main.js']),
  );

  await writeFile(join(folder, 'package.json'), '{}');
  await npm(folder, 'install', join(folder, filename));
  const installed = await readdir(join(folder, 'node_modules'));
  expect(installed.filter((name) => !name.startsWith('.'))).toEqual(['@waybill']);
  const { stdout: usage } = await execute('npx', ['--offline', 'waybill-mock', '--help'], { cwd: folder });
  expect(usage).toMatch(/^Usage: waybill-mock /);

  const command = pathToFileURL(join(folder, 'node_modules/.bin/waybill-mock'));
  await using mock = startProgram(command, ['--port', '0', '--quiet']);
  const [baseUrl] = await mock.waitForOutput(/http:\S+/);
  const numbers: string[] = [];
  for await (const shipment of createClient({ baseUrl, apiKey: 'wbk_mock' }).listShipments())
    numbers.push(shipment.tracking_number);
  expect(numbers).toEqual(['FRT-2026-000142', 'FRT-2026-000141']);

  const script =
    "const mock = await (await import('@waybill/mock')).startMock(); console.log(mock.url); await mock.close();";
  const module = await execute(process.execPath, ['--input-type=module', '-e', script], { cwd: folder });
  expect(module.stdout).toMatch(/^http:.*\/v1$/m);
});
