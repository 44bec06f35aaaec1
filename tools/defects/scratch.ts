import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Defect, planted } from './defect.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);

/** A copy of the repository, to be broken. */
export interface Scratch extends AsyncDisposable {
  path: string;
  /** Puts a defect in. The result takes it out again, and with it everything that was made from it. */
  plant(defect: Defect): Promise<() => Promise<void>>;
}

/** Copies what git knows of, what is built and the links to dependencies; the dependencies themselves are shared. */
export async function scratchCopy(): Promise<Scratch> {
  const path = await mkdtemp(join(tmpdir(), 'waybill-defects-'));
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  const files = stdout.split('\0').filter(Boolean);
  const packages = files.filter((file) => file.endsWith('/package.json')).map(dirname);
  const copy = (file: string): Promise<void> =>
    cp(join(root, file), join(path, file), { recursive: true, verbatimSymlinks: true }).catch((error) => {
      if (error.code !== 'ENOENT') throw error; // removed, but not yet for git; or never built
    });
  for (const folder of new Set(files.map((file) => dirname(file))))
    await mkdir(join(path, folder), { recursive: true });
  await Promise.all(files.map(copy));
  await Promise.all(packages.flatMap((folder) => [copy(join(folder, 'node_modules')), copy(join(folder, 'dist'))]));
  await symlink(join(root, 'node_modules'), join(path, 'node_modules'));

  return {
    path,
    async plant(defect) {
      const original = await readFile(join(root, defect.file), 'utf8');
      await writeFile(join(path, defect.file), planted(defect, original));
      return async () => {
        await copy(defect.file);
        await copy('packages/contract/generated');
      };
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}
