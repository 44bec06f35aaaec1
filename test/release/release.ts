import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packAll } from '@waybill/tools/release/packages';
import { pnpm } from '../fixtures/pnpm.ts';

export const execute = promisify(execFile);

/**
 * The tarballs of the last build, as `pnpm build` makes them, in a folder that has an earlier one. That of the server is
 * unpacked. The tests run after the build: another one would change files that other tests read.
 */
export async function packRelease() {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-release-'));
  await writeFile(join(folder, 'waybill-mock-0.9.0.tgz'), 'An earlier release.');
  const tarballs = await packAll(pnpm, folder);
  const [tarball = ''] = tarballs.map(({ path }) => path).filter((path) => path.includes('waybill-server-'));
  await execute('tar', ['xf', tarball], { cwd: folder });
  return {
    folder,
    tarballs,
    /** That of the server. */
    tarball,
    /** The path of an unpacked file. */
    file: (path: string): string => join(folder, 'package', path),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}
