import { fileURLToPath } from 'node:url';
import { common, fromSources } from '@waybill/tools/vitest/config';
import { defineConfig } from 'vitest/config';

/** The tests of the modules in stryker.config.json. None of them starts a service or a database. */
const tests = 'attempt,board-figures,driver-queue,fair-queue,hostile-urls,map,phone,tracking-page';

export default defineConfig({
  ...fromSources,
  root: fileURLToPath(new URL('.', import.meta.url)),
  test: { ...common, include: [`**/{${tests}}.test.ts`] },
});
