import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const busy = 5; // SQLITE_BUSY

/**
 * Locks a data folder until the returned function is called. It uses the file lock of SQLite, the only operating system
 * lock available in Node: the kernel releases it when the process ends for any reason.
 * @throws when the folder is locked already, by this or another process; the message names the process
 */
export function lock(folder: string): () => void {
  const pidFile = join(folder, 'lock.pid');
  let opened: DatabaseSync | undefined;
  try {
    const handle = new DatabaseSync(join(folder, 'lock'));
    opened = handle;
    handle.exec('begin immediate');
    writeFileSync(pidFile, `${process.pid}\n`);
    return () => handle.close();
  } catch (cause) {
    opened?.close();
    if (cause instanceof Error && 'errcode' in cause && cause.errcode === busy)
      throw new Error(`another Waybill is running from ${folder} (process ${ownerOf(pidFile)})`, { cause });
    throw new Error(`cannot lock ${folder}; check that it belongs to the current user`, { cause });
  }
}

function ownerOf(pidFile: string): string {
  try {
    return readFileSync(pidFile, 'utf8').trim();
  } catch {
    return 'unknown'; // the owner has not written it yet
  }
}
