import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { operations } from '@waybill/docs/src/contract.ts';
import { languages } from '@waybill/docs/src/samples/languages.ts';
import { temporaryFolder } from '@waybill/sandbox/processes/temporary-folder';
import { expect } from 'vitest';
import { read } from '../docs/code-blocks.ts';
import { png } from '../fixtures/images.ts';
import { skippedBecause } from '../fixtures/programs/installed.ts';
import { disposableMock } from '../fixtures/programs/mock.ts';
import { test as base, perFile } from '../fixtures/test.ts';
import { clients } from './clients.ts';

const test = base.extend<{ $file: { mock: Awaited<ReturnType<typeof disposableMock>> }; $test: { folder: string } }>({
  mock: perFile(() => disposableMock({ streamSeconds: 1 })),
  folder: async ({ task: _ }, use) => {
    using folder = temporaryFolder('waybill-samples-');
    await writeFile(join(folder.path, 'signature.png'), png());
    await use(folder.path);
  },
});

for (const [name, { run, unavailable }] of Object.entries(clients)) {
  if (!run) continue;
  const skipped = skippedBecause(unavailable);
  test.skipIf(unavailable)(
    `the samples of every operation run with the ${name} client${skipped}`,
    async ({ mock, folder }) => {
      const sample = languages[name]?.sample;
      if (!sample) return expect.unreachable(`The docs have no samples in ${name}`);
      await run(operations.map(sample), folder, { WAYBILL_URL: mock.url, WAYBILL_API_KEY: 'wbk_mock' });
    },
  );

  test.skipIf(unavailable)(
    `the sample of the ${name} package creates a shipment${skipped}`,
    async ({ service, account, folder }) => {
      const [sample = ''] = Object.values(read(`packages/clients/${name}/**/[sS]ample.*`));
      await run([sample], folder, { WAYBILL_URL: service.baseUrl, WAYBILL_API_KEY: account.key });
      expect((await account.client.listShipments()).data).toHaveLength(1);
    },
  );
}
