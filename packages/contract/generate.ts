/**
 * Makes everything in `generated/` from `spec/`: the bundled document, the types and the contract's tables.
 * `--check` writes nothing and fails when a committed file differs from what the contract says.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { openEnums } from './open-enums.ts';
import { type Document, tables } from './tables.ts';

const spec = new URL('../../spec/', import.meta.url);
const generated = new URL('generated/', import.meta.url);
const banner = '// Made from spec/ by `pnpm generate`. Do not edit.\n';

async function bundle(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-contract-'));
  try {
    const output = join(folder, 'openapi.json');
    await promisify(execFile)('redocly', ['bundle', 'waybill', '--output', output], { cwd: spec });
    return `${JSON.stringify(JSON.parse(await readFile(output, 'utf8')), null, 2)}\n`;
  } finally {
    await rm(folder, { recursive: true });
  }
}

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
const json = await bundle();
const document: Document = JSON.parse(json);
const files: Record<string, string> = {
  'openapi.json': json,
  'types.ts': await types(document, false),
  'open-types.ts': await types(document, true),
};
for (const [name, source] of Object.entries(tables(document))) files[name] = banner + source;

const stale: string[] = [];
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
  console.log(stale.length > 0 ? `Wrote ${stale.join(', ')}.` : 'The generated files match the contract.');
}
