import { once } from 'node:events';
import { glob, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { sendSignal } from '@waybill/sandbox/processes/kill';
import { launch, root } from '../child.ts';

const docs = join(root, 'packages/docs');

/** The docs are built into this folder and served from it. */
export const docsDir: string = join(docs, 'dist');

/** What pages are made from, without the folders that contain no source. */
const sources = ['*', '{deploy,packages,spec}/**', 'packages/docs/.vitepress/**'];
const exclude = (path: string): boolean => ['node_modules', 'dist', 'cache', '.turbo'].includes(basename(path));

/** Whether a source is newer than the built docs, or there are none. */
async function areOutdated(): Promise<boolean> {
  const built = await stat(join(docsDir, 'index.html')).catch(() => undefined);
  if (!built) return true;
  for await (const path of glob(sources, { cwd: root, exclude })) {
    const source = await stat(join(root, path));
    if (source.isFile() && source.mtimeMs > built.mtimeMs) return true;
  }
  return false;
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
