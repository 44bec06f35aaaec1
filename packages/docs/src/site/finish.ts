import { appendFile, cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compress } from './compress.ts';
import { moveInlineScripts } from './inline-scripts.ts';
import { type Page, writeTexts } from './texts.ts';

/** Their licenses must accompany the fonts. */
const fonts = ['@fontsource-variable/inter', '@fontsource-variable/jetbrains-mono'];

/**
 * Completes a built site: no inline scripts, the Markdown of every page, the OpenAPI document, the licenses of the fonts,
 * compressed files.
 */
export async function finishSite(pages: Page[], base: string, dist: string): Promise<void> {
  await moveInlineScripts(dist, base);
  await writeTexts(pages, base, dist);
  await cp(fileURLToPath(import.meta.resolve('@waybill/contract/openapi.json')), join(dist, 'openapi.json'));
  for (const name of fonts) {
    const license = await readFile(new URL('LICENSE', import.meta.resolve(`${name}/package.json`)), 'utf8');
    await appendFile(join(dist, 'LICENSES.txt'), `\n\n---\n\nName: ${name}\n\n${license}`);
  }
  await compress(dist);
}
