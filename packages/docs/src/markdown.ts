/** Parts of Markdown pages. */

/** Escapes what Vue would read as a tag or an expression, outside of code spans. */
export const prose = (text: string): string =>
  text
    .trim()
    .split('`')
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll('<', '&lt;').replaceAll('{{', '&#123;&#123;')))
    .join('`');

/** `prose` as a single line. */
export const line = (text: string): string => prose(text).replaceAll(/\s*\n\s*/g, ' ');

/** The description has the dates, and what to use instead. */
export const deprecatedMark = ({ deprecated }: { deprecated?: boolean | undefined }): string[] =>
  deprecated ? ['[**deprecated**](/guides/versions)'] : [];

export const fence = (language: string, code: string, title = ''): string =>
  `\`\`\`${language}${title && ` [${title}]`}\n${code.trimEnd()}\n\`\`\``;

export const json = (value: unknown): string => JSON.stringify(value, null, 2);

/** Fences with titles as tabs; a single one needs none. */
export const tabs = (fences: string[]): string =>
  fences.length > 0 ? `::: code-group\n\n${fences.join('\n\n')}\n\n:::` : '';

/** Markdown that is shown when its summary, which is HTML, is chosen. */
export const details = (summary: string, text: string): string =>
  `<details>\n<summary>${summary}</summary>\n\n${text}\n\n</details>\n`;

/** A method in its colour, and a path. */
export const requestLine = (method: string, path: string): string =>
  `<b class="method ${method.toLowerCase()}">${method}</b> \`${path}\``;

export const operationLink = (id: string): string => `[\`${id}\`](/reference/${id})`;
export const problemLink = (code: string): string => `[\`${code}\`](/errors/${code})`;

/** A table; a column is a heading. */
export const table = (columns: string[], rows: string[][]): string =>
  [columns, columns.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
