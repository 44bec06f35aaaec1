/** Writes the list of all migrations and the page of all settings. `--check` fails when a committed file differs. */
import { readdir } from 'node:fs/promises';
import { writeGenerated } from '@waybill/contract/write-generated';
import { settingsPage } from './src/config/settings-page.ts';

const files = (await readdir(new URL('src/database/migrations/', import.meta.url)))
  .filter((file) => file.endsWith('.ts'))
  .sort();
const names = files.map((name) => name.replace('.ts', ''));

// Imports, because the bundle must contain the migrations.
const source = `// Made from src/database/migrations/ by \`npx -y pnpm@12 generate\`. Do not edit.
import type { Migrations } from '../src/database/migration.ts';
${names.map((name, index) => `import * as migration${index + 1} from '../src/database/migrations/${name}.ts';`).join('\n')}

/** All migrations, in order. */
export const migrations: Migrations = {
${names.map((name, index) => `  '${name}': migration${index + 1},`).join('\n')}
};
`;

await writeGenerated(
  new URL('generated/', import.meta.url),
  { 'migrations.ts': source },
  { name: 'packages/server/generated', source: 'src/database/migrations/' },
);

await writeGenerated(
  new URL('../../deploy/generated/', import.meta.url),
  { 'settings.md': settingsPage() },
  { name: 'deploy/generated', source: 'packages/server/src/config.ts' },
);
