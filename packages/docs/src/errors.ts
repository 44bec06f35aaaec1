import { type ProblemKind, problems } from '@waybill/contract/problems';
import { exampleOf, operationsWith } from './contract.ts';
import { type Html, html, prose } from './html.ts';
import { operationLink, page } from './page.ts';

/** File name → page: the error catalogue, and a page per code, to which the `type` of a problem leads. */
export function errorPages(): Record<string, string> {
  const files: Record<string, string> = { 'errors/index.html': catalogue() };
  for (const [code, problem] of Object.entries(problems)) files[`errors/${code}.html`] = errorPage(code, problem);
  return files;
}

function catalogue(): string {
  const rows = Object.entries(problems).map(
    ([code, { status, title }]) =>
      html`<tr><td>${status}</td><td><a href="${code}.html"><code>${code}</code></a><br>${title}</td></tr>\n`,
  );
  const content = html`<h1>Errors</h1>
<p>Every error is an RFC 9457 problem, <code>application/problem+json</code>. Handle errors by <code>code</code>; new codes
may be added. Quote <code>request_id</code> in support requests.</p>
<table>
<thead><tr><th>Status</th><th>Code</th></tr></thead>
<tbody>
${rows}</tbody>
</table>`;
  return page({ title: 'Errors – Waybill', section: 'Errors', root: '../' }, content);
}

function errorPage(code: string, { status, title, description }: ProblemKind): string {
  const content = html`<p class="trail"><a href="index.html">All errors</a></p>
<h1>${title}</h1>
<p class="facts"><span>${status}</span> <code>${code}</code></p>
<p>${prose(description)}</p>
${example(code)}
<h2>Operations</h2>
${places(code)}`;
  return page({ title: `${title} – Waybill`, section: 'Errors', root: '../' }, content);
}

function example(code: string): Html {
  const value = exampleOf(code);
  return value === undefined
    ? html``
    : html`<h2>Example</h2>\n<pre><code>${JSON.stringify(value, null, 2)}</code></pre>`;
}

function places(code: string): Html {
  const items = operationsWith(code).map(
    ({ operationId, summary }) => html`<li>${operationLink(operationId, '../')} ${summary}</li>\n`,
  );
  return items.length > 0 ? html`<ul class="plain">\n${items}</ul>` : html`<p>Any request can return it.</p>`;
}
