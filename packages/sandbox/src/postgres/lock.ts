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
    if (cause instanceof Error && 'errcode' in cause && cause.errcode === busy) {
      const owner = ownerOf(pidFile);
      const stop = owner ? `Stop it: press Ctrl-C in its terminal, or run \`kill ${owner}\`` : 'Stop it';
      throw new Error(
        `Another Waybill is running from ${folder}. ${stop}. Or set WAYBILL_DATA_DIR to another folder, and PORT and MOCK_PORT to other ports.`,
        { cause },
      );
    }
    throw new Error(`cannot lock ${folder}; check that it belongs to the current user`, { cause });
  }
}

/** The process that has locked the folder; undefined while it has not written its id yet. */
function ownerOf(pidFile: string): string | undefined {
  try {
    return readFileSync(pidFile, 'utf8').trim();
  } catch {
    return undefined;
  }
}
