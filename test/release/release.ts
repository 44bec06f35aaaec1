import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { pnpm } from '../fixtures/pnpm.ts';

export const execute = promisify(execFile);

/**
 * The server's tarball, made from its last build as `pnpm build` makes it, in a folder of its own. The tests run after the
 * build: another one would change files that other tests read.
 */
export async function packServer() {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-release-'));
  const [file = '', ...args] = [...pnpm, 'pack', '--pack-destination', folder, '--config.ignore-scripts=true'];
  await execute(file, args, { cwd: fileURLToPath(new URL('../../packages/server', import.meta.url)) });
  const [name = ''] = await readdir(folder);
  await execute('tar', ['xf', name], { cwd: folder });
  return {
    folder,
    tarball: join(folder, name),
    /** The path of an unpacked file. */
    file: (path: string): string => join(folder, 'package', path),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}
