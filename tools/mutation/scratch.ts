import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Mutant, mutated, readSources, root as rootUrl } from './mutant.ts';

const root = fileURLToPath(rootUrl);
/** Not copied. The dependencies are shared. */
const excluded = ['.git', '.waybill', 'node_modules'].map((name) => join(root, name));

/** Copies the repository with its builds, so that mutants are applied there. */
export async function scratchCopy() {
  const path = await mkdtemp(join(tmpdir(), 'waybill-mutation-'));
  const filter = (source: string): boolean => !excluded.includes(source);
  await cp(root, path, { recursive: true, verbatimSymlinks: true, filter });
  await symlink(join(root, 'node_modules'), join(path, 'node_modules'));
  const author = ['-c', 'user.name=Waybill', '-c', 'user.email=waybill@localhost'];
  const git = (...args: string[]) => promisify(execFile)('git', [...author, ...args], { cwd: path });
  await git('init', '-q');
  await git('add', '--all');
  await git('commit', '-q', '-m', 'Without a mutant');
  const sources = await readSources();
  return {
    path,
    async apply(mutant: Mutant): Promise<void> {
      for (const [file, text] of mutated(mutant, sources)) await writeFile(join(path, file), text);
    },
    /** Removes the mutant and the files generated from it. */
    async restore(): Promise<void> {
      await git('checkout', '-q', '.');
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}
