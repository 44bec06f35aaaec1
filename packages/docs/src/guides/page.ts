import { html } from '../html.ts';
import { page } from '../page.ts';
import { carriers } from './carriers.ts';
import { type Guide, sample } from './guide.ts';
import { limits } from './limits.ts';
import { lists } from './lists.ts';
import { polling } from './polling.ts';
import { repeating } from './repeating.ts';

const guides: (() => Promise<Guide>)[] = [repeating, lists, polling, limits, carriers];

/** All guides on one page, so that the browser's own search finds everything. */
export async function guidesPage(): Promise<string> {
  const written = await Promise.all(guides.map((write) => write()));
  const content = html`<h1>Guides</h1>
<p>The samples use <code>@waybill/client</code>; <code>client</code> is made once, with a key that stays on your server:</p>
${await sample('client')}
<ul class="plain">
${written.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>\n`)}</ul>
${written.map(({ id, title, content }) => html`<h2 id="${id}">${title}</h2>\n${content}\n`)}`;
  return page({ title: 'Guides – Waybill', section: 'Guides', root: '' }, content);
}
