import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const busy = 5; // SQLITE_BUSY

/**
 * Makes this process the only owner of a data folder until the returned function is called.
 * SQLite's file lock is the one operating system lock that Node offers: the kernel frees it however the owner dies, so that
 * no dead or reused process number can hold the folder.
 * @throws when another process, or another part of this one, owns the folder; the message names the process.
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
    throw new Error(`cannot lock ${folder}; does it belong to another user?`, { cause });
  }
}

function ownerOf(pidFile: string): string {
  try {
    return readFileSync(pidFile, 'utf8').trim();
  } catch {
    return 'unknown'; // the owner took the lock this very moment
  }
}
