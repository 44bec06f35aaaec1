import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { violations } from '../../fixtures/ajv.ts';
import { test as base } from '../../fixtures/test.ts';
import { type ExecutedStep, respect } from './respect.ts';
import { operationOf, type Step, workflows } from './workflows.ts';

/** One run of the runner executes all workflows; each test checks one of them. */
const test = base.extend<{ $file: { executed: Awaited<ReturnType<typeof respect>> } }>({
  executed: [async ({ service }, use) => use(await respect(service)), { scope: 'file' }],
});

test.for(workflows)(
  '$workflowId: every step returns what the workflow and the contract describe',
  ({ workflowId, steps }, { executed }) => {
    const [workflow, ...more] = executed.filter((each) => each.workflowId === workflowId);
    expect(more).toEqual([]);
    const executedSteps = workflow?.executedSteps ?? [];
    const failed = executedSteps.flatMap(({ stepId, checks, response }) =>
      (checks ?? []).filter(({ passed }) => !passed).map((check) => ({ stepId, ...check, response })),
    );
    expect(failed).toEqual([]);
    expect(executedSteps.map(({ stepId }) => stepId)).toEqual(steps.map(({ stepId }) => stepId));
    for (const [index, step] of steps.entries()) checkStep(step, executedSteps[index] as ExecutedStep);
  },
);

/** Requires the runner's own checks, and checks what it leaves out: headers, and responses of signed URLs. */
function checkStep(step: Step, { stepId, request, response, checks = [] }: ExecutedStep): void {
  const named = (name: string) => checks.filter((check) => check.name === name);
  const conditions = step.successCriteria?.map(({ condition }) => condition);
  expect(named('success criteria check').map(({ condition }) => condition)).toEqual(conditions);

  const type = response.headers['content-type'] ?? '';
  const isJson = /^application\/(problem\+)?json/.test(type);
  const isText = isJson || type.startsWith('text/event-stream');
  expect(named('status code check'), stepId).toHaveLength(step['x-operation'] ? 0 : 1);
  expect(named('schema check'), stepId).toHaveLength(!step['x-operation'] && isText ? 1 : 0);

  const operation = operationOf(step);
  if (!operation) throw new Error(`${stepId} names no operation`);
  const { pathname } = new URL(request.url);
  expect(pathname).toMatch(new RegExp(`^/v1${operation.path.replace(/{\w+}/g, '[^/]+')}$`));
  expect(request.method.toUpperCase()).toBe(operation.method);
  const headers = new Headers(response.headers);
  const { statusCode: status, body } = response;
  expect(violations(operation, { status, headers, ...(isJson && { body }) }), stepId).toEqual([]);
}

test('the signature that is read is the one that was sent', async ({ executed }) => {
  const steps = executed.flatMap(({ executedSteps }) => executedSteps);
  const body = steps.find(({ stepId }) => stepId === 'downloadSignature')?.response.body;
  const file = await readFile(new URL('../../../spec/workflows/files/signature.png', import.meta.url));
  expect(body).toMatchObject({ data: file.toString('base64') });
});
