import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Mock } from '@waybill/mock';
import { expect } from 'vitest';
import { operationIds } from '../fixtures/contract/contract.ts';
import { png } from '../fixtures/images.ts';
import { disposableMock } from '../fixtures/programs/mock.ts';
import { runTypeScript } from '../fixtures/programs/typescript.ts';
import type { Service } from '../fixtures/service/service.ts';
import { shipmentIn } from '../fixtures/shipments.ts';
import { perFile } from '../fixtures/test.ts';
import { test as base } from './built-site.ts';
import { blocks, blocksIn, read } from './code-blocks.ts';

/** `folder` is as `start` leaves the repository. */
const test = base.extend<{ $file: { mock: Mock }; $test: { folder: string } }>({
  mock: perFile(() => disposableMock({ streamSeconds: 1 })),
  folder: async ({ account: { key } }, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'waybill-text-'));
    await mkdir(join(folder, '.waybill'));
    const demo = JSON.stringify({ api_key: key, carrier_api_key: key }, null, 2);
    await writeFile(join(folder, '.waybill/demo.json'), `${demo}\n`);
    await writeFile(join(folder, 'signature.png'), png());
    await use(folder);
    await rm(folder, { recursive: true });
  },
});

/** Runs commands in one shell, as a reader pastes them, and returns the output of each. A failed one rejects. */
async function runShell(cwd: string, commands: string[], env = {}): Promise<string[]> {
  const end = '-- end of command --';
  const script = commands.map((command) => `${command}\necho '\n${end}'`).join('\n');
  const whole = `set -eu\ncurl() { command curl -sS --fail-with-body "$@"; }\n${script}`;
  const options = { cwd, env: { PATH: process.env.PATH, ...env }, timeout: 60_000 };
  const { stdout } = await promisify(execFile)('sh', ['-c', whole], options);
  return stdout.split(end).slice(0, -1);
}

/** The code blocks of a page, from its Markdown. */
const blocksOf = async ({ origin }: Service, page: string) =>
  blocksIn(await (await fetch(`${origin}/docs/${page}.md`)).text());

const setUrl = 'export WAYBILL_URL=https://api.example.com/v1\n';
/** A reader plans for a day that is not over. */
const expectLater = (time: string) => expect(Date.parse(time)).toBeGreaterThan(Date.now());

test('the commands of the quickstart, repeated, create one shipment', async ({ service, account, folder }) => {
  const found = (await blocksOf(service, 'quickstart')).filter(({ language }) => language === 'sh');
  const [variables = '', key = '', create = '', list = '', install = ''] = found.map(({ code }) => code);
  expect(variables).toBe(`${setUrl}export WAYBILL_API_KEY=wbk_your_key\n`);
  expect(install).toContain('waybill-client-');
  const ownUrl = variables.replace('https://api.example.com/v1', service.baseUrl);
  const outputs = await runShell(folder, [ownUrl, key, create, create, list]);
  const [shipment, repeated, { data }] = outputs.slice(2).map((text) => JSON.parse(text));
  expectLater(shipment.pickup_window.start);
  expect(shipment.status).toBe('scheduled');
  expect(repeated).toEqual(shipment);
  expect(data).toMatchObject([{ id: shipment.id }]);
  expect((await account.client.listShipments()).data).toHaveLength(1);
});

/** The samples of each operation. */
const samplesOf = (service: Service) =>
  Promise.all(
    operationIds.map(async (id) => {
      const [url, shell, program] = await blocksOf(service, `reference/${id}`);
      expect([id, url?.code, shell?.language, program?.language]).toEqual([id, setUrl, 'sh', 'ts']);
      expect(`${shell?.code}${program?.code}`).not.toMatch(/(start|end|eta)"?: ["']\d/); // a day that is over
      return { shell: shell?.code ?? '', program: program?.code ?? '' };
    }),
  );
const ofMock = ({ url }: Mock) => ({ WAYBILL_URL: url, WAYBILL_API_KEY: 'wbk_mock' });

test('the curl samples of every operation, and of the mock, succeed', async ({ service, mock, folder }) => {
  const commands = (await samplesOf(service)).map(({ shell }) => shell);
  const { origin } = new URL(mock.url);
  for (const { code } of await blocksOf(service, 'guides/mock'))
    if (code.startsWith('curl ')) commands.push(code.replaceAll(/http:\/\/localhost:\d+/g, origin));
  const outputs = await runShell(folder, commands, ofMock(mock));
  expect(outputs.at(-1)).toMatch(/"data":\[\].*"status":"delivered"/s);
});

const curlCalls = blocks.filter(({ language, code }) => language === 'sh' && code.includes('curl '));

test.for(curlCalls)('the curl calls of $file:$line succeed', async ({ code }, { service, account, mock, folder }) => {
  const own = code
    .replaceAll('http://localhost:3000', service.origin)
    .replaceAll('http://localhost:4010', new URL(mock.url).origin);
  const env = { WAYBILL_API_KEY: account.key, WAYBILL_URL: service.baseUrl };
  const [output = ''] = await runShell(folder, [own], env);
  if (code.includes('/events/stream')) expect(output).toMatch(/^retry: \d+\n/);
  else expect(JSON.parse(output)).not.toHaveProperty('code');
  for (const { pickup_window } of (await account.client.listShipments()).data) expectLater(pickup_window.start);
});

test('the TypeScript of operations, texts and comments runs', async ({ service, account, mock, folder }) => {
  const operations = (await samplesOf(service)).map(({ program }) => program);
  const typescript = blocks.filter(({ language }) => language === 'ts');
  const texts = Object.values(Object.groupBy(typescript, ({ file }) => file)).map((parts = []) =>
    parts.map(({ code }) => code.replaceAll('http://localhost:4010/v1', mock.url)).join('\n'),
  );
  expect(texts.length).toBeGreaterThan(1);
  const sources = Object.values(read('packages/client/src/*.ts')).join('\n');
  const comments = [...sources.matchAll(/@example (.+)/g)].map(([, code]) => code);
  expect(comments.length).toBeGreaterThan(0);
  const { tracking_number } = await shipmentIn(account, 'in_transit');
  texts.push(`import { createClient } from '@waybill/client';
    const client = createClient();
    const tracking_number = '${tracking_number}';
    const file = Buffer.from('${Buffer.from(png()).toString('base64')}', 'base64');
    ${comments.join('\n')}`);
  const modules = Object.fromEntries([...operations, ...texts].map((code, index) => [`program-${index}.ts`, code]));
  const imports = Object.keys(modules).map((file) => `await import('./${file}');\n`);
  const ofService = { WAYBILL_URL: service.baseUrl, WAYBILL_API_KEY: account.key };
  imports.splice(operations.length, 0, `Object.assign(process.env, ${JSON.stringify(ofService)});\n`);
  const main = `process.chdir('${folder}');\n${imports.join('')}export {};`;
  expect(await runTypeScript(main, [ofMock(mock)], modules)).toMatchObject([{ code: 0, stderr: '' }]);
});
