import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A fenced code block. */
export interface Block {
  /** From the repository's root. */
  file: string;
  line: number;
  language: string;
  code: string;
}

/** The repository. */
export const root: URL = new URL('../../', import.meta.url);
const exclude = (path: string): boolean => /(^|\/)(node_modules|dist|coverage|generated)$|(^|\/)\.(?!$)/.test(path);

/** Path from the root → text, of every file that matches. */
export function read(pattern: string): Record<string, string> {
  const files = globSync(pattern, { cwd: fileURLToPath(root), exclude }).sort();
  return Object.fromEntries(files.map((file) => [file, readFileSync(new URL(file, root), 'utf8')]));
}

/** The Markdown files of the repository. */
const texts: Record<string, string> = read('**/*.md');

/** Every code block of them. */
export const blocks: Block[] = Object.entries(texts).flatMap(([file, text]) =>
  [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(({ index, 1: language = '', 2: code = '' }) => {
    const line = text.slice(0, index).split('\n').length;
    return { file, line, language, code };
  }),
);
