import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vitest/node';

export const root: string = fileURLToPath(new URL('../../', import.meta.url));

/** Stands for the name of an import that is not written out: nobody can check where it leads. */
export const computed = '(computed)';

/** A source text and what the rules ask of it; paths begin at the repository's root. */
export interface Source {
  path: string;
  text: string;
  imports: Import[];
}

export interface Import {
  /** As written: `./a.ts`, `pg`, `@waybill/client`. */
  from: string;
  /** Gone at run time. */
  isType: boolean;
  /** No module, only the address of a file. */
  isFile: boolean;
}

export interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

export const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string';
export const children = (node: Node): Node[] => Object.values(node).flat().filter(isNode);
/** A text that is written out; undefined when it is put together. */
export const textOf = (node: unknown): string | undefined => {
  const { type, value, quasis } = (node ?? {}) as {
    type?: string;
    value?: unknown;
    quasis?: { value: { raw: string } }[];
  };
  if (type === 'Literal' && typeof value === 'string') return value;
  return type === 'TemplateLiteral' && quasis?.length === 1 ? quasis[0]?.value.raw : undefined;
};

/** TypeScript has no parser in JavaScript any more, and the test runner brings one. */
export const parse = (text: string): Node => parseAst(text, { lang: 'ts' }) as unknown as Node;

/** A source text with its imports found. */
export function sourceOf(path: string, text: string): Source {
  const source: Source = { path, text, imports: [] };
  const add = (from: unknown, isType = false): void => {
    source.imports.push({ from: textOf(from) ?? computed, isType, isFile: false });
  };
  const written = (node: Node): string => text.slice(node.start, node.end);

  const visit = (node: Node): void => {
    if (isImport(node) && node.source) {
      add(node.source, node.importKind === 'type' || node.exportKind === 'type');
    } else if (node.type === 'ImportExpression') add(node.source);
    else if (node.type === 'TSImportType') add(node.source, true);
    else if (isCallOf(node, ['import.meta.resolve', 'require'], written)) add((node.arguments as Node[])[0]);
    else if (node.type === 'NewExpression' && written(node).endsWith('import.meta.url)')) {
      const file = textOf((node.arguments as Node[])[0]);
      if (file !== undefined) source.imports.push({ from: `./${file}`, isType: false, isFile: true });
    }
    for (const child of children(node)) visit(child);
  };
  visit(parse(text));
  return source;
}

const isImport = ({ type }: Node): boolean =>
  ['ImportDeclaration', 'ExportNamedDeclaration', 'ExportAllDeclaration'].includes(type);

const isCallOf = (node: Node, names: string[], written: (node: Node) => string): boolean =>
  node.type === 'CallExpression' && names.includes(written(node.callee as Node));

/** Every node of a text, with the name of the outermost function that it is in. */
export function nodesOf(text: string): { node: Node; within: string }[] {
  const found: { node: Node; within: string }[] = [];
  const visit = (node: Node, within: string): void => {
    found.push({ node, within });
    const { id } = node as { id?: { name?: string } };
    const isNamed = node.type === 'FunctionDeclaration' || node.type === 'VariableDeclarator';
    for (const child of children(node)) visit(child, within || (isNamed && id?.name) || '');
  };
  visit(parse(text), '');
  return found;
}

/** Where a relative import leads, from the repository's root; undefined for a package. */
export const target = (path: string, { from }: Pick<Import, 'from'>): string | undefined =>
  from.startsWith('.') ? normalize(join(dirname(path), from)) : undefined;

/** Everything written by hand below these folders. */
export async function sourcesIn(...folders: string[]): Promise<Source[]> {
  const paths: string[] = [];
  const exclude = (name: string): boolean => /(^|\/)(node_modules|dist|generated|\.\w+)$/.test(name);
  for (const folder of folders) {
    for await (const path of glob(`${folder}/**/*.{ts,js,mjs}`, { cwd: root, exclude })) paths.push(path);
  }
  return paths.map((path) => sourceOf(path, readFileSync(join(root, path), 'utf8')));
}
