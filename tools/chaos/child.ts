import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { server } from '../start/programs.ts';
import { root } from '../start/settings.ts';

const tether = pathToFileURL(join(root, 'tools/start/tether.ts')).href;

/** Starts `waybill serve`; it ends when this process does. */
export function launch(env: NodeJS.ProcessEnv): ChildProcess {
  const { file, args } = server(env);
  const child = spawn(process.execPath, ['--import', tether, file, ...args], {
    cwd: root,
    detached: true, // Ctrl-C is for us alone
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const kill = (): boolean => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  return child;
}

const isOver = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

export async function ended(child: ChildProcess): Promise<void> {
  if (!isOver(child)) await once(child, 'exit');
}

/** Stops it as a deployer would; resolves when it has ended. */
export async function end(child: ChildProcess): Promise<void> {
  const over = ended(child);
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), 20_000);
  await over.finally(() => clearTimeout(force));
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** `kill -9`, if it is still there. */
export function killOne(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {} // it was faster
}
