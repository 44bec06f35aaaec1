import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@waybill/sandbox/processes/temporary-folder';
import type { TestProject } from 'vitest/node';

const buildPages = fileURLToPath(new URL('../../packages/pages/build.ts', import.meta.url));

/** Compiled code, cached across runs. */
const compileCache = fileURLToPath(new URL('../../node_modules/.cache/compile', import.meta.url));

/**
 * Builds the pages, if their sources have changed. Puts all temporary files of the run in one folder, and removes it afterwards, together with folders of killed runs.
 * Node caches what it compiles, for the workers of vitest and for every program that a test starts.
 */
export default function setup({ config }: TestProject): () => void {
  execFileSync(process.execPath, [buildPages], { stdio: 'inherit' });
  const folder = temporaryFolder('waybill-run-');
  process.env.TMPDIR = folder.path;
  // V8 reports the coverage of cached functions less precisely.
  if (!config.coverage.enabled) process.env.NODE_COMPILE_CACHE = compileCache;
  return () => folder[Symbol.dispose]();
}
