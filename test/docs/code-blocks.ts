import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The repository. */
export const root: URL = new URL('../../', import.meta.url);
const exclude = (path: string): boolean => /(^|\/)(node_modules|dist|coverage|generated)$|(^|\/)\.(?!$)/.test(path);

/** Path from the root → text, of every file that matches. */
export function read(pattern: string): Record<string, string> {
  const files = globSync(pattern, { cwd: fileURLToPath(root), exclude }).sort();
  return Object.fromEntries(files.map((file) => [file, readFileSync(new URL(file, root), 'utf8')]));
}

/** The fenced code blocks of a text. */
export const blocksIn = (text: string) =>
  [...text.matchAll(/^```(\w*)(?: \[[^\n]+\])?\n(.*?)^```$/gms)].map(({ index, 1: language = '', 2: code = '' }) => {
    return { line: text.slice(0, index).split('\n').length, language, code };
  });

/** Those of all Markdown files. */
export const blocks = Object.entries(read('**/*.md')).flatMap(([file, text]) =>
  blocksIn(text).map((block) => ({ file, ...block })),
);
