import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compress } from './compress.ts';
import { moveInlineScripts } from './inline-scripts.ts';
import { type Page, writeTexts } from './texts.ts';

/** Completes a built site: no inline scripts, the Markdown of every page, the OpenAPI document, compressed files. */
export async function finishSite(pages: Page[], base: string, dist: string): Promise<void> {
  await moveInlineScripts(dist, base);
  await writeTexts(pages, base, dist);
  await cp(fileURLToPath(import.meta.resolve('@waybill/contract/openapi.json')), join(dist, 'openapi.json'));
  await compress(dist);
}
