import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lock } from '../postgres/lock.ts';

const prefix = 'waybill-run-';

/** A folder for all temporary files of one run; disposal removes it. */
export interface RunFolder extends Disposable {
  path: string;
}

/** Creates the folder, and removes those of runs that were killed. */
export function createRunFolder(): RunFolder {
  for (const name of readdirSync(tmpdir())) if (name.startsWith(prefix)) removeUnowned(join(tmpdir(), name));
  const path = mkdtempSync(join(tmpdir(), prefix));
  const unlock = lock(path);
  return {
    path,
    [Symbol.dispose]() {
      unlock();
      rmSync(path, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

function removeUnowned(path: string): void {
  try {
    if (!readdirSync(path).includes('lock')) return; // its run is about to lock it
    lock(path)();
    rmSync(path, { recursive: true, force: true });
  } catch {} // its run is alive, or another user's
}
