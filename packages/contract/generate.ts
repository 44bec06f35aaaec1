/**
 * Makes everything in `generated/` from `spec/`: the bundled document, the types, the contract's tables and the workflows.
 * `--check` writes nothing and fails when a committed file differs from what the contract says.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { type Document, tables } from './generate/tables.ts';
import { writeGenerated } from './generate/write-generated.ts';
import { withKnownValues } from './src/known-values.ts';

const spec = new URL('../../spec/', import.meta.url);
const generated = new URL('generated/', import.meta.url);
// Windows cannot execute the link in node_modules/.bin.
const redocly = fileURLToPath(new URL('node_modules/@redocly/cli/bin/cli.js', import.meta.url));
const banner = '// Made from spec/ by `pnpm generate`. Do not edit.\n';

interface Workflows {
  workflows: { steps: { operationId?: string; 'x-operation'?: { method: string } }[] }[];
}

/** The contract and its workflows, each with everything that it refers to inside. */
async function bundle(): Promise<{ document: Document; workflows: Workflows[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-contract-'));
  try {
    const names = (await readdir(new URL('workflows/', spec))).filter((name) => name.endsWith('.yaml')).sort();
    const roots = ['waybill', ...names.map((name) => join('workflows', name))];
    await promisify(execFile)(process.execPath, [redocly, 'bundle', ...roots, '--output', folder, '--ext', 'json'], {
      cwd: spec,
    });
    const read = async (name: string) => JSON.parse(await readFile(join(folder, name), 'utf8'));
    const workflows = await Promise.all(names.map((name) => read(name.replace('.yaml', '.json'))));
    return { document: await read('openapi.json'), workflows };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Names the operations of steps that have a signed URL in `x-operation`: those without an API key. */
function nameSignedOperations(workflows: Workflows[], { paths }: Document): void {
  const signed = Object.values(paths).flatMap((methods) =>
    Object.entries(methods).filter(([, { security }]) => security.length === 0),
  );
  for (const step of workflows.flatMap(({ workflows }) => workflows).flatMap(({ steps }) => steps)) {
    const call = step['x-operation'];
    if (!call) continue;
    const [[, operation] = [], ...others] = signed.filter(([method]) => method === call.method);
    if (!operation || others.length > 0)
      throw new Error(`Not one operation without a key has the method ${call.method}.`);
    step.operationId = operation.operationId;
  }
}

const asJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

async function types(document: Document): Promise<string> {
  const nodes = await openapiTypescript(JSON.stringify(withKnownValues(document)), {
    alphabetize: true,
    defaultNonNullable: false,
  });
  return banner + astToString(nodes);
}

const { document, workflows } = await bundle();
nameSignedOperations(workflows, document);
const files: Record<string, string> = {
  'openapi.json': asJson(document),
  'workflows.json': asJson(workflows),
  'types.ts': await types(document),
};
for (const [name, source] of Object.entries(tables(document))) files[name] = banner + source;

await writeGenerated(generated, files, { name: 'packages/contract/generated', source: 'spec/' });
