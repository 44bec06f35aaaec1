import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

interface Process {
  pid: number;
  parent: number;
  command: string;
}

/** How often the launchers are looked at, in milliseconds. */
const interval = 500;
const shell = /^\S*?(sh|bash|dash|zsh|ksh|ash|fish) /;
const manager = /(^|\/)(npm|npx|pnpm|corepack)(\.[cm]?js)?( |$)/;

/**
 * Calls back, once, when one of the processes that launched this one ends: its parent and, beyond it, the chain of
 * package managers and their shells (`npx` → `sh` → `pnpm` → `sh` → this), whose links don't tell each other when they
 * are killed.
 */
export async function watchLaunchers(gone: () => void): Promise<void> {
  const chain = await launchers();
  const timer = setInterval(async () => {
    const now = await Promise.all(chain.map(({ pid }) => look(pid)));
    if (chain.every(({ parent }, link) => now[link]?.parent === parent)) return;
    clearInterval(timer);
    gone();
  }, interval);
  timer.unref();
}

/** This process and its launchers but the last: those whose parents are to stay. */
async function launchers(): Promise<Process[]> {
  const chain: Process[] = [];
  for (let pid = process.pid; pid > 1; ) {
    const found = await look(pid);
    if (!found) break;
    if (chain.length > 0 && !shell.test(found.command) && !manager.test(found.command)) break;
    chain.push(found);
    pid = found.parent;
  }
  // What started the last manager may come and go; what started this process may not, whatever it is.
  const last = chain.findLastIndex(({ command }) => !shell.test(command) && manager.test(command));
  return chain.slice(0, Math.max(last, 1));
}

/** Undefined when there is no such process, or no way to see it. */
async function look(pid: number): Promise<Process | undefined> {
  try {
    if (process.platform !== 'linux') {
      const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', 'ppid=,command=', '-p', String(pid)]);
      const [, parent, command = ''] = /^\s*(\d+)\s+(.*)/.exec(stdout) ?? [];
      return { pid, parent: Number(parent), command };
    }
    // There ps is not always installed. The second field, the name, may itself hold spaces and parentheses.
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trimEnd();
    return { pid, parent: Number(parent), command };
  } catch {
    return undefined;
  }
}
