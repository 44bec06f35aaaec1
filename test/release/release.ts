import { execFile } from 'node:child_process';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packAll } from '@waybill/tools/release/packages';
import { pnpm } from '../fixtures/programs/pnpm.ts';

export const execute = promisify(execFile);

/**
 * The tarballs of the last build, as `pnpm build` makes them, in a folder that has an earlier one. The tests run after the
 * build: another one would change files that other tests read.
 */
export async function packRelease() {
  const { path: folder, ...disposal } = await mkdtempDisposable(join(tmpdir(), 'waybill-release-'));
  await writeFile(join(folder, 'waybill-mock-0.9.0.tgz'), 'An earlier release.');
  return { folder, tarballs: await packAll(pnpm, folder), ...disposal };
}
