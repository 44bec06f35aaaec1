import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { createRunFolder } from '../processes/run-folder.ts';

/** Compiled code, for the next run too. */
const compileCache = fileURLToPath(new URL('../../node_modules/.cache/compile', import.meta.url));

/**
 * vitest's global setup: all temporary files of the run are in one folder, which goes with it. Node caches what it
 * compiles, for vitest's workers and for every program that a test starts.
 */
export default function setup({ config }: TestProject): () => void {
  const folder = createRunFolder();
  process.env.TMPDIR = folder.path;
  // V8 reports the coverage of cached functions less precisely.
  if (!config.coverage.enabled) process.env.NODE_COMPILE_CACHE = compileCache;
  return () => folder[Symbol.dispose]();
}
