import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vitest/node';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** A source file of the server. */
export interface Source {
  /** Relative to the root of the repository. */
  path: string;
  text: string;
}

export interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string';
const children = (node: Node): Node[] => Object.values(node).flat().filter(isNode);

/** Every syntax node of a TypeScript text, with the name of its outermost function. */
export function nodesOf(text: string): { node: Node; within: string }[] {
  const nodes: { node: Node; within: string }[] = [];
  const visit = (node: Node, within: string): void => {
    nodes.push({ node, within });
    const { id } = node as { id?: { name?: string } };
    const isNamed = node.type === 'FunctionDeclaration' || node.type === 'VariableDeclarator';
    for (const child of children(node)) visit(child, within || (isNamed && id?.name) || '');
  };
  visit(parseAst(text, { lang: 'ts' }) as unknown as Node, '');
  return nodes;
}

/** The server's source files, without the migrations and what runs them: they change the schema of all accounts. */
export async function serverSources(): Promise<Source[]> {
  const sources: Source[] = [];
  for await (const path of glob('packages/server/src/**/*.ts', { cwd: root })) {
    if (!path.includes('/migrat')) sources.push({ path, text: readFileSync(root + path, 'utf8') });
  }
  return sources;
}
