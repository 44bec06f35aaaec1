import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { operations } from './contract.ts';
import { Html, html } from './html.ts';

const css = async (file: string): Promise<Html> => new Html(await readFile(new URL(file, import.meta.url), 'utf8'));
const barStyle = await css('bar.css');
const pageStyle = await css('page.css');

const sections = [
  { name: 'Reference', file: 'index.html' },
  { name: 'Guides', file: 'guides.html' },
  { name: 'Workflows', file: 'workflows.html' },
  { name: 'Lifecycle', file: 'lifecycle.html' },
  { name: 'Errors', file: 'errors/index.html' },
  { name: 'Decisions', file: 'decisions.html' },
  { name: 'Quality', file: 'quality.html' },
] as const;

/** The quality page exists only after `pnpm quality`. */
export const measurements: URL = new URL('../measurements/', import.meta.url);
const built = sections.filter(({ name }) => name !== 'Quality' || existsSync(measurements));

interface Page {
  title: string;
  section: (typeof sections)[number]['name'];
  /** The relative path to the site's root: relative links work without a server, too. */
  root: '' | '../';
}

/** A page with the style of the site. */
export function page(about: Page, content: Html): string {
  return frame(about, html`<style>${pageStyle}</style>`, html`<main>\n${content}\n</main>`);
}

/** Any page, with the navigation bar. */
export function frame({ title, section, root }: Page, head: Html, body: Html): string {
  const links = built.map(({ name, file }) => {
    const current = name === section ? html` aria-current="true"` : html``;
    return html`<a href="${root}${file}"${current}>${name}</a>`;
  });
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${barStyle}</style>
${head}
</head>
<body>
<nav class="bar"><strong>Waybill</strong>${links}<a class="file" href="${root}openapi.json" download>OpenAPI</a></nav>
${body}
</body>
</html>
`.source;
}

/** A link to an operation in the reference; Redoc derives anchors from the tag and the operation id. */
export function operationLink(operationId: string, root: '' | '../'): Html {
  const tag = operations.find((operation) => operation.operationId === operationId)?.tags[0] ?? '';
  const anchor = `${tag.replaceAll(' ', '-')}/${operationId}`.toLowerCase();
  return html`<a href="${root}index.html#/${anchor}"><code>${operationId}</code></a>`;
}
