import documents from '@waybill/contract/workflows.json' with { type: 'json' };
import type { Arazzo, Parameters, Step, Workflow } from './arazzo.ts';
import { expectation, plain, request } from './exchange.ts';
import { fence, line, operationLink, prose, table } from './markdown.ts';

interface TitledWorkflow extends Workflow {
  title: string;
  parameters: Parameters;
}

/** The longest first: it covers the whole lifecycle. */
export const workflows: TitledWorkflow[] = (documents satisfies Arazzo[])
  .flatMap(({ info: { title }, components: { parameters }, workflows }) =>
    workflows.map((workflow) => ({ ...workflow, title, parameters })),
  )
  .sort((one, other) => other.steps.length - one.steps.length);

/** A row for each workflow. */
export const workflowTable = (): string =>
  table(
    ['Workflow', 'Purpose'],
    workflows.map(({ workflowId, title, summary }) => [`[${title}](/workflows/${workflowId})`, line(summary)]),
  );

/** The page of one workflow. */
export function workflowPage({ title, description, inputs, steps, parameters }: TitledWorkflow): string {
  const values = Object.entries(inputs.properties).map(
    ([name, { description }]) => `- \`{${name}}\`: ${line(description)}`,
  );
  return [
    `# ${title}`,
    prose(description),
    '## Inputs',
    values.join('\n'),
    '`{step.name}` in a request is the output `name` of an earlier step.',
    ...steps.map((step, index) => stepSection(step, index + 1, parameters)),
  ].join('\n\n');
}

function stepSection(step: Step, number: number, parameters: Parameters): string {
  const { stepId, description, outputs = {} } = step;
  const { status, conditions } = expectation(step);
  const outputItems = Object.entries(outputs).map(([name, value]) => `- Output \`${name}\`: \`${plain(value)}\``);
  return [
    `## ${number}. ${stepId}`,
    `${prose(description)} Operation: ${operationLink(step.operationId)}.`,
    fence('http', request(step, parameters)),
    [`- Status \`${status}\``, ...conditions.map((condition) => `- \`${condition}\``), ...outputItems].join('\n'),
  ].join('\n\n');
}
