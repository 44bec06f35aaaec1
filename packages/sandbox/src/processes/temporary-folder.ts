import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lock } from '../postgres/lock.ts';

/** Makes a temporary folder, and removes those of killed processes with the same prefix. Disposal removes it. */
export function temporaryFolder(prefix: string): { path: string } & Disposable {
  for (const name of readdirSync(tmpdir())) if (name.startsWith(prefix)) removeUnlocked(join(tmpdir(), name));
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

function removeUnlocked(folder: string): void {
  try {
    if (!readdirSync(folder).includes('lock')) return; // another process has created it and locks it next
    lock(folder)();
    rmSync(folder, { recursive: true, force: true });
  } catch {} // its process is alive, or it belongs to another user
}
