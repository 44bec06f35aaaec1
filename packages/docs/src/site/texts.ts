import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { withValues } from '../values.ts';

/** A page of the site. */
export interface Page {
  /** Its Markdown file. */
  file: string;
  /** Its path without an extension, such as `errors/not_found`. */
  path: string;
}

/** Writes each page as Markdown beside its HTML, `llms.txt` with links to them, and `llms-full.txt` with their text. */
export async function writeTexts(pages: Page[], base: string, dist: string): Promise<void> {
  const texts = await Promise.all(pages.map(async ({ file, path }) => ({ path, text: await markdownOf(file, base) })));
  for (const { path, text } of texts) await writeFile(join(dist, `${path}.md`), text);
  const links = texts.map(({ path, text }) => `- [${titleOf(text)}](${base}${path}.md)`);
  await writeFile(join(dist, 'llms.txt'), `${summary}\n\n## Pages\n\n${links.join('\n')}\n`);
  const all = texts.map(({ text }) => text).join('\n\n---\n\n');
  await writeFile(join(dist, 'llms-full.txt'), `${summary}\n\n${all}`);
}

const summary = `# Waybill

> An HTTP API for freight shipments: create and track shipments, follow their changes, record events and
> positions, submit the proof of delivery.
> The OpenAPI document is at /openapi.json of every service. The URL of the service, WAYBILL_URL in all samples, is the
> origin of these pages with the path /v1.`;

const titleOf = (text: string): string => /^# (.+)$/m.exec(text)?.[1] ?? '';

/** The Markdown of a page without markup that only the site understands. */
async function markdownOf(file: string, base: string): Promise<string> {
  const source = (await readFile(file, 'utf8')).replace(/^---\n.*?\n---\n/s, '');
  const included = await replaceFiles(source, file, /^<!--\s*@include: (.+?)\s*-->$/gm, (text) => text);
  const text = await replaceFiles(included, file, /^<<< (\S+?)(?:{\w+})?(?: \[.+\])?$/gm, (code, name) => {
    const language = name.split('.').at(-1);
    return `\`\`\`${language}\n${code.trimEnd()}\n\`\`\``;
  });
  return `${withValues(text)
    .replaceAll(/<figure.*?<\/figure>\n?/gs, '')
    .replaceAll(/<span id="[^"]*" class="field">\[(.+?)\]\(.+?\)<\/span>/g, '**$1**')
    .replaceAll(/<b class="method \w+">(\w+)<\/b> `/g, '`$1 ')
    .replaceAll(/<span class="status">(.+?)<\/span>/g, '$1')
    .replaceAll(/<i class="dot".*?<\/i> /g, '')
    .replaceAll(/^ *<\/?(?:div|main|TryIt|details|summary).*\n/gm, '')
    .replaceAll(/^:::.*\n/gm, '')
    .replaceAll('{target="_self"}', '')
    .replaceAll(/\]\(\/(?!docs\/|openapi)([^)#]*?)(\/?)(#[^)]*)?\)/g, (_, path, slash, hash = '') => {
      const page = slash || path === '' ? `${path}${slash}index` : path;
      return `](${base}${page}.md${hash})`;
    })
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()}\n`;
}

/** Replaces each reference to a file by what `render` makes of its text. */
async function replaceFiles(
  source: string,
  page: string,
  pattern: RegExp,
  render: (text: string, name: string) => string,
): Promise<string> {
  let result = source;
  for (const [reference, name = ''] of source.matchAll(pattern)) {
    const text = await readFile(join(dirname(page), name), 'utf8');
    result = result.replace(reference, () => render(text, name));
  }
  return result;
}
