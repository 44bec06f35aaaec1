/** Writes the docs site to `dist/`: static files that work under any URL, and without a server. */
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { compress } from './src/compress.ts';
import { decisionsPage } from './src/decisions.ts';
import { errorPages } from './src/errors.ts';
import { guidesPage } from './src/guides/page.ts';
import { lifecyclePage } from './src/lifecycle.ts';
import { qualityPages } from './src/quality.ts';
import { referencePage } from './src/reference.ts';
import { workflowsPage } from './src/workflows.ts';

const dist = new URL('dist/', import.meta.url);
const files = {
  'index.html': await referencePage(),
  'guides.html': await guidesPage(),
  'workflows.html': workflowsPage(),
  'lifecycle.html': lifecyclePage(),
  'decisions.html': await decisionsPage(),
  ...errorPages(),
  ...(await qualityPages()),
};

// Last, because a running service may be serving the folder.
await rm(dist, { recursive: true, force: true });
await mkdir(new URL('errors/', dist), { recursive: true });
for (const [name, content] of Object.entries(files)) await writeFile(new URL(name, dist), content);
await copyFile(fileURLToPath(import.meta.resolve('@waybill/contract/openapi.json')), new URL('openapi.json', dist));
await compress(fileURLToPath(dist));
console.log(`Wrote ${Object.keys(files).length} pages to ${fileURLToPath(dist)}`);
