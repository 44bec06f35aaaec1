import { variables } from '../config.ts';
import type { Variable } from './variable.ts';

/** The guide of all settings, in Markdown. */
export function settingsPage(): string {
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
