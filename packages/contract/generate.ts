/**
 * Makes everything in `generated/` from `spec/`: the bundled document, the types, the contract's tables and the workflows.
 * `--check` writes nothing and fails when a committed file differs from what the contract says.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { openEnums } from './open-enums.ts';
import { type Document, tables } from './tables.ts';

const spec = new URL('../../spec/', import.meta.url);
const generated = new URL('generated/', import.meta.url);
// Windows cannot execute the link in node_modules/.bin.
const redocly = fileURLToPath(new URL('node_modules/@redocly/cli/bin/cli.js', import.meta.url));
const banner = '// Made from spec/ by `pnpm generate`. Do not edit.\n';

/** The contract and its workflows, each with everything that it refers to inside. */
async function bundle(): Promise<{ document: Document; workflows: unknown[] }> {
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

const asJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** `open` leaves growing enumerations open, for clients; the server's own types are closed. */
async function types(document: Document, open: boolean): Promise<string> {
  const nodes = await openapiTypescript(JSON.stringify(document), {
    alphabetize: true,
    defaultNonNullable: false,
    ...(open && { transform: openEnums }),
  });
  return banner + astToString(nodes);
}

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const { document, workflows } = await bundle();
const files: Record<string, string> = {
  'openapi.json': asJson(document),
  'workflows.json': asJson(workflows),
  'types.ts': await types(document, false),
  'open-types.ts': await types(document, true),
};
for (const [name, source] of Object.entries(tables(document))) files[name] = banner + source;

const stale = (await readdir(generated)).filter((name) => !(name in files));
if (!values.check) await Promise.all(stale.map((name) => rm(new URL(name, generated))));
for (const [name, content] of Object.entries(files)) {
  const file = new URL(name, generated);
  if ((await readFile(file, 'utf8').catch(() => '')) === content) continue;
  stale.push(name);
  if (!values.check) await writeFile(file, content);
}
if (values.check && stale.length > 0) {
  console.error(`packages/contract/generated is behind spec/ (${stale.join(', ')}).`);
  console.error('Run `pnpm generate` and commit the result; never edit these files by hand.');
  process.exitCode = 1;
} else {
  console.log(stale.length > 0 ? `Updated ${stale.join(', ')}.` : 'The generated files match the contract.');
}
