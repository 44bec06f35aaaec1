import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Mutant, mutated } from './mutant.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);
const author = ['-c', 'user.name=Waybill', '-c', 'user.email=waybill@localhost'];

/** A copy of the repository, in which mutants are applied. */
export interface Scratch extends AsyncDisposable {
  path: string;
  apply(mutant: Mutant): Promise<void>;
  /** Removes the mutant and the files generated from it. */
  restore(): Promise<void>;
}

/** Copies the files that git knows, the builds and the links to dependencies. The dependencies themselves are shared. */
export async function scratchCopy(): Promise<Scratch> {
  const path = await mkdtemp(join(tmpdir(), 'waybill-mutation-'));
  const git = (cwd: string, ...args: string[]) => run('git', args, { cwd, maxBuffer: 64 * 1024 * 1024 });
  const { stdout } = await git(root, 'ls-files', '-z', '--cached', '--others', '--exclude-standard');
  const files = stdout.split('\0').filter(Boolean);
  const packages = files.filter((file) => file.endsWith('/package.json')).map(dirname);
  const copy = (file: string): Promise<void> =>
    cp(join(root, file), join(path, file), { recursive: true, verbatimSymlinks: true }).catch((error) => {
      if (error.code !== 'ENOENT') throw error; // removed but still in the index, or not built
    });
  for (const folder of new Set(files.map(dirname))) await mkdir(join(path, folder), { recursive: true });
  await Promise.all(files.map(copy));
  await Promise.all(packages.flatMap((folder) => [copy(join(folder, 'node_modules')), copy(join(folder, 'dist'))]));
  await git(path, 'init', '-q');
  await git(path, 'add', '--all');
  await git(path, ...author, 'commit', '-q', '-m', 'Without a mutant');
  await symlink(join(root, 'node_modules'), join(path, 'node_modules'));

  return {
    path,
    async apply(mutant) {
      const file = join(path, mutant.file);
      await writeFile(file, mutated(mutant, await readFile(file, 'utf8')));
    },
    async restore() {
      await git(path, 'checkout', '-q', '.');
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}
