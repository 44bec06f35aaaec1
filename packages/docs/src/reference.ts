import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Html } from './html.ts';
import { frame } from './page.ts';

// Windows cannot execute the link in node_modules/.bin.
const redocly = fileURLToPath(new URL('../node_modules/@redocly/cli/bin/cli.js', import.meta.url));

// All that the page would load from outside. In its place: the same word in plain type.
const logo = /https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini(-full)?\.svg/g;
const word = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="44" height="16"><text y="12" font-family="sans-serif" font-size="11" fill="#7388d4">Redocly</text></svg>',
)}`;

/**
 * The reference, made by Redocly from the bundled contract: one page with everything in it, search too. Fails when
 * Redocly no longer has the logo that is taken out, since then it may load something else.
 */
export async function referencePage(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-docs-'));
  try {
    const layout = join(folder, 'layout.hbs');
    const output = join(folder, 'index.html');
    await writeFile(layout, template());
    const contract = fileURLToPath(import.meta.resolve('@waybill/contract/openapi.json'));
    const config = fileURLToPath(new URL('../redocly.yaml', import.meta.url));
    const options = ['--config', config, '--template', layout, '--output', output, '--inlineBundle'];
    await promisify(execFile)(process.execPath, [redocly, 'build-docs', contract, ...options]);
    const source = await readFile(output, 'utf8');
    if (source.search(logo) < 0) throw new Error("Redocly's logo has moved: see what the page loads from outside now.");
    return source.replaceAll(logo, word);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const template = (): string =>
  frame(
    { title: 'Waybill API', section: 'Reference', root: '' },
    new Html('{{{redocHead}}}'),
    new Html('{{{redocHTML}}}'),
  );
