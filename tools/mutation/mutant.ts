import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** A small change that makes the product wrong, and the tests that must fail because of it. */
export interface Mutant {
  name: string;
  /** The file of the contract, in `spec/`; undefined for a change of a package. */
  file: string | undefined;
  /** Filters of vitest in `test/`, separated by spaces, or `lint`. */
  killedBy: string;
  /** Each key occurs exactly once, in one file of the contract or of the packages, and is replaced by its value. */
  edits: Record<string, string>;
}

/** A change of the packages. It does not name the file, so that it stays when its text moves to another one. */
export const mutant = (name: string, killedBy: string, edits: Mutant['edits']): Mutant => {
  return { name, file: undefined, killedBy, edits };
};

/** A change of a file of the contract. */
export const contractMutant = (name: string, file: string, killedBy: string, edits: Mutant['edits']): Mutant => {
  return { name, file: `spec/${file}`, killedBy, edits };
};

/** The repository. */
export const root: URL = new URL('../../', import.meta.url);

/** Path relative to the repository → text. */
export type Sources = Map<string, string>;

/** Reads the sources of the contract and the packages. */
export async function readSources(): Promise<Sources> {
  const files = globSync(['packages/**/*.ts', 'spec/**/*.yaml'], {
    cwd: root,
    exclude: (path) => /(^|\/)(node_modules|dist|released)$/.test(path),
  });
  return new Map(
    await Promise.all(files.map(async (file) => [file, await readFile(new URL(file, root), 'utf8')] as const)),
  );
}

/**
 * Applies the edits of a mutant.
 * @returns the changed files
 * @throws when an edited text does not occur exactly once: the source has changed, and the mutant must follow
 */
export function mutated({ name, file, edits }: Mutant, sources: Sources): Sources {
  const changed: Sources = new Map();
  for (const [find, replace] of Object.entries(edits)) {
    const found = [...sources.keys()].filter((path) => (file ? path === file : !path.startsWith('spec/')));
    const hits = found.filter((path) => sources.get(path)?.includes(find));
    const [path = ''] = hits;
    const parts = (changed.get(path) ?? sources.get(path) ?? '').split(find);
    if (hits.length !== 1 || parts.length !== 2)
      throw new Error(`Mutant '${name}': the text must occur once, not in [${hits.join(', ')}].\n${find}`);
    changed.set(path, parts.join(replace));
  }
  return changed;
}

/** What is wrong with the list: edits that do not apply, tests that do not exist and names that occur twice. */
export async function problemsOf(mutants: Mutant[]): Promise<string[]> {
  const sources = await readSources();
  const tests = globSync('**/*.test.ts', { cwd: new URL('test', root) });
  return mutants.flatMap((mutant, index) => {
    const { name, killedBy } = mutant;
    const problems: string[] = [];
    if (mutants.findIndex((other) => other.name === name) < index)
      problems.push(`Mutant '${name}': another has this name.`);
    try {
      mutated(mutant, sources);
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
    }
    const unknown = killedBy
      .split(' ')
      .filter((filter) => filter !== 'lint' && !tests.some((path) => path.includes(filter)));
    return [...problems, ...unknown.map((filter) => `Mutant '${name}': no test matches '${filter}'.`)];
  });
}
