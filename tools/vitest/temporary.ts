import { createRunFolder } from '../processes/run-folder.ts';

/** vitest's global setup: all temporary files of the run are in one folder, which goes with it. */
export default function setup(): () => void {
  const folder = createRunFolder();
  process.env.TMPDIR = folder.path;
  return () => folder[Symbol.dispose]();
}
