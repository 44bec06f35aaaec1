import { type Process, readProcess } from '../processes/process-tree.ts';

/** Between two checks, in milliseconds. */
const interval = 500;
const shell = /^\S*?(sh|bash|dash|zsh|ksh|ash|fish) /;
const manager = /(^|\/)(npm|npx|pnpm|corepack)(\.[cm]?js)?( |$)/;

/**
 * Calls back once when one of the processes that launched this one ends: its parent, and the package managers and shells
 * above it (`npx` → `sh` → `pnpm` → `sh` → this). When one of those is killed, it does not stop the ones below it.
 */
export async function watchLaunchers(onExit: () => void): Promise<void> {
  const chain = await launchers();
  const timer = setInterval(async () => {
    const now = await Promise.all(chain.map(({ pid }) => readProcess(pid)));
    if (chain.every(({ parent }, index) => now[index]?.parent === parent)) return;
    clearInterval(timer);
    onExit();
  }, interval);
  timer.unref();
}

/** This process and its launchers, without the topmost: the processes whose parent must not change. */
async function launchers(): Promise<Process[]> {
  const chain: Process[] = [];
  for (let pid = process.pid; pid > 1; ) {
    const found = await readProcess(pid);
    if (!found) break;
    if (chain.length > 0 && !shell.test(found.command) && !manager.test(found.command)) break;
    chain.push(found);
    pid = found.parent;
  }
  // The parent of the topmost package manager may end; the direct parent of this process may not.
  const last = chain.findLastIndex(({ command }) => !shell.test(command) && manager.test(command));
  return chain.slice(0, Math.max(last, 1));
}
