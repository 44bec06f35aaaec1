import { readdir, readFile } from 'node:fs/promises';
import { html, paragraphs, prose } from './html.ts';
import { page } from './page.ts';

const folder = new URL('../decisions/', import.meta.url);

interface Decision {
  /** `0001`, by which others refer to it. */
  number: string;
  title: string;
  date: string;
  /** Context, decision and consequences. */
  sections: { heading: string; text: string }[];
}

/** The page of the decision records in `decisions/`. */
export async function decisionsPage(): Promise<string> {
  const decisions = await Promise.all((await readdir(folder)).sort().map(readDecision));
  const content = html`<h1>Decisions</h1>
<p>The reasons behind Waybill's design, for contributors. A later record may replace an earlier one.</p>
<ol class="plain">
${decisions.map(({ number, title }) => html`<li><a href="#${number}">${number}</a> ${prose(title)}</li>\n`)}</ol>
${decisions.map(
  ({ number, title, date, sections }) => html`<h2 id="${number}">${prose(title)}</h2>
<p class="trail">${number} · ${date}</p>
${sections.map(({ heading, text }) => html`<h3>${heading}</h3>\n${paragraphs(text)}`)}`,
)}`;
  return page({ title: 'Decisions – Waybill', section: 'Decisions', root: '' }, content);
}

/** Reads a title, a date and sections with a heading. */
async function readDecision(file: string): Promise<Decision> {
  const [head = '', ...parts] = (await readFile(new URL(file, folder), 'utf8')).split(/^## /m);
  const { title, date } = /^# (?<title>.+)\n\n(?<date>\d{4}-\d\d-\d\d)\n\n$/.exec(head)?.groups ?? {};
  if (!title || !date || parts.length !== 3) {
    throw new Error(
      `decisions/${file} must have "# title", a date, and "##" sections: context, decision, consequences.`,
    );
  }
  const sections = parts.map((part) => {
    const [heading = ''] = part.split('\n', 1);
    return { heading, text: part.slice(heading.length) };
  });
  return { number: file.slice(0, 4), title, date, sections };
}
