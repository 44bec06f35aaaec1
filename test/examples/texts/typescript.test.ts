import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { startMock } from '@waybill/mock/src/mock';
import { expect, onTestFinished } from 'vitest';
import { run } from '../../fixtures/process.ts';
import { shipmentIn } from '../../fixtures/shipments.ts';
import { test } from '../../fixtures/test.ts';
import { blocks, read, root } from './blocks.ts';

/** The blocks of a text form one program. */
const programs = Object.entries(Object.groupBy(blocks, ({ language, file }) => (language === 'ts' ? file : '')))
  .filter(([file]) => file !== '')
  .map(([file, parts = []]) => ({ file, code: parts.map(({ code }) => code).join('\n') }));

const sources = Object.values(read('packages/client/src/*.ts')).join('\n');
const comments = [...sources.matchAll(/@example (.+)/g)].map(([, code]) => code);
programs.push({
  file: "the client's comments",
  code: `import { createClient } from '@waybill/client';
    const client = createClient({ baseUrl: process.env.WAYBILL_URL ?? '', apiKey: process.env.WAYBILL_API_KEY ?? '' });
    const tracking_number = process.env.TRACKING_NUMBER ?? '';
    ${comments.join('\n')}`,
});

const pathOf = (file: string): string => fileURLToPath(new URL(file, root));

test.for(programs)('the TypeScript of $file compiles and runs', async ({ code }, { service, account }) => {
  expect(comments.length).toBeGreaterThan(0);
  const folder = await mkdtemp(join(tmpdir(), 'waybill-text-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  // Types are checked as strictly as in Waybill's own code.
  const tsconfig = { extends: pathOf('tsconfig.base.json'), include: ['program.ts'] };
  await symlink(pathOf('test/node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
  const mock = await startMock();
  onTestFinished(() => mock.close());
  await writeFile(join(folder, 'program.ts'), code.replaceAll('http://localhost:4010/v1', mock.url));
  const tsc = promisify(execFile)(process.execPath, [pathOf('node_modules/typescript/bin/tsc'), '--project', folder]);
  await tsc.catch(({ stdout }) => expect.unreachable(stdout));
  const { tracking_number } = await shipmentIn(account, 'in_transit');
  const env = { WAYBILL_URL: service.baseUrl, WAYBILL_API_KEY: account.key, TRACKING_NUMBER: tracking_number };
  const ended = await run(pathToFileURL(join(folder, 'program.ts')), [], env);
  expect(ended).toMatchObject({ code: 0, stderr: '' });
});
