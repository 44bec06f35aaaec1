import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMock } from '@waybill/mock';
import { expect, onTestFinished } from 'vitest';
import { operationIds } from '../fixtures/contract.ts';
import { uniquePng } from '../fixtures/images.ts';
import { runTypeScript } from '../fixtures/typescript.ts';
import { blocksOf, runShell, test } from './site.ts';

/** As in the Markdown of a page; a browser shows the URL of the service that serves it. */
const setUrl = 'export WAYBILL_URL=https://api.example.com/v1\n';
const key = `wbk_${'0'.repeat(12)}_${'0'.repeat(44)}`;

test('the curl and TypeScript samples of every operation, and of the mock, succeed', async ({ service }) => {
  const mock = await startMock({ streamSeconds: 1 });
  onTestFinished(() => mock.close());
  const folder = await mkdtemp(join(tmpdir(), 'waybill-samples-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'signature.png'), uniquePng('signature'));
  const samples = await Promise.all(
    operationIds.map(async (id) => {
      const [url, shell, program] = await blocksOf(service, `reference/${id}`);
      expect([id, url?.code, shell?.language, program?.language]).toEqual([id, setUrl, 'sh', 'ts']);
      // A reader plans for a day that is not over.
      expect(`${shell?.code}${program?.code}`).not.toMatch(/(start|end|eta)"?: ["']\d/);
      return { shell: shell?.code ?? '', program: program?.code ?? '' };
    }),
  );
  const env = { WAYBILL_URL: mock.url, WAYBILL_API_KEY: key };
  const commands = [
    ...samples.map(({ shell }) => shell),
    ...(await blocksOf(service, 'guides/mock')).map(({ code }) => code).filter((code) => code.startsWith('curl ')),
  ];
  const outputs = await runShell(
    commands.map((command) => command.replaceAll(/http:\/\/localhost:\d+/g, new URL(mock.url).origin)),
    { cwd: folder, ...env },
  );
  expect(outputs.at(-1)).toMatch(/"data":\[\].*"status":"delivered"/s);
  const programs = Object.fromEntries(samples.map(({ program }, index) => [`${operationIds[index]}.ts`, program]));
  const main = [
    `process.chdir('${folder}');`,
    ...Object.keys(programs).map((file) => `await import('./${file}');`),
    'export {};',
  ];
  expect(await runTypeScript(main.join('\n'), [env], programs)).toMatchObject([{ code: 0, stderr: '' }]);
});
