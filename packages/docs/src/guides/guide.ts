import { readFile } from 'node:fs/promises';
import { problems } from '@waybill/contract/problems';
import type { operations } from '@waybill/contract/types';
import { type Html, html, prose } from '../html.ts';
import { operationLink } from '../page.ts';

export interface Guide {
  /** The anchor on the page. */
  id: string;
  title: string;
  content: Html;
}

/** A file of `samples/`; `tsc` and a test check it. */
export const sample = async (name: string): Promise<Html> =>
  html`<pre class="sample"><code>${await readFile(new URL(`../../samples/${name}.ts`, import.meta.url), 'utf8')}</code></pre>`;

/** A link into the reference. */
export const operation = (id: keyof operations): Html => operationLink(id, '');

/** A link to the page of an error code. */
export const problem = (code: keyof typeof problems): Html =>
  html`<a href="errors/${code}.html"><code>${code}</code></a>`;

/** Error codes with their descriptions in the contract. */
export const problemList = (...codes: (keyof typeof problems)[]): Html => html`<dl>
${codes.map((code) => html`<dt>${problem(code)}</dt>\n<dd>${prose(problems[code].description)}</dd>\n`)}</dl>`;
