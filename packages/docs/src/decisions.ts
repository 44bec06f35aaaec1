import { readdir, readFile } from 'node:fs/promises';
import { html, paragraphs, prose } from './html.ts';
import { page } from './page.ts';

const folder = new URL('../decisions/', import.meta.url);

interface Decision {
  /** `0001`, by which others refer to it. */
  number: string;
  title: string;
  date: string;
  text: string;
}

/** The records of why Waybill is as it is, as they stand in `decisions/`. */
export async function decisionsPage(): Promise<string> {
  const decisions = await Promise.all((await readdir(folder)).sort().map(readDecision));
  const content = html`<h1>Decisions</h1>
<p>Why Waybill is built as it is, for those who change it. A record stays as it was written; a later one may take its place.</p>
<ol class="plain">
${decisions.map(({ number, title }) => html`<li><a href="#${number}">${number}</a> ${prose(title)}</li>\n`)}</ol>
${decisions.map(
  ({ number, title, date, text }) => html`<h2 id="${number}">${prose(title)}</h2>
<p class="trail">${number} · ${date}</p>
${paragraphs(text)}`,
)}`;
  return page({ title: 'Decisions – Waybill', section: 'Decisions', root: '' }, content);
}

/** A record begins with its title and its date. */
async function readDecision(file: string): Promise<Decision> {
  const record = /^# (?<title>.+)\n\n(?<date>\d{4}-\d\d-\d\d)\n\n(?<text>.+)$/s.exec(
    await readFile(new URL(file, folder), 'utf8'),
  );
  const { title = '', date = '', text = '' } = record?.groups ?? {};
  if (!record)
    throw new Error(`decisions/${file} must begin with "# title", then the date, each followed by an empty line.`);
  return { number: file.slice(0, 4), title, date, text };
}
