import { startMock } from '@waybill/mock';
import { expect, onTestFinished } from 'vitest';
import { png } from '../../fixtures/images.ts';
import { shipmentIn } from '../../fixtures/shipments.ts';
import { test } from '../../fixtures/test.ts';
import { runTypeScript } from '../../fixtures/typescript.ts';
import { blocks, read } from './blocks.ts';

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
  const ended = await runTypeScript(code.replaceAll('http://localhost:4010/v1', mock.url), env);
  expect(ended).toMatchObject({ code: 0, stderr: '' });
});
