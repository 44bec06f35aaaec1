import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** A small change that makes the product wrong, and the tests that must fail because of it. */
export interface Mutant {
  name: string;
  /** Where the changed files are. A mutant does not name them, so that it stays when its text moves to another file. */
  folder: 'packages/' | 'spec/';
  /** Filters of vitest in `test/`, separated by spaces, or `lint`. */
  killedBy: string;
  edits: Edit[];
}

/** The text to find occurs exactly once, in one file of the folder. */
interface Edit {
  find: string;
  replace: string;
}

/**
 * Mutants by `<tests>: <name>`. Each value is a text of the sources with its change as `git diff --word-diff` shows it:
 * `a [-removed-]{+added+} b`.
 */
export type List = Record<string, string | string[]>;

export const mutantsOf = (list: List, folder: Mutant['folder']): Mutant[] =>
  Object.entries(list).map(([key, texts]) => {
    const [killedBy = '', ...name] = key.split(': ');
    return { name: name.join(': '), folder, killedBy, edits: [texts].flat().map(editOf) };
  });

const [removed, added] = [/\[-(.*?)-\]/gs, /\{\+(.*?)\+\}/gs];
const editOf = (text: string): Edit => ({
  find: text.replaceAll(added, '').replaceAll(removed, '$1'),
  replace: text.replaceAll(removed, '').replaceAll(added, '$1'),
});

/** The repository. */
export const root: URL = new URL('../../', import.meta.url);

/** Path relative to the repository → text. */
export type Sources = Map<string, string>;

/** Reads the sources of the contract and the packages. */
export async function readSources(): Promise<Sources> {
  const files = globSync(['packages/**/*.{ts,tsx}', 'spec/**/*.yaml'], {
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
export function mutated({ name, folder, edits }: Mutant, sources: Sources): Sources {
  const changed: Sources = new Map();
  for (const { find, replace } of edits) {
    const hits = [...sources].flatMap(([path, text]) => (path.startsWith(folder) && text.includes(find) ? path : []));
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
