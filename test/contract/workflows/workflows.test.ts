import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { operationIds } from '../../fixtures/contract.ts';
import { operationOf, workflows } from './workflows.ts';

const steps = workflows.flatMap(({ workflowId, steps }) => steps.map((step) => ({ workflowId, ...step })));

/** Respect, which runs the workflows, cannot send an empty object. */
const withEmptyBody = ['sendTestWebhook', 'resendWebhookDelivery'];

test('every operation of the contract is part of a workflow', () => {
  const taken = new Set(steps.map((step) => operationOf(step)?.id));
  const missing = operationIds.filter((id) => !taken.has(id) && !withEmptyBody.includes(id));
  expect(missing, 'add a step that takes it to a file of spec/workflows').toEqual([]);
});

test('a file contains the one workflow that it is named after', async () => {
  const files = await readdir(new URL('../../../spec/workflows/', import.meta.url));
  const named = files.filter((file) => file.endsWith('.yaml')).map((file) => file.replace('.yaml', ''));
  expect(workflows.map(({ workflowId }) => workflowId)).toEqual(named.sort());
});

test.for(workflows)('$workflowId has a summary and a description', ({ summary, description }) => {
  expect(summary).toBeTruthy();
  expect(description).toBeTruthy();
});

test.for(steps)('$workflowId $stepId has an operation of the contract and success criteria', (step) => {
  expect(step.description).toBeTruthy();
  const operation = operationOf(step);
  expect(operation, 'the contract has no such operationId').toBeDefined();
  if (step['x-operation']) {
    expect(step['x-operation'].method.toUpperCase()).toBe(operation?.method);
    expect(operation?.scope, 'only a signed URL is followed: name the operation in operationId').toBeNull();
  }
  const [first = '', ...rest] = step.successCriteria?.map(({ condition }) => condition) ?? [];
  const [, status = ''] = /^\$statusCode == (\d{3})$/.exec(first) ?? [];
  expect(Object.keys(operation?.responses ?? {}), 'the first criterion is a documented status').toContain(status);
  // Of `a && b && c` redocly respect overlooks a part.
  for (const condition of rest) expect(condition.split('&&').length, condition).toBeLessThan(3);
  // A status without content needs no further criterion.
  if (operation?.responses[status]?.content) expect(rest, 'a criterion for the response body').not.toEqual([]);
});
