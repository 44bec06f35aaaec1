import { html } from '../html.ts';
import { page } from '../page.ts';
import { carriers } from './carriers.ts';
import { type Guide, sample } from './guide.ts';
import { pagination } from './pagination.ts';
import { polling } from './polling.ts';
import { rateLimits } from './rate-limits.ts';
import { retries } from './retries.ts';

const guides: (() => Promise<Guide>)[] = [retries, pagination, polling, rateLimits, carriers];

/** All guides on one page, so that the browser's search finds everything. */
export async function guidesPage(): Promise<string> {
  const contents = await Promise.all(guides.map((guide) => guide()));
  const content = html`<h1>Guides</h1>
<p>Each guide has a complete TypeScript program. <code>npx -y pnpm@12 start</code> starts the service and creates API keys in
<code>.waybill/demo.json</code>. All programs use this client of <code>@waybill/client</code>; keep the key on your server:</p>
${await sample('client')}
<ul class="plain">
${contents.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>\n`)}</ul>
${contents.map(({ id, title, content }) => html`<h2 id="${id}">${title}</h2>\n${content}\n`)}`;
  return page({ title: 'Guides – Waybill', section: 'Guides', root: '' }, content);
}
