import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SettingsError } from './settings.ts';

/** Folders of the data folder. */
const folders = ['demo', 'files', 'postgres'];

/**
 * Creates the data folder and its folders, and writes a file, because permissions do not show that a disk is read-only or
 * full.
 * @throws {SettingsError} when one of them cannot be used
 */
export async function prepareDataFolder(dataDir: string): Promise<void> {
  try {
    await makeFolder(dataDir);
    // Proofs of delivery contain names: other users of this machine must not read them.
    for (const name of folders) await makeFolder(join(dataDir, name), 0o700);
    const file = join(dataDir, `write-test-${process.pid}`);
    await writeFile(file, Buffer.alloc(4096), { mode: 0o600 });
    await rm(file);
  } catch (error) {
    throw new SettingsError(
      `WAYBILL_DATA_DIR ${dataDir}: ${reasonOf(error)}. Use a folder in which you can create files, for example WAYBILL_DATA_DIR=$HOME/waybill`,
    );
  }
}

/** Not with the option `recursive`, which tries for ever where the system forbids folders, such as in /proc. */
async function makeFolder(path: string, mode = 0o777): Promise<void> {
  try {
    await mkdir(path, mode);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' && !(await stat(dirname(path)).catch(() => undefined))) {
      await makeFolder(dirname(path));
      return makeFolder(path, mode);
    }
    if (codeOf(error) !== 'EEXIST' || !(await stat(path)).isDirectory()) throw error;
  }
}

const codeOf = (error: unknown): unknown => error instanceof Error && 'code' in error && error.code;

/** The path of an error is that of the folder which cannot be used. */
function reasonOf(error: unknown): string {
  const { code, path = '', message } = error as NodeJS.ErrnoException;
  if (code === 'ENOTDIR' || code === 'EEXIST') return `a part of ${path} is a file, not a folder`;
  if (code === 'ENOENT') return `${path} cannot be created, because its file system or a broken link prevents it`;
  if (code === 'EACCES' || code === 'EPERM') return `you are not allowed to write ${path}`;
  return message;
}
