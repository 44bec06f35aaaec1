import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { computed, type Import, root, type Source, target } from './sources.ts';

/** A package of the workspace. */
export interface Package {
  /** Its folder, from the repository's root. */
  folder: string;
  name: string;
  dependencies: string[];
  devDependencies: string[];
}

/** Which package may know which others: `spec → contract → server, client, mock, docs → test`. */
export const arrows: Record<string, string[]> = {
  spec: [],
  'packages/contract': ['spec'],
  'packages/server': ['packages/contract'],
  'packages/client': ['packages/contract'],
  'packages/mock': ['packages/contract'],
  'packages/docs': ['packages/contract'],
  tools: ['spec', 'packages/contract', 'packages/client'],
  test: [
    ...['spec', 'packages/contract', 'packages/server', 'packages/client', 'packages/mock', 'packages/docs'],
    ...['tools', 'test/foreign-generators'],
  ],
  'test/foreign-generators': ['packages/contract'],
};

/** The samples of the guides are programs of somebody who has the client; the pages show their text. */
const samples = 'packages/docs/samples/';

export async function packages(): Promise<Package[]> {
  const found: Package[] = [];
  const exclude = (name: string): boolean => /(^|\/)(node_modules|\.\w+)$/.test(name);
  for await (const path of glob('*/**/package.json', { cwd: root, exclude })) {
    const { name, dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(join(root, path), 'utf8'));
    const names = { dependencies: Object.keys(dependencies), devDependencies: Object.keys(devDependencies) };
    found.push({ folder: dirname(path), name, ...names });
  }
  return found;
}

const around = (path: string, all: Package[]): Package[] =>
  all.filter(({ folder }) => `${path}/`.startsWith(`${folder}/`)).sort((a, b) => a.folder.length - b.folder.length);

/** The package that a path is in. One inside another is a room of it with dependencies of its own. */
export const packageOf = (path: string, all: Package[]): Package | undefined => around(path, all)[0];

/** The name of the package that an import is of, without the way inside it; undefined for Node's own. */
export function dependencyOf(from: string): string | undefined {
  if (from.startsWith('.') || from.startsWith('node:') || from === computed) return undefined;
  return from.split('/', from.startsWith('@') ? 2 : 1).join('/');
}

const isModule = (path: string, { isFile }: Import): boolean => !isFile && !path.endsWith('.json');

const mayKnow = (from: string, to: string): boolean => from === to || (arrows[from]?.includes(to) ?? false);

/** Imports against the arrows, and relative ones that leave their package. */
export function wrongWays(sources: Source[], all: Package[]): string[] {
  return sources.flatMap((source) => {
    const own = packageOf(source.path, all);
    if (!own) return [`${source.path} is in no package`];
    return source.imports.flatMap((one) => {
      const where = `${source.path} imports ${one.from}`;
      const path = target(source.path, one);
      const name = dependencyOf(one.from);
      const other = path === undefined ? all.find((each) => each.name === name) : packageOf(path, all);
      if (path !== undefined && isModule(path, one) && other !== own) return [`${where}, which leaves ${own.folder}`];
      if (one.from === computed && own.folder !== 'test') return [`${where}, which cannot be checked`];
      if (!other || mayKnow(own.folder, other.folder)) return [];
      if (source.path.startsWith(samples) && other.folder === 'packages/client') return [];
      return [`${where}: ${own.folder} must not know ${other.folder}`];
    });
  });
}

/** Dependencies in `package.json` against the arrows. */
export const wrongDependencies = (all: Package[]): string[] =>
  all.flatMap((own) =>
    [...own.dependencies, ...own.devDependencies].flatMap((name) => {
      const other = all.find((each) => each.name === name);
      if (!other || mayKnow(own.folder, other.folder)) return [];
      if (own.folder === 'packages/docs' && other.folder === 'packages/client') return []; // for the samples
      return [`${own.folder}/package.json depends on ${name}`];
    }),
  );

/** What is imported and not declared; at run time a development dependency does not count, unless it is bundled. */
export function undeclared(sources: Source[], all: Package[], bundled: string[]): string[] {
  return sources.flatMap((source) => {
    const owners = around(source.path, all);
    const [own] = owners;
    return source.imports.flatMap(({ from, isType }) => {
      const name = dependencyOf(from);
      if (!own || name === undefined || name === own.name) return [];
      const atRunTime = !isType && source.path.includes('/src/') && !bundled.includes(own.folder);
      const declared = owners.flatMap(({ dependencies, devDependencies }) =>
        atRunTime ? dependencies : [...dependencies, ...devDependencies],
      );
      if (declared.includes(name) || declared.includes(`@types/${name}`)) return [];
      return [`${source.path} imports ${name}, which is not among the ${atRunTime ? 'dependencies' : 'declared ones'}`];
    });
  });
}
