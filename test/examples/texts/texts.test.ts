import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startMock } from '@waybill/mock';
import { expect, onTestFinished } from 'vitest';
import { png } from '../../fixtures/images.ts';
import { shipmentIn } from '../../fixtures/shipments.ts';
import { test } from '../../fixtures/test.ts';
import { runTypeScript } from '../../fixtures/typescript.ts';
import { blocks, read } from './blocks.ts';

const curlCalls = blocks.filter(({ language, code }) => language === 'sh' && code.includes('curl '));

test.for(curlCalls)('the curl calls of $file:$line succeed', async ({ code }, { service, account }) => {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-text-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  // As `start` writes it.
  const demo = JSON.stringify({ api_key: account.key, carrier_api_key: account.key }, null, 2);
  await mkdir(join(folder, '.waybill'));
  await writeFile(join(folder, '.waybill/demo.json'), `${demo}\n`);
  const mock = await startMock();
  onTestFinished(() => mock.close());
  const own = code
    .replaceAll('http://localhost:3000', service.origin)
    .replaceAll('http://localhost:4010', new URL(mock.url).origin);
  const script = `curl() { command curl --fail-with-body "$@"; }\n${own}`;
  const env = { ...process.env, WAYBILL_API_KEY: account.key, WAYBILL_URL: service.baseUrl };
  const { stdout } = await promisify(execFile)('sh', ['-euc', script], { cwd: folder, env });
  if (code.includes('/events/stream')) expect(stdout).toMatch(/^retry: \d+\n\n$/);
  else expect(JSON.parse(stdout)).not.toHaveProperty('code');
});

/** The blocks of a text form one program. */
const programs = Object.entries(Object.groupBy(blocks, ({ language, file }) => (language === 'ts' ? file : '')))
  .filter(([file]) => file !== '')
  .map(([file, parts = []]) => ({ file, code: parts.map(({ code }) => code).join('\n') }));

const sources = Object.values(read('packages/client/src/*.ts')).join('\n');
const comments = [...sources.matchAll(/@example (.+)/g)].map(([, code]) => code);
programs.push({
  file: "the client's comments",
  code: `import { createClient } from '@waybill/client';
    const client = createClient();
    const tracking_number = process.env.TRACKING_NUMBER ?? '';
    const file = Buffer.from('${Buffer.from(png()).toString('base64')}', 'base64');
    ${comments.join('\n')}`,
});

test.for(programs)('the TypeScript of $file compiles and runs', async ({ code }, { service, account }) => {
  expect(comments.length).toBeGreaterThan(0);
  const mock = await startMock();
  onTestFinished(() => mock.close());
  const { tracking_number } = await shipmentIn(account, 'in_transit');
  const env = { WAYBILL_URL: service.baseUrl, WAYBILL_API_KEY: account.key, TRACKING_NUMBER: tracking_number };
  const [ended] = await runTypeScript(code.replaceAll('http://localhost:4010/v1', mock.url), [env]);
  expect(ended).toMatchObject({ code: 0, stderr: '' });
});
