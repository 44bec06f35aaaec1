import { server } from './rooms.ts';
import { children, type Node, parse, type Source, target, textOf } from './sources.ts';

const config = `${server}config.ts`;

/** The name of a member, however it is written; undefined when it is computed. */
function memberOf({ computed, property }: Node): string | undefined {
  const { name } = property as { name?: string };
  return computed ? textOf(property) : name;
}

/** What has the environment: `process`, also as a member of the global object, and vite's `import.meta`. */
const hasEnvironment = (node: Node): boolean =>
  (node.type === 'Identifier' && node.name === 'process') ||
  (node.type === 'MemberExpression' &&
    ['globalThis', 'global'].includes((node.object as { name?: string }).name ?? '') &&
    memberOf(node) === 'process') ||
  node.type === 'MetaProperty';

/** The name of a member or of a key; that of a pattern takes what has the name. */
function isOnlyName(node: Node, [parent, grandparent]: Node[]): boolean {
  if (parent?.type === 'MemberExpression') return parent.property === node && !parent.computed;
  return parent?.type === 'Property' && grandparent?.type === 'ObjectExpression' && parent.key === node;
}

/** Whether `readConfig` is the one of the server. */
const knowsConfig = (program: Node, path: string): boolean =>
  (program.body as Node[]).some(
    ({ type, source, specifiers }) =>
      type === 'ImportDeclaration' &&
      target(path, { from: textOf(source) ?? '' }) === config &&
      (specifiers as { imported?: Node; local: Node }[]).some(
        ({ imported, local }) => imported?.name === 'readConfig' && local.name === 'readConfig',
      ),
  );

/**
 * Each place that may read the environment, as it is written: every use of what has it, but for members of another
 * name, because who gives it on, takes it apart or calls it otherwise can read it there. Handing it to `readConfig`
 * as a whole is none.
 */
export function environmentOf({ path, text, imports }: Source): string[] {
  const program = parse(text);
  const mayHandOver = knowsConfig(program, path);
  const modules = imports.filter(({ from }) => /^(node:)?process$/.test(from)).map(({ from }) => `import of ${from}`);
  const found = new Map<number, string>(); // in `{ process }` it stands for two at one place

  const visit = (node: Node, above: Node[]): void => {
    const [parent, grandparent] = above;
    if (parent && hasEnvironment(node) && !isOnlyName(node, above)) {
      const member = parent.type === 'MemberExpression' && parent.object === node ? memberOf(parent) : undefined;
      const { name: callee } = (grandparent?.callee ?? {}) as { name?: string };
      const isHandedOver = mayHandOver && member === 'env' && callee === 'readConfig';
      const isHarmless = member !== undefined && member !== 'env';
      if (!isHarmless && !isHandedOver) found.set(node.start, text.slice(parent.start, parent.end));
    }
    for (const child of children(node)) visit(child, [node, ...above]);
  };
  visit(program, []);
  return [...modules, ...found.values()];
}
