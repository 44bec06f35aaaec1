import { statuses, transitions } from '@waybill/contract/lifecycle';
import { diagram } from './diagram.ts';
import { html } from './html.ts';
import { operationLink, page } from './page.ts';

/** The page with the diagram of the lifecycle and its tables. */
export function lifecyclePage(): string {
  const states = Object.entries(statuses).map(
    ([status, meaning]) => html`<tr><td><code>${status}</code></td><td>${meaning}</td></tr>\n`,
  );
  const steps = transitions.map(
    ({ from, to, operation, description }) => html`<tr>
<td>${from ? html`<code>${from}</code>` : html`–`}</td>
<td><code>${to}</code></td>
<td>${operationLink(operation, '')}</td>
<td>${description}</td>
</tr>\n`,
  );
  const content = html`<h1>Lifecycle</h1>
<p>The transitions of a shipment. All others return
<a href="errors/invalid_transition.html"><code>invalid_transition</code></a>.</p>
<figure>${diagram(transitions)}</figure>
<h2>Statuses</h2>
<table>
<thead><tr><th>Status</th><th>Meaning</th></tr></thead>
<tbody>
${states}</tbody>
</table>
<h2>Transitions</h2>
<div class="wide">
<table>
<thead><tr><th>From</th><th>To</th><th>Operation</th><th>Default description</th></tr></thead>
<tbody>
${steps}</tbody>
</table>
</div>
<p>The timeline shows the default description, unless the request has its own.</p>`;
  return page({ title: 'Lifecycle – Waybill', section: 'Lifecycle', root: '' }, content);
}
