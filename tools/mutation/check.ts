import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type Mutant, mutated } from './mutant.ts';

const root = new URL('../../', import.meta.url);

/** What is wrong with the list: edits that do not apply, tests that do not exist and names that occur twice. */
export async function problemsOf(mutants: Mutant[]): Promise<string[]> {
  const tests = globSync('**/*.test.ts', { cwd: new URL('test', root) });
  const problems: string[] = [];
  const names = new Set<string>();
  for (const mutant of mutants) {
    const { name, file, killedBy } = mutant;
    if (names.has(name)) problems.push(`Mutant '${name}': another mutant has this name.`);
    names.add(name);
    try {
      mutated(mutant, await readFile(new URL(file, root), 'utf8'));
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
    }
    for (const filter of killedBy.split(' ')) {
      if (filter !== 'lint' && !tests.some((path) => path.includes(filter)))
        problems.push(`Mutant '${name}': no test matches '${filter}'.`);
    }
  }
  return problems;
}
