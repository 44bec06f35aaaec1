import documents from '@waybill/contract/workflows.json' with { type: 'json' };
import type { Arazzo, Parameters, Step, Workflow } from './arazzo.ts';
import { expectation, plain, request } from './exchange.ts';
import { type Html, html, paragraphs, prose } from './html.ts';
import { operationLink, page } from './page.ts';

interface Journey extends Workflow {
  title: string;
  parameters: Parameters;
}

// The longest, which is the whole of a shipment's life, comes first.
const journeys: Journey[] = (documents satisfies Arazzo[])
  .flatMap(({ info: { title }, components: { parameters }, workflows }) =>
    workflows.map((workflow) => ({ ...workflow, title, parameters })),
  )
  .sort((one, other) => other.steps.length - one.steps.length);

/** The page of the journeys through the API, step by step. */
export function workflowsPage(): string {
  const inputs = new Map(journeys.flatMap((journey) => Object.entries(journey.inputs.properties)));
  const content = html`<h1>Workflows</h1>
<p>Journeys through the API, step by step: what is sent, and what is answered. Each is an Arazzo document, which the
service's own tests run as it stands here.</p>
<p>Braces stand for a value: <code>{book.tracking_number}</code> is what the step <code>book</code> has kept as
<code>tracking_number</code>. These come from outside:</p>
<dl>
${[...inputs].map(([name, { description }]) => html`<dt><code>{${name}}</code></dt><dd>${prose(description)}</dd>\n`)}</dl>
<ul class="plain">
${journeys.map(({ workflowId, title, summary }) => html`<li><a href="#${workflowId}">${title}</a>: ${prose(summary)}</li>\n`)}</ul>
${journeys.map(journey)}`;
  return page({ title: 'Workflows – Waybill', section: 'Workflows', root: '' }, content);
}

const journey = ({ workflowId, title, description, steps, parameters }: Journey): Html =>
  html`<h2 id="${workflowId}">${title}</h2>
${paragraphs(description)}<ol class="plain">
${steps.map((each, index) => step(each, index + 1, parameters))}</ol>
`;

function step(taken: Step, number: number, parameters: Parameters): Html {
  const { stepId, description, outputs = {} } = taken;
  const { status, conditions } = expectation(taken);
  const kept = Object.entries(outputs).map(
    ([name, value]) => html`<li>keeps <code>${name}</code> from <code>${plain(value)}</code></li>\n`,
  );
  return html`<li>
<h3>${number}. ${stepId} <small>${operationLink(taken.operationId ?? taken['x-operationId'] ?? '', '')}</small></h3>
<p>${prose(description)}</p>
<div class="exchange">
<pre><code>${request(taken, parameters)}</code></pre>
<ul class="plain">
<li class="facts"><span>${status}</span></li>
${conditions.map((condition) => html`<li><code>${condition}</code></li>\n`)}${kept}</ul>
</div>
</li>
`;
}
