import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { sendSignal } from '@waybill/sandbox/processes/kill';
import { launch, root } from '../child.ts';

const docs = join(root, 'packages/docs');

/** The docs are built into this folder and served from it. */
export const docsDir: string = join(docs, 'dist');

/** What pages are made from, apart from the files of the root folder. */
const sources = ['deploy', 'packages', 'spec'];
/** Folders of the sources that contain no source. */
const others = ['node_modules', 'dist', 'cache', '.turbo'];

/** Whether a source is newer than the built docs, or there are none. */
async function areOutdated(): Promise<boolean> {
  const built = await stat(join(docsDir, 'index.html')).catch(() => undefined);
  if (!built) return true;
  const newest = [newestFile(root, false), ...sources.map((folder) => newestFile(join(root, folder)))];
  return Math.max(...(await Promise.all(newest))) > built.mtimeMs;
}

/** When the newest file in a folder was modified, in milliseconds since 1970. */
async function newestFile(folder: string, isDeep = true): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true });
  const times = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isFile()) return (await stat(path)).mtimeMs;
      return isDeep && entry.isDirectory() && !others.includes(entry.name) ? newestFile(path) : 0;
    }),
  );
  return Math.max(0, ...times);
}

/** Builds the docs, unless they are newer than their sources. Disposal ends the build. */
export function buildDocs() {
  const disposal = new AbortController();
  /** Resolves with undefined, or with the first error message of the build. */
  const done = (async () => {
    if (!(await areOutdated()) || disposal.signal.aborted) return undefined;
    const child = launch([process.execPath, join(docs, 'build.ts')], {
      env: {},
      stdio: ['ignore', 'pipe', 'pipe'],
      group: true,
    });
    // The group contains the compilers that the build starts.
    disposal.signal.addEventListener('abort', () => child.pid && sendSignal(-child.pid, 'SIGKILL'));
    const outputs = [child.stdout, child.stderr].map((stream) => (stream ? text(stream) : ''));
    const [[code], ...output] = await Promise.all([once(child, 'exit'), ...outputs]);
    return code === 0 ? undefined : errorIn(output.join('\n'));
  })().catch((error: Error) => error.message);
  return {
    done,
    async [Symbol.asyncDispose]() {
      disposal.abort();
      await done;
    },
  };
}

function errorIn(output: string): string {
  const lines = output.split('\n').map((line) => line.trim());
  return lines.find((line) => /error|cannot|could not|not found/i.test(line)) ?? 'the build failed';
}
