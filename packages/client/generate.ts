/**
 * Makes `src/generated/` from the contract: types with their documentation, the table of operations, and the examples for
 * mocks. `--check` writes nothing and fails when a committed file differs.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import type { Document } from './generate/document.ts';
import { exampleTables } from './generate/examples.ts';
import { operationTypes } from './generate/operations.ts';
import { schemaTypes } from './generate/schemas.ts';
import { operationTable } from './generate/table.ts';

const document = contract as unknown as Document;
const files: Record<string, string> = {
  'schemas.ts': schemaTypes(document),
  'operations.ts': operationTypes(document),
  'table.ts': operationTable(document),
  'examples.ts': exampleTables(document),
};

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const stale: string[] = [];
for (const [name, source] of Object.entries(files)) {
  const file = new URL(`src/generated/${name}`, import.meta.url);
  const content = `// Made from the contract by \`pnpm generate\`. Do not edit.\n${source}`;
  if ((await readFile(file, 'utf8').catch(() => '')) === content) continue;
  stale.push(name);
  if (!values.check) await writeFile(file, content);
}
if (values.check && stale.length > 0) {
  console.error(`packages/client/src/generated is behind the contract (${stale.join(', ')}). Run \`pnpm generate\`.`);
  process.exitCode = 1;
} else {
  console.log(stale.length > 0 ? `Updated ${stale.join(', ')}.` : 'The generated files match the contract.');
}
