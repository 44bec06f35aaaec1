/** Writes the list of all migrations and the page of all settings. `--check` fails when a committed file differs. */
import { readdir } from 'node:fs/promises';
import { writeGenerated } from '@waybill/contract/write-generated';
import type { Variable } from './src/config/variable.ts';
import { variables } from './src/config.ts';

const files = (await readdir(new URL('src/database/migrations/', import.meta.url)))
  .filter((file) => file.endsWith('.ts'))
  .sort();
const names = files.map((name) => name.replace('.ts', ''));

// Imports, because the bundle must contain the migrations.
const source = `// Made from src/database/migrations/ by \`npx -y pnpm@12 generate\`. Do not edit.
import type { Migrations } from '../src/database/schema/migration.ts';
${names.map((name, index) => `import * as migration${index + 1} from '../src/database/migrations/${name}.ts';`).join('\n')}

/** All migrations, in order. */
export const migrations: Migrations = {
${names.map((name, index) => `  '${name}': migration${index + 1},`).join('\n')}
};
`;

/** The guide of all settings, in Markdown. */
function settingsPage(): string {
  const rows = Object.entries(variables).map(
    ([name, variable]) =>
      `| \`${name}\` | ${cell(variable.description)} | ${valuesOf(variable)} | ${defaultOf(name, variable)} |`,
  );
  return `<!-- Made from packages/server/src/config.ts by \`npx -y pnpm@12 generate\`. Do not edit. -->

# Settings

Every setting is an environment variable. \`waybill check --help\` prints the same list, and \`waybill check\` tests the values.
An invalid one stops the start with a message that names it. \`DATABASE_URL\` and \`SIGNING_KEYS\` must be set.

| Setting | Meaning | Values | Default |
| --- | --- | --- | --- |
${rows.join('\n')}
`;
}

const cell = (text: string): string => text.replaceAll('|', '\\|');
const code = (value: unknown): string => `\`${value}\``;

function valuesOf({ type, example, enum: names, minimum, maximum }: Variable): string {
  if (Array.isArray(names)) return names.map(code).join(', ');
  if (type === 'boolean') return '`true`, `false`';
  if (type === 'integer') return `${minimum} to ${maximum}`;
  return `such as ${code(example)}`;
}

/** The default of DOCS_DIR depends on where the service runs. */
const defaultOf = (name: string, { default: value }: Variable): string =>
  name === 'DOCS_DIR' ? 'the docs of the release' : value === undefined || value === '' ? '' : code(value);

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
