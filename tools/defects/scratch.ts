import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Defect, planted } from './defect.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);
const author = ['-c', 'user.name=Waybill', '-c', 'user.email=waybill@localhost'];

/** A copy of the repository, to be broken. */
export interface Scratch extends AsyncDisposable {
  path: string;
  /** Puts a defect in. */
  plant(defect: Defect): Promise<void>;
  /** Takes it out again, and with it everything that was made from it. */
  restore(): Promise<void>;
}

/** Copies what git knows of, what is built and the links to dependencies; the dependencies themselves are shared. */
export async function scratchCopy(): Promise<Scratch> {
  const path = await mkdtemp(join(tmpdir(), 'waybill-defects-'));
  const git = (cwd: string, ...args: string[]) => run('git', args, { cwd, maxBuffer: 64 * 1024 * 1024 });
  const { stdout } = await git(root, 'ls-files', '-z', '--cached', '--others', '--exclude-standard');
  const files = stdout.split('\0').filter(Boolean);
  const packages = files.filter((file) => file.endsWith('/package.json')).map(dirname);
  const copy = (file: string): Promise<void> =>
    cp(join(root, file), join(path, file), { recursive: true, verbatimSymlinks: true }).catch((error) => {
      if (error.code !== 'ENOENT') throw error; // removed, but git has not been told; or not built
    });
  for (const folder of new Set(files.map(dirname))) await mkdir(join(path, folder), { recursive: true });
  await Promise.all(files.map(copy));
  await Promise.all(packages.flatMap((folder) => [copy(join(folder, 'node_modules')), copy(join(folder, 'dist'))]));
  await git(path, 'init', '-q');
  await git(path, 'add', '--all');
  await git(path, ...author, 'commit', '-q', '-m', 'Without a defect');
  await symlink(join(root, 'node_modules'), join(path, 'node_modules'));

  return {
    path,
    async plant(defect) {
      const file = join(path, defect.file);
      await writeFile(file, planted(defect, await readFile(file, 'utf8')));
    },
    async restore() {
      await git(path, 'checkout', '-q', '.');
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}
