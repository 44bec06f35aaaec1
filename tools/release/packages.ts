import { execFile } from 'node:child_process';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));

/** The packages that are published. */
const names = ['server', 'client', 'mock', 'mcp', 'sandbox'];

/** The tarball of a package. */
export interface Tarball {
  path: string;
  /** In bytes. */
  size: number;
}

/**
 * Packs the published packages from their last builds, in place of earlier tarballs.
 * @param pnpm the command of the package manager
 * @param folder relative to the repository, or absolute
 */
export async function packAll(pnpm: string[], folder: string): Promise<Tarball[]> {
  const destination = resolve(root, folder);
  await mkdir(destination, { recursive: true });
  for (const { path } of await tarballsIn(folder)) await rm(path);
  const [file = '', ...args] = [...pnpm, 'pack', '--pack-destination', destination, '--config.ignore-scripts=true'];
  for (const name of names) await execute(file, args, { cwd: join(root, 'packages', name) });
  return tarballsIn(folder);
}

/** The tarballs in a folder, in the order of their names. */
export async function tarballsIn(folder: string): Promise<Tarball[]> {
  const files = (await readdir(resolve(root, folder))).filter((file) => /^waybill-.*\.tgz$/.test(file));
  const paths = files.sort().map((file) => resolve(root, folder, file));
  return Promise.all(paths.map(async (path) => ({ path, size: (await stat(path)).size })));
}
