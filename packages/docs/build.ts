/** Builds the site into `dist/`: static files for `/docs/`. */
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vitepress';

const root = import.meta.dirname;
// A running service may be serving `dist`: the new folder replaces it when it is complete.
const outDir = join(root, '.vitepress/dist');
await build(root, { outDir });
await rm(join(root, 'dist'), { recursive: true, force: true });
await rename(outDir, join(root, 'dist'));
