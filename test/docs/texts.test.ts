import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Mock } from '@waybill/mock';
import { expect, onTestFinished } from 'vitest';
import { png } from '../fixtures/images.ts';
import { disposableMock } from '../fixtures/mock.ts';
import { shipmentIn } from '../fixtures/shipments.ts';
import { test as base, perFile } from '../fixtures/test.ts';
import { runTypeScript } from '../fixtures/typescript.ts';
import { blocks, read } from './blocks.ts';

const test = base.extend<{ $file: { mock: Mock } }>({ mock: perFile(() => disposableMock()) });

const curlCalls = blocks.filter(({ language, code }) => language === 'sh' && code.includes('curl '));

test.for(curlCalls)('the curl calls of $file:$line succeed', async ({ code }, { service, account, mock }) => {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-text-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  // As `start` writes it.
  const demo = JSON.stringify({ api_key: account.key, carrier_api_key: account.key }, null, 2);
  await mkdir(join(folder, '.waybill'));
  await writeFile(join(folder, '.waybill/demo.json'), `${demo}\n`);
  const own = code
    .replaceAll('http://localhost:3000', service.origin)
    .replaceAll('http://localhost:4010', new URL(mock.url).origin);
  const script = `curl() { command curl --fail-with-body "$@"; }\n${own}`;
  const env = { ...process.env, WAYBILL_API_KEY: account.key, WAYBILL_URL: service.baseUrl };
  const { stdout } = await promisify(execFile)('sh', ['-euc', script], { cwd: folder, env });
  if (code.includes('/events/stream')) expect(stdout).toMatch(/^retry: \d+\n\n$/);
  else expect(JSON.parse(stdout)).not.toHaveProperty('code');
  for (const { pickup_window } of (await account.client.listShipments()).data)
    expect(Date.parse(pickup_window.start)).toBeGreaterThan(Date.now());
});

/** The blocks of a text form one program. */
const programs = Object.values(
  Object.groupBy(
    blocks.filter(({ language }) => language === 'ts'),
    ({ file }) => file,
  ),
).map((parts = []) => parts.map(({ code }) => code).join('\n'));

const sources = Object.values(read('packages/client/src/*.ts')).join('\n');
const comments = [...sources.matchAll(/@example (.+)/g)].map(([, code]) => code);
programs.push(`import { createClient } from '@waybill/client';
  const client = createClient();
  const tracking_number = process.env.TRACKING_NUMBER ?? '';
  const file = Buffer.from('${Buffer.from(png()).toString('base64')}', 'base64');
  ${comments.join('\n')}`);

test("the TypeScript of the texts and of the client's comments compiles and runs", async ({
  service,
  account,
  mock,
}) => {
  expect(programs.length).toBeGreaterThan(2);
  expect(comments.length).toBeGreaterThan(0);
  const own = programs.map((code) => code.replaceAll('http://localhost:4010/v1', mock.url));
  const modules = Object.fromEntries(own.map((code, index) => [`program-${index}.ts`, code]));
  const main = Object.keys(modules).map((file) => `await import('./${file}');\n`);
  const { tracking_number } = await shipmentIn(account, 'in_transit');
  const env = { WAYBILL_URL: service.baseUrl, WAYBILL_API_KEY: account.key, TRACKING_NUMBER: tracking_number };
  const [ended] = await runTypeScript(`${main.join('')}export {};`, [env], modules);
  expect(ended).toMatchObject({ code: 0, stderr: '' });
});
