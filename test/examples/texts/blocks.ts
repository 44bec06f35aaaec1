import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
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
export const root: URL = new URL('../../../', import.meta.url);
const exclude = (path: string): boolean => /(^|\/)(node_modules|dist|coverage)$|(^|\/)\.(?!$)/.test(path);

const files: string[] = [];
for await (const file of glob('**/*.md', { cwd: fileURLToPath(root), exclude })) files.push(file);

/** Path from the root → text, for every Markdown file of the repository. */
export const texts: Record<string, string> = Object.fromEntries(
  files.sort().map((file) => [file, readFileSync(new URL(file, root), 'utf8')]),
);

/** Every code block of them. */
export const blocks: Block[] = Object.entries(texts).flatMap(([file, text]) =>
  [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(({ index, 1: language = '', 2: code = '' }) => {
    const line = text.slice(0, index).split('\n').length;
    return { file, line, language, code };
  }),
);

/** The code blocks of one text. */
export const blocksIn = (name: string): Block[] => blocks.filter(({ file }) => file === name);

/** The `@example`s in the client's comments. */
export const commentExamples: string[] = [];
for await (const file of glob('packages/client/src/*.ts', { cwd: fileURLToPath(root) })) {
  const source = readFileSync(new URL(file, root), 'utf8');
  for (const [, code = ''] of source.matchAll(/@example (.+)/g)) commentExamples.push(code);
}
