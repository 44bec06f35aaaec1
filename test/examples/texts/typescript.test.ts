import { expect } from 'vitest';
import { shipmentIn } from '../../fixtures/shipments.ts';
import { test } from '../../fixtures/test.ts';
import { blocksIn, commentExamples, texts } from './blocks.ts';
import { runTypeScript } from './typescript.ts';

/** The blocks of a text form one program. */
const programs = Object.keys(texts).flatMap((file) => {
  const code = blocksIn(file).flatMap((block) => (block.language === 'ts' ? block.code : []));
  return code.length > 0 ? [{ file, code: code.join('\n') }] : [];
});

test.for(programs)('the TypeScript of $file compiles and runs', async ({ code }, { service, account }) => {
  const ended = await runTypeScript(code, { WAYBILL_URL: service.baseUrl, WAYBILL_API_KEY: account.key });
  expect(ended).toMatchObject({ code: 0, stderr: '' });
});

test("the examples in the client's comments compile and run", async ({ service, account }) => {
  const { tracking_number } = await shipmentIn(account, 'in_transit');
  const options = JSON.stringify({ baseUrl: service.baseUrl, apiKey: account.key });
  const code = `import { createClient } from '@waybill/client';
    const client = createClient(${options});
    const tracking_number = '${tracking_number}';
    ${commentExamples.join('\n')}`;
  expect(commentExamples.length).toBeGreaterThan(0);
  expect(await runTypeScript(code, {})).toMatchObject({ code: 0, stderr: '' });
});
