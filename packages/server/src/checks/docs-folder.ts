import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Finding, failed, passed } from './finding.ts';

const name = 'DOCS_DIR';
const fix = 'Name the folder of the docs site, `docs` beside the bundle.';

/** Checks the folder of the docs. @param folder empty when it is not set */
export async function checkDocsFolder(folder: string): Promise<Finding> {
  if (folder === '') return passed(name, 'is not set: the service has no docs');
  const found = await stat(folder).catch(() => undefined);
  return found?.isDirectory() ? passed(name, `is ${folder}`) : failed(name, `${folder} is not a folder`, fix);
}

/** The same, and that the site is in it. `start` builds the site while the service runs. */
export async function checkDocsSite(folder: string): Promise<Finding> {
  const finding = await checkDocsFolder(folder);
  if (folder === '' || !finding.ok) return finding;
  const index = await stat(join(folder, 'index.html')).catch(() => undefined);
  return index?.isFile() ? finding : failed(name, `${folder} has no index.html`, fix);
}
