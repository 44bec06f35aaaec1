import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { operations } from './contract.ts';
import { errorPages } from './errors.ts';
import { operationPage, referenceOverview } from './reference.ts';
import { workflowPage, workflows } from './workflows.ts';

const folder = new URL('../generated/', import.meta.url);

/** Writes the pages that follow from the contract to `generated/`. */
export async function generatePages(): Promise<void> {
  const pages: Record<string, string> = {
    'reference/index': referenceOverview(),
    ...prefixed('reference/', Object.fromEntries(operations.map((each) => [each.operationId, operationPage(each)]))),
    ...prefixed('errors/', errorPages()),
    ...prefixed('workflows/', Object.fromEntries(workflows.map((each) => [each.workflowId, workflowPage(each)]))),
  };
  await rm(folder, { recursive: true, force: true });
  for (const [name, text] of Object.entries(pages)) {
    const file = new URL(`${name}.md`, folder);
    await mkdir(dirname(fileURLToPath(file)), { recursive: true });
    await writeFile(file, `${text.replaceAll(/\n{3,}/g, '\n\n')}\n`);
  }
}

const prefixed = (prefix: string, pages: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(pages).map(([name, text]) => [prefix + name, text]));
