import { mkdtempDisposable, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { violations } from '../../fixtures/contract/ajv.ts';
import { operationIds, pathPattern } from '../../fixtures/contract/contract.ts';
import { run } from '../../fixtures/programs/process.ts';
import type { Service } from '../../fixtures/service/service.ts';
import { allScopes, test as base, newAccount } from '../../fixtures/test.ts';
import { operationOf, type Step, workflows } from './workflows.ts';

const redocly = new URL('../../node_modules/@redocly/cli/bin/cli.js', import.meta.url);
const folder = fileURLToPath(new URL('../../../spec/workflows/', import.meta.url));
const files = (await readdir(folder)).filter((name) => name.endsWith('.yaml'));

/** What `redocly respect` reports of a step that it took. Where it left the order of steps, it has no checks. */
interface ExecutedStep {
  stepId: string;
  request: { method: string; url: string };
  response: { statusCode: number; headers: Record<string, string>; body: unknown };
  checks?: { name: string; passed: boolean; condition?: string }[];
}

const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();

/** Executes all workflows with keys that have the documented scopes. Fails when the runner stops before its report. */
async function respect(service: Service) {
  const { keyWith } = await newAccount(service);
  const { properties } = parse(await readFile(join(folder, 'inputs/Run.yaml'), 'utf8'));
  const keyFor = (input: string): Promise<string> =>
    keyWith(allScopes.filter((scope) => properties[input].description.includes(`\`${scope}\``)));
  const keys = { shipper_key: await keyFor('shipper_key'), carrier_key: await keyFor('carrier_key') };
  await using temp = await mkdtempDisposable(join(tmpdir(), 'waybill-respect-'));
  const output = join(temp.path, 'report.json');
  const args = ['respect', ...files.map((name) => join(folder, name)), '--json-output', output];
  const { stdout, stderr } = await run(redocly, args, {
    REDOCLY_CLI_RESPECT_INPUT: JSON.stringify({ ...keys, now: hoursAgo(0), an_hour_ago: hoursAgo(1) }),
    REDOCLY_CLI_RESPECT_SERVER: `waybill=${service.baseUrl}`,
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    REDOCLY_TELEMETRY: 'off',
  });
  const report = await readFile(output, 'utf8').catch((cause) => {
    throw new Error(`redocly respect made no report.\n${stdout}${stderr}`, { cause });
  });
  type Executed = { executedWorkflows: { workflowId: string; executedSteps: ExecutedStep[] }[] };
  const executed = Object.values<Executed>(JSON.parse(report).files).flatMap((file) => file.executedWorkflows);
  return Map.groupBy(executed, ({ workflowId }) => workflowId);
}

/** One run of the runner executes all workflows; each test checks one of them. */
const test = base.extend<{ $file: { executed: Awaited<ReturnType<typeof respect>> } }>({
  executed: [async ({ service }, use) => use(await respect(service)), { scope: 'file' }],
});

test.for(workflows)(
  '$workflowId: every step returns what the workflow and the contract describe',
  ({ workflowId, steps }, { executed }) => {
    const [workflow, ...more] = executed.get(workflowId) ?? [];
    expect(more).toEqual([]);
    const taken = workflow?.executedSteps ?? [];
    const failed = taken.filter(({ checks = [] }) => checks.some(({ passed }) => !passed));
    expect(failed).toEqual([]);
    expect(taken.map(({ stepId }) => stepId)).toEqual(steps.map(({ stepId }) => stepId));
    for (const [index, step] of steps.entries()) checkStep(step, taken[index] as ExecutedStep);
    const download = taken.find(({ stepId }) => stepId === 'downloadSignature');
    if (download) expect(download.response.body).toMatchObject({ data: signature });
  },
);

const signature = await readFile(join(folder, 'files/signature.png'), 'base64');

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
  if (!operation) throw new Error(`${stepId} names no operation of the contract`);
  expect(request.method.toUpperCase()).toBe(operation.method);
  expect(new URL(request.url).pathname).toMatch(pathPattern(operation));
  const { statusCode: status, body } = response;
  const received = { status, headers: new Headers(response.headers), ...(isJson && { body }) };
  expect(violations(operation, received), stepId).toEqual([]);
}

test('a file contains the one workflow that it is named after, and together they have every operation', () => {
  expect(workflows.map(({ workflowId }) => `${workflowId}.yaml`)).toEqual(files.sort());
  const taken = new Set<string>(workflows.flatMap(({ steps }) => steps.map(({ operationId }) => operationId)));
  // Respect, which runs the workflows, cannot send the empty object of these.
  for (const id of ['sendTestWebhook', 'resendWebhookDelivery']) taken.add(id);
  expect([...taken].sort(), 'add a step that takes it to a file of spec/workflows').toEqual(operationIds.toSorted());
});
