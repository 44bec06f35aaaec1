import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { run } from '../../fixtures/process.ts';
import type { Service } from '../../fixtures/service.ts';
import { allScopes, newAccount } from '../../fixtures/test.ts';

const redocly = new URL('../../node_modules/@redocly/cli/bin/cli.js', import.meta.url);
const folder = fileURLToPath(new URL('../../../spec/workflows/', import.meta.url));

/** What `redocly respect` reports of a step that it took. Where it left the order of steps, it has no checks. */
export interface ExecutedStep {
  stepId: string;
  request: { method: string; url: string };
  response: { statusCode: number; headers: Record<string, string>; body: unknown };
  checks?: { name: string; passed: boolean; message: string; condition?: string }[];
}

interface ExecutedWorkflow {
  workflowId: string;
  executedSteps: ExecutedStep[];
}

/**
 * Executes all workflows against a service with keys that have the documented scopes. Fails when the
 * runner stops before its report.
 */
export async function respect(service: Service): Promise<ExecutedWorkflow[]> {
  const { keyWith } = await newAccount(service);
  const { properties } = parse(await readFile(join(folder, 'inputs/Run.yaml'), 'utf8'));
  const keyFor = (input: string): Promise<string> =>
    keyWith(allScopes.filter((scope) => properties[input].description.includes(`\`${scope}\``)));
  const input = {
    shipper_key: await keyFor('shipper_key'),
    carrier_key: await keyFor('carrier_key'),
    now: new Date().toISOString(),
  };
  const temp = await mkdtemp(join(tmpdir(), 'waybill-respect-'));
  try {
    const output = join(temp, 'report.json');
    const files = (await readdir(folder)).filter((name) => name.endsWith('.yaml')).map((name) => join(folder, name));
    const { stdout, stderr } = await run(redocly, ['respect', ...files, '--json-output', output], {
      REDOCLY_CLI_RESPECT_INPUT: JSON.stringify(input),
      REDOCLY_CLI_RESPECT_SERVER: `waybill=${service.baseUrl}`,
      REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
      REDOCLY_TELEMETRY: 'off',
    });
    const report = await readFile(output, 'utf8').catch((cause) => {
      throw new Error(`redocly respect made no report.\n${stdout}${stderr}`, { cause });
    });
    const executed: { files: Record<string, { executedWorkflows: ExecutedWorkflow[] }> } = JSON.parse(report);
    return Object.values(executed.files).flatMap(({ executedWorkflows }) => executedWorkflows);
  } finally {
    await rm(temp, { recursive: true });
  }
}
