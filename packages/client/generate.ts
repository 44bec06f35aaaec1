/**
 * Makes `src/generated/` from the contract: types with their documentation, the table of operations, and the examples for
 * mocks. `--check` writes nothing and fails when a committed file differs.
 */
import { clientTypes } from '@waybill/contract/client-types';
import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { writeGenerated } from '@waybill/contract/write-generated';
import type { Document } from './generate/document.ts';
import { operationTexts } from './generate/operation-texts.ts';
import { exampleTables, operationTable } from './generate/tables.ts';
import { forTypes } from './generate/types.ts';

const document = contract as unknown as Document;
const files: Record<string, string> = {
  'types.ts': await clientTypes(forTypes(document), operationTexts(document)),
  'table.ts': operationTable(document),
  'examples.ts': exampleTables(document),
};

const banner = '// Made from the contract by `pnpm generate`. Do not edit.\n';
await writeGenerated(
  new URL('src/generated/', import.meta.url),
  Object.fromEntries(Object.entries(files).map(([name, source]) => [name, banner + source])),
  { name: 'packages/client/src/generated', source: 'the contract' },
);
