import { readFile } from 'node:fs/promises';
import { problems } from '@waybill/contract/problems';
import type { operations } from '@waybill/contract/types';
import { type Html, html, prose } from '../html.ts';
import { operationLink } from '../page.ts';

export interface Guide {
  /** Its place on the page, which other pages link to. */
  id: string;
  title: string;
  content: Html;
}

/** A file of `samples/` as it is: `tsc` checks it with the rest of the package. */
export const sample = async (name: string): Promise<Html> =>
  html`<pre class="sample"><code>${await readFile(new URL(`../../samples/${name}.ts`, import.meta.url), 'utf8')}</code></pre>`;

/** A link into the reference. */
export const operation = (id: keyof operations): Html => operationLink(id, '');

/** A link to the page of an error. */
export const problem = (code: keyof typeof problems): Html =>
  html`<a href="errors/${code}.html"><code>${code}</code></a>`;

/** Errors and what the contract says of them. */
export const problemList = (...codes: (keyof typeof problems)[]): Html => html`<dl>
${codes.map((code) => html`<dt>${problem(code)}</dt>\n<dd>${prose(problems[code].description)}</dd>\n`)}</dl>`;
