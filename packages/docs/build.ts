/**
 * Builds the site into `dist/`: static files for `/docs/`. With `--inventories` they list their libraries; `start` builds
 * without, and does not install what makes the lists.
 */
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vitepress';

const root = import.meta.dirname;
// A running service may be serving `dist`: the new folder replaces it when it is complete.
const outDir = join(root, '.vitepress/dist');
const withInventories = process.argv.includes('--inventories');
await build(root, {
  outDir,
  onAfterConfigResolve: async (site) => {
    if (withInventories) (await import('./src/site/inventories.ts')).addInventories(site);
  },
});
await rm(join(root, 'dist'), { recursive: true, force: true });
await rename(outDir, join(root, 'dist'));
