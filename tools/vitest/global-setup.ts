import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { lock } from '../postgres/lock.ts';

/** Compiled code, cached across runs. */
const compileCache = fileURLToPath(new URL('../../node_modules/.cache/compile', import.meta.url));
const prefix = 'waybill-run-';

/**
 * Puts all temporary files of the run in one folder, and removes it afterwards, together with folders of killed runs.
 * Node caches what it compiles, for the workers of vitest and for every program that a test starts.
 */
export default function setup({ config }: TestProject): () => void {
  for (const name of readdirSync(tmpdir())) if (name.startsWith(prefix)) removeUnlocked(join(tmpdir(), name));
  const folder = mkdtempSync(join(tmpdir(), prefix));
  const unlock = lock(folder);
  process.env.TMPDIR = folder;
  // V8 reports the coverage of cached functions less precisely.
  if (!config.coverage.enabled) process.env.NODE_COMPILE_CACHE = compileCache;
  return () => {
    unlock();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  };
}

function removeUnlocked(folder: string): void {
  try {
    if (!readdirSync(folder).includes('lock')) return; // another run has created it and locks it next
    lock(folder)();
    rmSync(folder, { recursive: true, force: true });
  } catch {} // its run is alive, or it belongs to another user
}
