import documents from '@waybill/contract/workflows.json' with { type: 'json' };
import type { Arazzo, Parameters, Step, Workflow } from './arazzo.ts';
import { expectation, plain, request } from './exchange.ts';
import { type Html, html, paragraphs, prose } from './html.ts';
import { operationLink, page } from './page.ts';

interface TitledWorkflow extends Workflow {
  title: string;
  parameters: Parameters;
}

// The longest first: it covers the whole lifecycle.
const workflows: TitledWorkflow[] = (documents satisfies Arazzo[])
  .flatMap(({ info: { title }, components: { parameters }, workflows }) =>
    workflows.map((workflow) => ({ ...workflow, title, parameters })),
  )
  .sort((one, other) => other.steps.length - one.steps.length);

/** The page of the workflows. */
export function workflowsPage(): string {
  const inputs = new Map(workflows.flatMap((workflow) => Object.entries(workflow.inputs.properties)));
  const content = html`<h1>Workflows</h1>
<p>Common tasks step by step, with every request and its expected response. Each workflow is an Arazzo document that the tests
run against the service.</p>
<p>Braces stand for a value: <code>{step.name}</code> is the output <code>name</code> of the step <code>step</code>. These values
are inputs:</p>
<dl>
${[...inputs].map(([name, { description }]) => html`<dt><code>{${name}}</code></dt><dd>${prose(description)}</dd>\n`)}</dl>
<ul class="plain">
${workflows.map(({ workflowId, title, summary }) => html`<li><a href="#${workflowId}">${title}</a>: ${prose(summary)}</li>\n`)}</ul>
${workflows.map(section)}`;
  return page({ title: 'Workflows – Waybill', section: 'Workflows', root: '' }, content);
}

const section = ({ workflowId, title, description, steps, parameters }: TitledWorkflow): Html =>
  html`<h2 id="${workflowId}">${title}</h2>
${paragraphs(description)}<ol class="plain">
${steps.map((each, index) => stepItem(each, index + 1, parameters))}</ol>
`;

function stepItem(step: Step, number: number, parameters: Parameters): Html {
  const { stepId, description, outputs = {} } = step;
  const { status, conditions } = expectation(step);
  const outputItems = Object.entries(outputs).map(
    ([name, value]) => html`<li>output <code>${name}</code>: <code>${plain(value)}</code></li>\n`,
  );
  return html`<li>
<h3>${number}. ${stepId} <small>${operationLink(step.operationId ?? step['x-operationId'] ?? '', '')}</small></h3>
<p>${prose(description)}</p>
<div class="exchange">
<pre><code>${request(step, parameters)}</code></pre>
<ul class="plain">
<li class="facts"><span>${status}</span></li>
${conditions.map((condition) => html`<li><code>${condition}</code></li>\n`)}${outputItems}</ul>
</div>
</li>
`;
}
